import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser } from 'playwright-core';
import type { TestContext } from 'vitest';
import { needsProgram } from './program.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Starts Chromium, which is not a dependency: without it the test is skipped, or fails where all has to be there. */
export async function launchChromium(context: TestContext): Promise<Browser> {
  needsProgram(context, CHROMIUM, ['--version'], 'apt-get install chromium, or name one in CHROMIUM');
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

/** What a page is given to find what readers, keyboards and weak eyes stumble over. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
