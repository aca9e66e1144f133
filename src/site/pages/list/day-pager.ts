import { safeLink } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import { daysOf } from '../../../selection/days.ts';
import { dayAfter } from '../../../time.ts';
import type { Day } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import { fromDay, type FoundPart } from './found-part.ts';
import { dayBriefly } from './in-words.ts';
import { pathOfQuestion, type Question } from './question.ts';

/** Links to earlier and later days, and back to today. */
export function dayPager(frame: Frame, question: Question, part: FoundPart, today: Day): Html | undefined {
  const { finding } = frame.words;
  const next = nextOf(question, part, today);
  const start = { ...question, from: '', page: 1 } as const;
  const [isLater, isPast] = [question.page > 1 || question.from > today, question.from !== '' && question.from < today];
  const before = [
    part.earlier && pageLink(frame, 'prev', part.earlier, `← ${finding.earlier}`),
    isLater && pageLink(frame, 'prev', start, `← ${backInWords(frame, question)}`),
  ];
  const after = [
    next && pageLink(frame, 'next', next, `${nextInWords(frame, next, today)} →`),
    isPast && pageLink(frame, 'next', start, `${finding.backToStart} →`),
  ];
  if (![...before, ...after].some(Boolean)) return undefined;
  return html`<nav class="pager" aria-label="${finding.moreDays}">${before}
<span class="dim">${spanOf(frame, part, today)}</span>
${after}</nav>`;
}

/** After chosen days, continues with everything that follows. */
function nextOf(question: Question, part: FoundPart, today: Day): Question | undefined {
  const { last } = daysOf(question, today);
  return part.next ?? (last === undefined ? undefined : fromDay(question, dayAfter(last)));
}

const pageLink = ({ base }: Frame, rel: 'prev' | 'next', to: Question, shown: string): Html =>
  safeLink({ class: 'btn', rel: `${rel} nofollow`, href: base + pathOfQuestion(to) }, shown);

const backInWords = ({ words: { finding } }: Frame, { when }: Question): string =>
  when === '' ? finding.backToStart : finding.backToFirst;

function nextInWords(frame: Frame, { page, from }: Question, today: Day): string {
  const { finding } = frame.words;
  return page > 1 ? finding.moreOfThese : finding.fromDay(dayBriefly(frame, from, today));
}

/** "25 November – 31 December" */
function spanOf(frame: Frame, { days }: FoundPart, today: Day): string {
  const ends = [days[0], days.at(-1)].flatMap((found) => (found ? [found.day] : []));
  return [...new Set(ends)].map((day) => dayBriefly(frame, day, today)).join(' – ');
}
