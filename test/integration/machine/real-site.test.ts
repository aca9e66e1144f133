import { expect, test } from 'vitest';
import { liveOut, tellLives } from '../../support/machine/live.ts';
import { stageOn } from '../../support/machine/stages.ts';

/** On demand: MACHINE_COMMANDS=10000, of other lives with another MACHINE_SEED. Lives that went wrong and were mended are in lives.test.ts. */
const COMMANDS = Number(process.env['MACHINE_COMMANDS'] ?? 0);
const SEED = Number(process.env['MACHINE_SEED'] ?? 1);

const stage = stageOn('a real site');

test.skipIf(COMMANDS === 0)('whatever happens to a real site, nothing is lost, nothing is there twice, and what people did stays', { timeout: 86_400_000 }, async () => {
  const done = await liveOut(stage(), COMMANDS, SEED);
  tellLives('a real site', done);
  expect(done.commands).toBeGreaterThanOrEqual(COMMANDS);
});
