import type { Queryable } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import type { SourceSetup } from '../../run/state/context.ts';
import { findEntries, slugsBeginning } from '../../run/state/ledger.ts';
import type { LedgerEntry } from '../../sync/model/plan.ts';
import { slugsMeant } from '../text/unknown-name.ts';
import { siteSetup } from './open-sources.ts';
import { setupFor } from '../terminal/source-named.ts';
import type { App } from './open-context.ts';

/** How many slugs with the same beginning are searched for a misspelt one. */
const MEANT_MAX = 500;
const ALIKE = 4;
const NAMED_MAX = 3;

/**
 * The error for a slug that no event has, with those that were probably meant; `message` says where it was looked for.
 */
export async function noEvent(query: Queryable, slug: string, message: string): Promise<AppError> {
  const meant = slugsMeant(slug, await slugsBeginning(query, slug.slice(0, ALIKE), MEANT_MAX)).slice(0, NAMED_MAX);
  return new AppError(
    'event-unknown',
    `${message} ${
      meant.length === 0
        ? 'The slug is the last part of its page\'s address; "npm run -s calsyncd -- events --search WORD" finds it by its title.'
        : `Did you mean ${meant.map((each) => `"${each}"`).join(' or ')}?`
    }`,
  );
}

interface NamedEvent {
  readonly entry: LedgerEntry;
  readonly setup: SourceSetup;
}

/** The ledger entry with the named slug, and its source. Throws AppError if no source has such an event. */
export async function eventNamed(app: App, slug: string): Promise<NamedEvent> {
  const entry = await entryNamed(app, slug);
  return { entry, setup: setupFor(app.context, entry.source, entry.site) };
}

/** The same for commands that only read. The source need not be configured any more, if its site still is. */
export async function eventToTell(app: App, slug: string): Promise<NamedEvent> {
  const entry = await entryNamed(app, slug);
  const { source, site: key } = entry;
  const site = [...app.sites.sites.values()].find((each) => each.key === key);
  if (site === undefined || app.context.sources.get(source)?.site.key === key)
    return { entry, setup: setupFor(app.context, source, key) };
  // Imported here, because it loads what plans and carries out runs.
  const { formerSource } = await import('../../run/steps/setup-of-run.ts');
  return { entry, setup: formerSource(source, siteSetup(site, undefined)) };
}

async function entryNamed(app: App, slug: string): Promise<Entry> {
  const query = app.state.database.query();
  const entries = await findEntries(query, slug);
  const entry = entries.find(({ source, site }) => app.context.sources.get(source)?.site.key === site) ?? entries[0];
  if (!entry) throw await noEvent(query, slug, `No source has written an event with the slug "${slug}".`);
  return entry;
}

type Entry = Awaited<ReturnType<typeof findEntries>>[number];
