import { looksSame } from './looks-same.ts';
import type { LedgerEntry } from '../model/plan.ts';
import { isOurSlug } from '../model/slug.ts';

/** What tells whose an event is, as the interface shows it. */
export interface Shown {
  readonly slug: string;
  readonly title: string;
  readonly start_date: string;
}

/**
 * Whether what the site shows under an entry's id is that entry's event. An id is a hint, for a restored site gives it to another one: what it
 * shows must bear our key. A post that has no slug at all, as users without the right to publish leave it, must look as we last knew it.
 */
export function isEventOf(shown: Shown, entry: LedgerEntry): boolean {
  if (shown.slug !== '') return isOurSlug(shown.slug, entry);
  const { title, start_date: start } = entry.fields;
  return (
    looksSame('title', title?.returned ?? entry.title, shown.title) &&
    (start?.returned === undefined || start.returned === shown.start_date)
  );
}
