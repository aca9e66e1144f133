import fc from 'fast-check';
import { life, type Life } from './command.ts';
import { newLiving, perform, publish } from './perform.ts';
import { settle } from './settle.ts';
import { excusesInWords, tallyExcuses, type ExcuseTally } from './excuses.ts';
import type { Stage } from './world.ts';

/** Lives one life, from its first feed until the world has settled. */
export async function live(stage: Stage, one: Life, { excused } = tallyExcuses()): Promise<void> {
  const living = newLiving(await stage.begin(one), excused);
  for (const seed of one.first) publish(living, living.world.publishers[0], seed);
  for (const seed of one.second) publish(living, living.world.publishers[1], seed);
  for (const command of one.commands) await perform(living, command);
  await settle(living);
}

export interface Lived {
  readonly commands: number;
  readonly lives: number;
  readonly seconds: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly excuses: ExcuseTally['used'];
}

const ROUND = 20;
const TELL_EVERY_MS = 60_000;

/**
 * Lives random lives until so many commands have been carried out, and returns the statistics. Throws with the life
 * that fails, shrunk if `makesSmaller` is set.
 */
export async function liveOut(
  site: string,
  stage: Stage,
  commandsMin: number,
  seed: number,
  makesSmaller: boolean,
): Promise<Lived> {
  const begun = performance.now();
  const kinds: Record<string, number> = {};
  const excuses = tallyExcuses();
  const done = { commands: 0, lives: 0 };
  const lived = (): Lived => ({
    ...done,
    seconds: Math.round((performance.now() - begun) / 1000),
    kinds,
    excuses: excuses.used,
  });
  let toldAt = begun;
  for (let round = 0; done.commands < commandsMin; round += 1) {
    await fc.assert(
      fc.asyncProperty(life, async (one) => {
        await live(stage, one, excuses);
        done.lives += 1;
        done.commands += one.commands.length;
        for (const { kind } of one.commands) kinds[kind] = (kinds[kind] ?? 0) + 1;
      }),
      { seed: seed + round, numRuns: ROUND, endOnFailure: !makesSmaller },
    );
    if (performance.now() - toldAt < TELL_EVERY_MS) continue;
    toldAt = performance.now();
    process.stdout.write(`${site}: ${progress(lived())} of ${commandsMin}\n`);
  }
  tellKinds(site, lived());
  process.stdout.write(`${site}, excuses:\n${excusesInWords(excuses, done.commands)}`);
  return lived();
}

const progress = ({ commands, lives, seconds }: Lived): string =>
  `${commands} commands in ${lives} lives, ${seconds} s`;

function tellKinds(site: string, lived: Lived): void {
  const counts = Object.entries(lived.kinds)
    .toSorted()
    .map(([kind, count]) => `${kind} ${count}`);
  process.stdout.write(`${site}: ${progress(lived)} (${counts.join(', ')})\n`);
}
