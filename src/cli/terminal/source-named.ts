import type { Config } from '../../config/config.ts';
import type { Queryable } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import type { RunContext, SourceSetup } from '../../run/state/context.ts';
import { isSourceKnown } from '../../run/watch/run-list.ts';
import { knownNames } from '../text/unknown-name.ts';
import { WrongUse } from './wrong-use.ts';

/** The configured source with a name. Throws WrongUse with the known names. */
export function sourceNamed({ sources }: Pick<RunContext, 'sources'>, name: string): SourceSetup {
  const setup = sources.get(name);
  if (!setup) throw noSource([name], [...sources.keys()]);
  return setup;
}

/** The error for names of sources that the configuration does not have. */
export const noSource = ([name = '', ...others]: readonly string[], known: readonly string[]): WrongUse =>
  new WrongUse(
    `The configuration has no source ${[name, ...others].map((each) => `"${each}"`).join(', ')}. ${knownNames(name, known)}`,
  );

/** The configured source of a run or a ledger entry. Throws AppError if the configuration no longer has it. */
export function setupFor({ sources }: Pick<RunContext, 'sources'>, source: string, site: string): SourceSetup {
  const setup = sources.get(source);
  if (setup?.site.key === site) return setup;
  throw new AppError(
    'source-gone',
    `The configuration no longer has the source "${source}" on ${site}: put it back, or see "forget ${source}".`,
  );
}

/**
 * Checks the source named for a command that only reads stored data: none, a configured one, or one that has left runs
 * or events. Throws WrongUse with the configured names for any other.
 */
export async function refuseUnknownSource(
  query: Queryable,
  { sources }: Pick<Config, 'sources'>,
  source: string | undefined,
): Promise<void> {
  const known = sources.map(({ name }) => name);
  if (source === undefined || known.includes(source) || (await isSourceKnown(query, source))) return;
  throw new WrongUse(
    `There is no source "${source}": the configuration has none of that name, and none of its runs or events are stored. ` +
      knownNames(source, known),
  );
}
