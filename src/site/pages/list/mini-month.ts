import { safeLink } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import { DAY_MS, weeksOf } from '../../../time.ts';
import { monthInWords, weekdayInWords, type Day } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import { pathOfQuestion, type Question } from './question.ts';

/** The month of a list; days on which any of it begins link to that day alone. */
export function miniMonth(
  frame: Frame,
  question: Question,
  days: ReadonlyMap<number, number>,
  first: Day,
  today: Day,
): Html {
  const { base, language } = frame;
  const month = first.slice(0, 7);
  const [week, ...weeks] = weeksOf(month);
  const name = monthInWords(month, language);
  const heading = week.map(
    (day) =>
      html`<abbr title="${weekdayInWords(day, language, 'long')}">${weekdayInWords(day, language, 'short').slice(0, 2)}</abbr>`,
  );
  const cell = (day: Day): Html => {
    if (!day.startsWith(month)) return html`<span></span>`;
    const number = Number(day.slice(8));
    const has = day >= first && (days.get(Date.parse(day) / DAY_MS) ?? 0) > 0;
    if (!has) return html`<span${day === today && html` aria-current="date"`}>${number}</span>`;
    const href = base + pathOfQuestion({ ...question, when: day, from: '', page: 1 });
    return safeLink({ href, rel: 'nofollow', ...(day === today && { 'aria-current': 'date' }) }, number);
  };
  return html`<section class="stack side-only" aria-labelledby="mini"><h2 id="mini" class="side">${name}</h2>
<nav aria-label="${frame.words.finding.daysOf(name)}"><div class="mini">${heading}${[week, ...weeks].flat().map(cell)}</div></nav></section>`;
}
