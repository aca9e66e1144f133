import type { Config } from '../../config/config.ts';
import { countInWords } from '../../count-in-words.ts';
import type { Queryable } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import { isSourceKnown, lastRunOf, runsBeginning, type RunKind } from '../../run/watch/run-list.ts';
import { findRun, type RunRecord } from '../../run/state/records.ts';
import type { Call } from '../terminal/command.ts';
import { probablyMeant } from '../text/unknown-name.ts';
import { refuseUnknownSource } from '../terminal/source-named.ts';
import { WrongUse } from '../terminal/wrong-use.ts';

/** A run is named in full, by the first letters of its name, or as the last one of all sources or of one. */
export const RUN_USAGE = '<run> [source]';

const LISTED_MAX = 10;
/** How many of the latest runs are searched for a misspelt name. */
const MEANT_MAX = 500;

/** The words for each kind of run. */
const KINDS_IN_WORDS: Readonly<Record<RunKind, string>> = {
  any: 'run',
  held: 'run on hold',
  writing: 'run that is being written',
  changed: 'run that has changed anything',
};

/**
 * The run that a command names; `kind` determines which one `last` means. Prints the full name if it was abbreviated.
 * Throws AppError if there is none, and WrongUse if several match.
 */
export async function runNamed(
  query: Queryable,
  { io, config, args: [name, source] }: Pick<Call<readonly [run: string, source?: string]>, 'io' | 'config' | 'args'>,
  kind: RunKind,
): Promise<RunRecord> {
  // Every name begins with nothing, so a script whose variable is not set would mean whatever run is the only one.
  if (name.trim() === '')
    throw new WrongUse('Name a run: the argument is empty. "npm run -s calsyncd -- runs" lists them.');
  if (source !== undefined && name !== 'last')
    throw new WrongUse(`A source can only follow "last": "last ${source}". "${name}" already names the run.`);
  const found = name === 'last' ? await lastOf(query, config, kind, source) : await byName(query, name, kind);
  if (found.run !== name) io.err(`The run ${found.run}.\n`);
  return found;
}

async function lastOf(
  query: Queryable,
  config: Pick<Config, 'sources'>,
  kind: RunKind,
  source: string | undefined,
): Promise<RunRecord> {
  await refuseUnknownSource(query, config, source);
  const last = await lastRunOf(query, kind, source);
  if (last) return last;
  throw new AppError(
    'run-unknown',
    `There is no ${KINDS_IN_WORDS[kind]}${source === undefined ? '' : ` of "${source}"`}.`,
  );
}

async function byName(query: Queryable, name: string, kind: RunKind): Promise<RunRecord> {
  const whole = await findRun(query, name);
  if (whole) return whole;
  if (kind === 'held' && (await isOfNoneHeld(query, name))) throw await noneHeld(query, name);
  const beginning = await runsBeginning(query, name, LISTED_MAX + 1);
  const [only, ...others] = beginning;
  const record = only !== undefined && others.length === 0 ? await findRun(query, only) : undefined;
  if (record) return record;
  if (others.length > 0) throw new WrongUse(severalBegin(name, beginning));
  const meant = probablyMeant(name, await runsBeginning(query, '', MEANT_MAX));
  throw new AppError(
    'run-unknown',
    `There is no run "${name}", and none whose name begins with it. ` +
      `${meant === undefined ? '' : `Did you mean "${meant}"? `}"npm run -s calsyncd -- runs" lists them.`,
  );
}

/** Whether runs begin with the name, but none that waits for a decision. */
const isOfNoneHeld = async (query: Queryable, name: string): Promise<boolean> =>
  (await runsBeginning(query, name, 1)).length > 0 && (await runsBeginning(query, name, 1, 'held')).length === 0;

/** A list of runs that are over would not help someone who has a decision to make. */
async function noneHeld(query: Queryable, name: string): Promise<AppError> {
  const isSource = await isSourceKnown(query, name);
  return new AppError(
    'run-unknown',
    `No run ${isSource ? `of "${name}"` : `whose name begins with "${name}"`} waits for a decision. ` +
      `"npm run -s calsyncd -- runs${isSource ? ` ${name}` : ''}" lists them.`,
  );
}

function severalBegin(name: string, runs: readonly string[]): string {
  const more = runs.length > LISTED_MAX ? '\n  and more: "npm run -s calsyncd -- runs" lists them' : '';
  const shown = runs.slice(0, LISTED_MAX);
  return (
    `${more === '' ? countInWords(runs.length, 'run') : `More than ${LISTED_MAX} runs`} begin with ` +
    `"${name}"; the latest first:\n${shown.map((run) => `  ${run}`).join('\n')}${more}`
  );
}
