import { html, type Html, type HtmlPart } from '../../html/template.ts';
import type { ListedEvent, ListedState } from '../../run/events/list-events.ts';
import { badgesOf, type Badge } from '../../run/events/source-badges.ts';
import type { Asked } from '../frame/operator.ts';
import { linkTo, state } from '../frame/parts.ts';
import { icon } from '../frame/sprite.ts';
import { lastDayOf } from '../frame/times.ts';
import { eventPath } from '../sources/paths.ts';
import { dayIn, type Day } from './days.ts';
import { clockOf, timeBy } from './event-clock.ts';
import { REMOVED } from './whereabouts-words.ts';

/** What is needed to show events of a list. */
export interface ListContext {
  readonly asked: Asked;
  readonly badges: ReadonlyMap<string, Badge>;
}

export const listContext = (asked: Asked): ListContext => ({
  asked,
  badges: badgesOf([...asked.operator.context.sources.keys()]),
});

/** The two-letter badge of a source, for use beside its name. */
export function badgeLetters({ badges }: ListContext, source: string): Html {
  const own = badges.get(source) ?? { letters: '–', colour: 6 };
  return html`<span class="src s${own.colour}" title="${source}" aria-hidden="true">${own.letters}</span>`;
}

/** The badge for use without the name, which screen readers announce. */
const badge = (listing: ListContext, source: string): Html =>
  html`${badgeLetters(listing, source)}<span class="vh">${source}: </span>`;

export const eventHref = (asked: Asked, event: Pick<ListedEvent, 'slug' | 'site'>): string =>
  linkTo(asked, eventPath(asked, event));

/**
 * When an event of a list starts, and until when it lasts if that is another day: "Sat 3 October 2026, all day, until
 * Mon 5 October". With `day`, an event that starts on it is given without that date.
 */
export function timeInList(asked: Asked, event: ListedEvent, day: Day | undefined): string {
  const start = event.start.slice(0, 10);
  const year = start.slice(0, 4);
  const time = timeBy(event.start, clockOf(asked, event)) || 'all day';
  const from = start === day ? time : `${dayIn('shortDay', start)} ${year}, ${time}`;
  const last = lastDayOf(event);
  if (last <= start) return from;
  return `${from}, until ${dayIn('shortDay', last)}${last.startsWith(year) ? '' : ` ${last.slice(0, 4)}`}`;
}

/** An event in the cell of a day of the month. */
export function entryInMonth(listing: ListContext, event: ListedEvent, day: Day): Html {
  const isGoing = event.held?.action === 'remove';
  const time = event.start.startsWith(day) ? timeBy(event.start, clockOf(listing.asked, event)) : '';
  return html`<a href="${eventHref(listing.asked, event)}">${badge(listing, event.source)}<span${
    isGoing && html` class="gone-t"`
  }>${time !== '' && `${time} `}${event.title}${isGoing && html`<span class="vh">, held: would be removed</span>`}</span></a>`;
}

/** After how many good readings without it an event is removed. */
const removalAfter = ({ operator, now }: Asked, source: string): number | undefined =>
  operator.context.sources.get(source)?.policy(now, false).missing.after;

type Notes = Pick<
  ListedEvent,
  'source' | 'conflict' | 'edited' | 'locked' | 'missing' | 'held' | 'status' | 'state' | 'removed'
>;

type Note = (event: Notes, asked: Asked) => HtmlPart;

/** Notes about what is unusual, the most important first. */
const NOTES: readonly Note[] = [
  ({ held }) => held && state('held', { word: `held: would be ${HELD_WORDS[held.action] ?? 'changed'}` }),
  ({ conflict }) => conflict && state('held', { word: 'conflict' }),
  ({ locked }) => locked && html`${icon('pin')} locked`,
  ({ edited, conflict }) => edited && !conflict && html`${icon('person')} edited here`,
  ({ state: is, removed }) => is !== 'kept' && html`${removed === null ? STATE_WORDS[is] : REMOVED[removed]}`,
  (event, asked) =>
    event.missing > 0 &&
    event.state === 'kept' &&
    html`gone ${event.missing} of ${removalAfter(asked, event.source) ?? '?'}`,
  (event) => event.status !== null && event.status !== 'publish' && event.state === 'kept' && html`${event.status}`,
];

/** The notes that apply to an event. */
export const notesOn = (asked: Asked, event: Notes): readonly Html[] =>
  NOTES.flatMap((note) => {
    const said = note(event, asked);
    return said ? [html`<span class="small">${said}</span>`] : [];
  });

const HELD_WORDS: Readonly<Record<string, string>> = { remove: 'removed', create: 'created', update: 'changed' };

/** The labels of the states that a list can be filtered by. */
export const STATE_WORDS: Readonly<Record<ListedState, string>> = {
  kept: 'on the site',
  held: 'held',
  conflict: 'conflict',
  edited: 'edited here',
  locked: 'locked',
  detached: 'somebody’s own',
  gone: 'going',
  ignored: 'taken off by a person',
  removed: 'gone',
};
