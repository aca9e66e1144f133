import { looksSame } from './looks-same.ts';
import type { LedgerEntry } from '../model/plan.ts';
import { isOurSlug } from '../model/slug.ts';

/** The parts of an event's representation that identify it. */
export interface IdentifyingValues {
  readonly slug: string;
  readonly title: string;
  readonly start_date: string;
}

/**
 * Whether the event shown under an entry's id is that entry's event. A restored site assigns ids again, so the slug
 * must contain our key. A post without a slug (its author may not publish) must look as we last knew it.
 */
export function isEventOf(shown: IdentifyingValues, entry: LedgerEntry): boolean {
  if (shown.slug !== '') return isOurSlug(shown.slug, entry);
  const { title, start_date: start } = entry.fields;
  return (
    looksSame('title', title?.returned ?? entry.title, shown.title) &&
    (start?.returned === undefined || start.returned === shown.start_date)
  );
}
