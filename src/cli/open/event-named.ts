import { AppError } from '../../error.ts';
import type { SourceSetup } from '../../run/state/context.ts';
import { findEntries } from '../../run/state/ledger.ts';
import type { LedgerEntry } from '../../sync/model/plan.ts';
import { setupFor } from '../terminal/source-named.ts';
import type { App } from './open-context.ts';

/** The ledger entry that a command names by slug, with its source. Throws AppError if no source has such an event. */
export async function eventNamed(
  app: App,
  slug: string,
): Promise<{ readonly entry: LedgerEntry; readonly setup: SourceSetup }> {
  const entries = await findEntries(app.state.database.query(), slug);
  const entry = entries.find(({ source, site }) => app.context.sources.get(source)?.site.key === site) ?? entries[0];
  if (!entry)
    throw new AppError(
      'event-unknown',
      `No source has written an event with the slug "${slug}". The slug is the last part of its page's address.`,
    );
  return { entry, setup: setupFor(app.context, entry.source, entry.site) };
}
