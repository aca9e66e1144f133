import { inQuotes } from '../../look/words/in-quotes.ts';
import { digestOf } from '../../etag.ts';
import { openConflictsIn, type Conflict, type ConflictingField } from '../../run/events/conflicting-events.ts';
import { conflictStamps, type OpenMatter } from '../../run/state/open-matters.ts';
import { listFirst } from '../../sync/plan/notices.ts';
import type { Asked, Sent } from '../frame/operator.ts';

// A decision carries what the page showed, because the site or the feed may have changed since.

/** An event in conflict. Two sites may have events with the same slug, each from a source of its own. */
export type ConflictKey = Pick<Conflict, 'source' | 'slug'>;

export const markField = ({ source, slug }: ConflictKey): string => `shown:${source}:${slug}`;

/** A field with the values that a page has shown. */
type Shown = Pick<ConflictingField, 'field' | 'site' | 'feed'>;

/** A digest that changes when the site or the feed has another value than was shown. */
export const markOf = ({ fields }: { readonly fields: readonly Shown[] }): string =>
  digestOf(JSON.stringify(fields.map(({ field, site, feed }) => [field, site ?? null, feed])));

/** The field with the digest of a source's conflicts, not all of which are shown. */
export const stampField = (source: string): string => `all:${source}`;

/** Conflicts that are still as they were shown, and those that have changed. */
export interface ComparedConflicts {
  readonly asShown: readonly OpenMatter[];
  readonly changed: readonly OpenMatter[];
}

/** Compares conflicts with what was shown of each; only shown ones are included. */
export async function compareOneByOne(
  asked: Asked,
  sent: Sent,
  open: readonly OpenMatter[],
): Promise<ComparedConflicts> {
  const { context } = asked.operator;
  const shown = asked.url.searchParams.has('only') ? open : open.filter((each) => sent.field(markField(each)) !== '');
  const now = new Map<string, Conflict>();
  for (const [source, own] of Map.groupBy(shown, (each) => each.source)) {
    const { conflicts } = await openConflictsIn(context, { source, slugs: own.map(({ slug }) => slug) });
    for (const each of conflicts) now.set(markField(each), each);
  }
  const named = shown.map((each) => ({ ...each, title: now.get(markField(each))?.title ?? each.title }));
  return parted(named, (each) => {
    const conflict = now.get(markField(each));
    return conflict !== undefined && markOf(conflict) === sent.field(markField(each));
  });
}

/** Compares all conflicts of each source with the digest that was shown. */
export async function compareBySource(
  { operator, now }: Asked,
  sent: Sent,
  open: readonly OpenMatter[],
): Promise<ComparedConflicts> {
  const stamps = await conflictStamps(operator.context.database.query(), now);
  return parted(open, ({ source }) => stamps.get(source) === sent.field(stampField(source)));
}

const parted = (all: readonly OpenMatter[], isAsShown: (one: OpenMatter) => boolean): ComparedConflicts => ({
  asShown: all.filter(isAsShown),
  changed: all.filter((one) => !isAsShown(one)),
});

const NAMED_MAX = 3;

/** Says which events have changed, so that nothing was decided there. */
export function changedInWords(changed: readonly OpenMatter[]): string {
  const names = listFirst([...new Set(changed.map(({ title }) => inQuotes(title)))], NAMED_MAX);
  const what = changed.length === 1 ? `${names} has changed` : `${changed.length} events have changed (${names})`;
  return `${what} on the site or in the feed since you opened the page, so nothing was decided there. Below is its current state.`;
}
