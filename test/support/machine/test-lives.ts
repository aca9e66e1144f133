import { expect, test } from 'vitest';
import { usedTooOften } from './excuses.ts';
import { liveOut } from './live.ts';
import { stageOn, type SITES } from './stages.ts';

/**
 * A test of random lives on a site: so many commands of one seed, or as many as MACHINE_COMMANDS says (a million, on
 * demand), of the seeds from MACHINE_SEED on. Lives that went wrong and were fixed are in
 * test/long/lives-that-went-wrong.test.ts.
 */
export function testLives(site: (typeof SITES)[number], standard: number, standardSeed: number): void {
  const commands = Number(process.env['MACHINE_COMMANDS'] ?? standard);
  const seed = Number(process.env['MACHINE_SEED'] ?? standardSeed);
  const stage = stageOn(site);
  // To make a life that goes wrong smaller takes many minutes: on demand there is time for it.
  const isAsked = process.env['MACHINE_COMMANDS'] !== undefined;
  const timeout = isAsked ? 7 * 86_400_000 : 3_600_000;
  test(
    `whatever happens to ${site}, nothing is lost, nothing is there twice, and what people did stays`,
    { timeout },
    async () => {
      const lived = await liveOut(site, stage(), commands, seed, isAsked);
      expect(lived.commands).toBeGreaterThanOrEqual(commands);
      expect(usedTooOften(lived.excuses, lived.commands)).toEqual([]);
    },
  );
}
