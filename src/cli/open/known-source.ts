import type { Config } from '../../config/config.ts';
import type { Queryable } from '../../db/database.ts';
import { isSourceKnown } from '../../run/watch/run-list.ts';
import { WrongUse } from '../terminal/wrong-use.ts';
import { knownNames } from '../text/unknown-name.ts';

/**
 * Lets commands that only look at what is kept name a source, or none: a configured one, or one that has left runs or
 * events. Throws WrongUse with the configured names for any other.
 */
export async function refuseUnknownSource(
  query: Queryable,
  { sources }: Pick<Config, 'sources'>,
  source: string | undefined,
): Promise<void> {
  const known = sources.map(({ name }) => name);
  if (source === undefined || known.includes(source) || (await isSourceKnown(query, source))) return;
  throw new WrongUse(
    `There is no source "${source}": the configuration has none of that name, and no run or event of it is kept. ` +
      knownNames(source, known),
  );
}
