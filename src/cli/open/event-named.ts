import type { Queryable } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import type { SourceSetup } from '../../run/state/context.ts';
import { findEntries, slugsBeginning } from '../../run/state/ledger.ts';
import type { LedgerEntry } from '../../sync/model/plan.ts';
import { probablyMeant } from '../text/unknown-name.ts';
import { setupFor } from '../terminal/source-named.ts';
import type { App } from './open-context.ts';

/** Among so many slugs that begin alike one is looked for that was misspelt. */
const MEANT_MAX = 500;
const ALIKE = 4;

/** The slug that was probably meant; undefined where none is close. */
async function slugMeant(query: Queryable, slug: string): Promise<string | undefined> {
  const beginning = await slugsBeginning(query, slug.slice(0, ALIKE), MEANT_MAX);
  return probablyMeant(slug, beginning);
}

/** The ledger entry that a command names by slug, with its source. Throws AppError if no source has such an event. */
export async function eventNamed(
  app: App,
  slug: string,
): Promise<{ readonly entry: LedgerEntry; readonly setup: SourceSetup }> {
  const entries = await findEntries(app.state.database.query(), slug);
  const entry = entries.find(({ source, site }) => app.context.sources.get(source)?.site.key === site) ?? entries[0];
  if (!entry) {
    const meant = await slugMeant(app.state.database.query(), slug);
    throw new AppError(
      'event-unknown',
      `No source has written an event with the slug "${slug}". ` +
        `${meant === undefined ? "The slug is the last part of its page's address." : `Did you mean "${meant}"?`}`,
    );
  }
  return { entry, setup: setupFor(app.context, entry.source, entry.site) };
}
