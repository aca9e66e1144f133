import { withoutPrefix } from '../../contract/cancelled-title.ts';
import type { Identified } from '../identity/identify-drafts.ts';
import type { EventFields } from '../model/draft.ts';
import type { SiteEvent } from '../model/plan.ts';

/**
 * Leaves out what a draft's cancellation omits, so that those fields stay as they are on the site. An omitted title is
 * taken from the feed's last one, as the state's prefix is put before it.
 */
export function withoutOmittedFields<D extends Pick<Identified, 'draft' | 'entry'>>(
  known: D,
  onSite: SiteEvent | null,
): D {
  const { draft, entry } = known;
  if (draft.unsaid === undefined || (entry === undefined && onSite === null)) return known;
  const unsaid = new Set<string>(draft.unsaid);
  const said: Partial<EventFields> = Object.fromEntries(
    Object.entries(draft.fields).filter(([field]) => !unsaid.has(field)),
  );
  const title = unsaid.has('title') ? lastTitle(entry, onSite) : draft.fields.title;
  const { start_date, end_date, timezone, all_day } = draft.fields;
  return { ...known, draft: { ...draft, fields: { ...said, title, start_date, end_date, timezone, all_day } } };
}

function lastTitle(entry: Identified['entry'], onSite: SiteEvent | null): string {
  const fromFeed = entry?.fields.title?.feed;
  return typeof fromFeed === 'string' ? fromFeed : (entry?.title ?? withoutPrefix(String(onSite?.values.title ?? '')));
}

/** Whether a draft creates no event: a cancellation without a title only cancels what is on the site. */
export const onlyCancels = ({ draft }: Pick<Identified, 'draft'>, onSite: SiteEvent | null): boolean =>
  draft.unsaid?.includes('title') === true && (onSite === null || onSite.status === 'trash');
