import type { Event } from '../../../contract/representation.ts';
import { html, type Html } from '../../../html/template.ts';
import type { Day } from '../frame/dates.ts';
import { dayInWords } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import { momentInWords } from './event-times.ts';

/** How it is with an event. The first that is so is told. */
export type EventState = 'cancelled' | 'over' | 'tentative' | 'moved' | 'on';

/** Where an event was announced, if that was somewhere else, as a link. */
export type FormerPlace = Html | undefined;

const isTagged = ({ tags }: Event, state: string): boolean => tags.some(({ slug }) => slug === state);

export function stateOf(event: Event, today: Day, formerPlace: FormerPlace): EventState {
  if (isTagged(event, 'cancelled')) return 'cancelled';
  if (event.end_date.slice(0, 10) < today) return 'over';
  if (isTagged(event, 'tentative')) return 'tentative';
  return event.previous_start_date !== undefined || formerPlace ? 'moved' : 'on';
}

const MARK_CLASSES = { cancelled: 'tag bad', over: 'tag', tentative: 'tag warn', moved: 'tag warn' } as const;

/** The word beside the categories. */
export const stateMark = ({ words }: Frame, state: EventState): Html | undefined =>
  state === 'on' ? undefined : html`<span class="${MARK_CLASSES[state]}">${words[state]}</span>`;

/** The sentences above all else: what is not as it was announced. */
export function stateNote(
  { words, language }: Frame,
  event: Event,
  state: EventState,
  formerPlace: FormerPlace,
): Html | undefined {
  if (state === 'cancelled') return note('note bad', words.isCancelled, html`${words.cancelledText}`);
  if (state === 'over')
    return note('note', words.isOver, html`${words.wasOn(dayInWords(event.end_date.slice(0, 10), language))}`);
  if (state === 'tentative') return note('note', words.isTentative, html`${words.tentativeText}`);
  if (state === 'on') return undefined;
  const previous = event.previous_start_date;
  const former = event.all_day ? dayInWords : momentInWords;
  return note(
    'note',
    words.isMoved,
    html`${previous !== undefined && words.wasAnnouncedFor(former(previous, language))}${previous !== undefined && formerPlace && ' '}${formerPlace && html`${words.wasAnnouncedAt} ${formerPlace}.`}`,
  );
}

const note = (classes: string, first: string, rest: Html): Html =>
  html`<div class="${classes}"><strong>${first}</strong>${rest}</div>`;
