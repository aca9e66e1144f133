import type { Event } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import { daysOf } from '../../../selection/days.ts';
import { dayAfter } from '../../../time.ts';
import type { Day } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import { shownDay } from './event-list.ts';
import { dayBriefly } from './in-words.ts';
import { pathOfQuestion, type Question } from './question.ts';

export const EVENTS_MAX = 50;

interface Part {
  readonly events: readonly Event[];
  /** What comes after these events. */
  readonly next: Question | undefined;
}

/**
 * As many events as a page has, of one more at most. It ends with a day where one can go on from the next: such a link
 * still means the same tomorrow.
 */
export function partOf(events: readonly Event[], question: Question, today: Day): Part {
  if (events.length <= EVENTS_MAX) return { events, next: undefined };
  const { first, last } = daysOf(question, today);
  const cut = events.slice(0, EVENTS_MAX);
  const [firstDay, nextDay] = [events[0], events[EVENTS_MAX]].map((event) => event && shownDay(event, first));
  return last !== undefined || nextDay === undefined || nextDay === firstDay
    ? { events: cut, next: { ...question, page: question.page + 1 } }
    : { events: cut.filter((event) => shownDay(event, first) !== nextDay), next: fromDay(question, nextDay) };
}

const fromDay = (question: Question, from: Day | ''): Question => ({ ...question, when: '', from, page: 1 });

/** The way to later days, and back to today. */
export function dayPager(frame: Frame, question: Question, part: Part, today: Day): Html | undefined {
  const { base, words } = frame;
  const { finding } = words;
  const { first, last } = daysOf(question, today);
  // After days that were chosen, one goes on with all that comes then.
  const next = part.next ?? (last === undefined ? undefined : fromDay(question, dayAfter(last)));
  const isLater = question.page > 1 || question.from > today;
  if (!next && !isLater) return undefined;
  const link = (rel: 'prev' | 'next', to: Question, shown: string): Html =>
    safeLink({ class: 'btn', rel: `${rel} nofollow`, href: base + pathOfQuestion(to) }, shown);
  return html`<nav class="pager" aria-label="${finding.moreDays}">${isLater && link('prev', { ...question, from: '', page: 1 }, `← ${finding.backToStart}`)}
<span class="dim">${spanOf(frame, part.events, first, today)}</span>
${next && link('next', next, `${nextInWords(frame, next, today)} →`)}</nav>`;
}

const nextInWords = (frame: Frame, { page, from }: Question, today: Day): string =>
  page > 1 ? frame.words.finding.moreOfThese : frame.words.finding.fromDay(dayBriefly(frame, from, today));

/** "25 November – 31 December" */
function spanOf(frame: Frame, events: readonly Event[], first: Day, today: Day): string {
  const days = [events[0], events.at(-1)].flatMap((event) => (event ? [shownDay(event, first)] : []));
  return [...new Set(days)].map((day) => dayBriefly(frame, day, today)).join(' – ');
}
