import { formerSource } from '../../run/steps/setup-of-run.ts';
import type { SourceSetup } from '../../run/state/context.ts';
import { findEntries } from '../../run/state/ledger.ts';
import type { LedgerEntry } from '../../sync/model/plan.ts';
import type { Asked } from '../frame/operator.ts';

/** The event that an address names, with its source. */
export interface NamedEvent {
  readonly entry: LedgerEntry;
  readonly setup: SourceSetup;
  /** Whether the configuration still has its source; otherwise nothing can be decided. */
  readonly isConfigured: boolean;
}

/** The event of `/events/:slug/`, on the site of `?site=` if several sites have it; undefined if there is none. */
export async function namedEvent({ operator, params, url }: Asked): Promise<NamedEvent | undefined> {
  const { context } = operator;
  const wanted = operator.sites().find(({ name }) => name === url.searchParams.get('site'))?.key;
  const entries = await findEntries(context.database.query(), params['slug'] ?? '');
  const here = entries.filter(({ site }) => wanted === undefined || site === wanted);
  const setupOf = ({ source, site }: (typeof entries)[number]): SourceSetup | undefined => {
    const setup = context.sources.get(source);
    return setup?.site.key === site ? setup : undefined;
  };
  const entry = here.find((each) => setupOf(each) !== undefined) ?? here[0];
  if (!entry) return undefined;
  const setup = setupOf(entry);
  if (setup) return { entry, setup, isConfigured: true };
  const site = context.siteOf(entry.site);
  return site && { entry, setup: formerSource(entry.source, site), isConfigured: false };
}
