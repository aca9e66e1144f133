import { quoted } from '../../csv/quoted.ts';
import { withoutCancelledMark } from '../../contract/cancelled-title.ts';
import type { EventDraft } from '../model/draft.ts';

type Stated = Pick<EventDraft, 'fields' | 'state'>;

/**
 * Reads a state from a draft's title: `CANCELLED: Jazz` is Jazz, cancelled, even if no other property says so. Rules
 * have already seen the title as written.
 */
export function stateSaidByTitle(stated: Stated): Stated {
  const title = withoutCancelledMark(stated.fields.title);
  return title === undefined ? stated : { fields: { ...stated.fields, title }, state: 'cancelled' };
}

/** A title without any mark of cancellation, since such a mark must not change an event's identity. */
export const lastingTitle = (title: string): string => withoutCancelledMark(title) ?? title;

/** Says that only an event's title calls it cancelled. */
export const saidByTitle = (title: string): string =>
  `Only the title says that this event is cancelled: ${quoted(title)}; it is marked as cancelled.`;
