import { inQuotes } from '../../look/words/in-quotes.ts';
import { digestOf } from '../../etag.ts';
import { openConflictsIn, type Conflict, type ConflictingField } from '../../run/events/conflicting-events.ts';
import { conflictStamps, type OpenMatter } from '../../run/state/open-matters.ts';
import { firstOf } from '../../sync/plan/notices.ts';
import type { Asked, Sent } from '../frame/operator.ts';

// What a page has shown goes along with the decision, because the site or the feed may say something else by then.

/** An event in conflict: on two sites there may be one of the same slug, each of a source of its own. */
export type Named = Pick<Conflict, 'source' | 'slug'>;

export const markField = ({ source, slug }: Named): string => `shown:${source}:${slug}`;

/** A field with what a page has shown of it. */
type Shown = Pick<ConflictingField, 'field' | 'site' | 'feed'>;

/** Another one, as soon as the site or the feed says something else than what was shown. */
export const markOf = ({ fields }: { readonly fields: readonly Shown[] }): string =>
  digestOf(JSON.stringify(fields.map(({ field, site, feed }) => [field, site ?? null, feed])));

/** Of all conflicts of a source, of which not all are shown. */
export const stampField = (source: string): string => `all:${source}`;

/** What has been decided about, and what is not as it was when somebody decided. */
export interface Compared {
  readonly asShown: readonly OpenMatter[];
  readonly changed: readonly OpenMatter[];
}

/** Compares conflicts with what was shown of them; a page shows no others. */
export async function shownOneByOne(asked: Asked, sent: Sent, open: readonly OpenMatter[]): Promise<Compared> {
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

/** Compares all conflicts of sources with those that there were. */
export async function shownBySource(
  { operator, now }: Asked,
  sent: Sent,
  open: readonly OpenMatter[],
): Promise<Compared> {
  const stamps = await conflictStamps(operator.context.database.query(), now);
  return parted(open, ({ source }) => stamps.get(source) === sent.field(stampField(source)));
}

const parted = (all: readonly OpenMatter[], isAsShown: (one: OpenMatter) => boolean): Compared => ({
  asShown: all.filter(isAsShown),
  changed: all.filter((one) => !isAsShown(one)),
});

const NAMED_MAX = 3;

/** That nothing was decided about some events, and why. */
export function changedInWords(changed: readonly OpenMatter[]): string {
  const names = firstOf([...new Set(changed.map(({ title }) => inQuotes(title)))], NAMED_MAX);
  const what = changed.length === 1 ? `${names} has changed` : `${changed.length} events have changed (${names})`;
  return `${what} on the site or in the feed since you looked, so nothing was decided there. Below it stands as it is now.`;
}
