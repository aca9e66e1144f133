import type { Event } from '../../../contract/representation.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import type { Day } from '../frame/dates.ts';
import { dayInWords } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import { startInWords } from './event-times.ts';
import { isCancelled, isOver, isTentative, lastDayOf } from '../views/group-found.ts';

/** The state of an event. If several apply, the first one counts. */
type EventState = 'cancelled' | 'over' | 'tentative' | 'moved' | 'on';

/** What was announced earlier and no longer applies. */
export interface Former {
  /** The former place, as a link. */
  readonly place: Html | undefined;
  /** The former start, by the event's clock: `2027-01-10 18:00:00`, or `2027-01-10` for all-day events. */
  readonly start: string | undefined;
}

/** The state of an event as visitors see it. */
export interface VisibleState {
  readonly state: EventState;
  readonly former: Former;
}

const TAGS_OF_STATES: readonly string[] = ['cancelled', 'tentative'];

/** Whether a tag stands for a state. Pages show states in words and do not offer them as filters. */
export const isOfState = (tag: string): boolean => TAGS_OF_STATES.includes(tag);

export function stateOf(event: Event, today: Day, { place, start }: Former): EventState {
  if (isCancelled(event)) return 'cancelled';
  if (isOver(event, today)) return 'over';
  if (isTentative(event)) return 'tentative';
  return start !== undefined || place ? 'moved' : 'on';
}

/**
 * The former start of an event: the one first announced here, else that of its series (`usual`, by the series' clock).
 * Undefined if it has not moved.
 */
export function formerStart(event: Event, usual: string | undefined): string | undefined {
  const { previous_start_date: previous, start_date, utc_start_date, all_day } = event;
  if (previous !== undefined) return announcedFor(previous, all_day);
  if (usual === undefined || all_day !== usual.length < 19) return undefined;
  // The series' clock may be UTC.
  return [start_date, start_date.slice(0, 10), utc_start_date].includes(usual) ? undefined : usual;
}

/** A start as stored. The site used to store midnight for all-day events; now it stores the date. */
const announcedFor = (previous: string, allDay: boolean): string =>
  allDay && previous.slice(11, 19) === '00:00:00' ? previous.slice(0, 10) : previous.slice(0, 19).replace('T', ' ');

const MARK_CLASSES = { cancelled: 'tag bad', over: 'tag', tentative: 'tag warn', moved: 'tag warn' } as const;

/** The label of a state beside the categories. */
export const stateMark = ({ words }: Frame, state: EventState): Html | undefined =>
  state === 'on' ? undefined : html`<span class="${MARK_CLASSES[state]}">${words[state]}</span>`;

/** The note at the top about what differs from the announcement. */
export function stateNote({ words, language }: Frame, event: Event, { state, former }: VisibleState): Html | undefined {
  if (state === 'cancelled') return note('note bad', words.isCancelled, html`${words.cancelledText}`);
  if (state === 'over') return note('note', words.isOver, html`${words.wasOn(dayInWords(lastDayOf(event), language))}`);
  if (state === 'tentative') return note('note', words.isTentative, html`${words.tentativeText}`);
  if (state === 'on') return undefined;
  const { start, place } = former;
  const sentences = [
    start !== undefined && words.wasAnnouncedFor(startInWords(start, language)),
    place && html`${words.wasAnnouncedAt} ${place}.`,
  ];
  return note('note', words.isMoved, joinHtml(sentences, ' '));
}

const note = (classes: string, first: string, rest: Html): Html =>
  html`<div class="${classes}"><strong>${first}</strong>${rest}</div>`;
