import { quoted } from '../../csv/quoted.ts';
import { withoutCancelledMark } from '../../contract/cancelled-title.ts';
import type { EventDraft } from '../model/draft.ts';

type Stated = Pick<EventDraft, 'fields' | 'state'>;

/**
 * A draft as its title says: `CANCELLED: Jazz` is Jazz, and cancelled, also where no other property says so. Rules have
 * seen the title as it is written.
 */
export function stateSaidByTitle(stated: Stated): Stated {
  const title = withoutCancelledMark(stated.fields.title);
  return title === undefined ? stated : { fields: { ...stated.fields, title }, state: 'cancelled' };
}

/** A title as it was before its event was cancelled: what identifies an event stays. */
export const lastingTitle = (title: string): string => withoutCancelledMark(title) ?? title;

/** Tells of an event that only its title calls cancelled. */
export const saidByTitle = (title: string): string =>
  `Only the title says that this event is cancelled: ${quoted(title)}; it is marked as cancelled.`;
