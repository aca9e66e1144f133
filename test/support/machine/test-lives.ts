import { expect, test } from 'vitest';
import { usedTooOften } from './excuses.ts';
import { liveOut } from './live.ts';
import { stageOn, type SITES } from './stages.ts';

/**
 * A test of random lives on a site: `standard` commands with the seed `standardSeed`, or as many as MACHINE_COMMANDS
 * says (for example a million) with the seeds from MACHINE_SEED on. Past failures that were fixed are in
 * test/long/lives-that-went-wrong.test.ts.
 */
export function testLives(site: (typeof SITES)[number], standard: number, standardSeed: number): void {
  const commands = Number(process.env['MACHINE_COMMANDS'] ?? standard);
  const seed = Number(process.env['MACHINE_SEED'] ?? standardSeed);
  const stage = stageOn(site);
  // Shrinking a failing life takes many minutes, which only runs on demand can afford.
  const isAsked = process.env['MACHINE_COMMANDS'] !== undefined;
  const timeout = isAsked ? 7 * 86_400_000 : 3_600_000;
  test(
    `whatever happens to ${site}, no event is lost or duplicated, and people’s work stays`,
    { timeout },
    async () => {
      const lived = await liveOut(site, stage(), commands, seed, isAsked);
      expect(lived.commands).toBeGreaterThanOrEqual(commands);
      expect(usedTooOften(lived.excuses, lived.commands)).toEqual([]);
    },
  );
}
