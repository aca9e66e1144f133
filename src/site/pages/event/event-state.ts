import type { Event } from '../../../contract/representation.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import type { Day } from '../frame/dates.ts';
import { dayInWords } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import { startInWords } from './event-times.ts';
import { isCancelled, isOver, isTentative, lastDayOf } from '../views/group-found.ts';

/** How it is with an event. The first that is so is told. */
type EventState = 'cancelled' | 'over' | 'tentative' | 'moved' | 'on';

/** What was announced before, and is not so any more. */
export interface Former {
  /** Where it was to be, as a link. */
  readonly place: Html | undefined;
  /** When it was to begin, by the event's clock: `2027-01-10 18:00:00`, or all that day: `2027-01-10`. */
  readonly start: string | undefined;
}

/** What visitors are told of the state of an event. */
export interface ToldState {
  readonly state: EventState;
  readonly former: Former;
}

const TAGS_OF_STATES: readonly string[] = ['cancelled', 'tentative'];

/** Whether the tag with a slug stands for a state, which pages tell in words, and is nothing to choose by. */
export const isOfState = (tag: string): boolean => TAGS_OF_STATES.includes(tag);

export function stateOf(event: Event, today: Day, { place, start }: Former): EventState {
  if (isCancelled(event)) return 'cancelled';
  if (isOver(event, today)) return 'over';
  if (isTentative(event)) return 'tentative';
  return start !== undefined || place ? 'moved' : 'on';
}

/**
 * When an event was to begin: as it was announced here first, else as its series has it (`usual`, by the clock of the
 * series). Undefined for one that begins then.
 */
export function formerStart(event: Event, usual: string | undefined): string | undefined {
  const { previous_start_date: previous, start_date, utc_start_date, all_day } = event;
  if (previous !== undefined) return announcedFor(previous, all_day);
  if (usual === undefined || all_day !== usual.length < 19) return undefined;
  // The clock of a series may be UTC.
  return [start_date, start_date.slice(0, 10), utc_start_date].includes(usual) ? undefined : usual;
}

/** A start as the site keeps it; before it kept days, midnight stood for that of an all-day event. */
const announcedFor = (previous: string, allDay: boolean): string =>
  allDay && previous.slice(11, 19) === '00:00:00' ? previous.slice(0, 10) : previous.slice(0, 19).replace('T', ' ');

const MARK_CLASSES = { cancelled: 'tag bad', over: 'tag', tentative: 'tag warn', moved: 'tag warn' } as const;

/** The word beside the categories. */
export const stateMark = ({ words }: Frame, state: EventState): Html | undefined =>
  state === 'on' ? undefined : html`<span class="${MARK_CLASSES[state]}">${words[state]}</span>`;

/** The sentences above all else: what is not as it was announced. */
export function stateNote({ words, language }: Frame, event: Event, { state, former }: ToldState): Html | undefined {
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
