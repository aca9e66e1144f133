import { safeLink } from '../../../html/link.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import type { ListName } from '../../../selection/selection.ts';
import { categoryTag } from '../../../look/category-mark.ts';
import type { Frame } from '../frame/layout.ts';
import type { Finder } from './finder.ts';
import { numberInWords } from './in-words.ts';
import { asksForAll, pathOfQuestion, type Question } from './question.ts';

/** A filter that one click adds, and the number of events it finds. */
interface Further {
  readonly question: Question;
  readonly name: Html;
  readonly count: number;
}

// Visitors who see more than this use the form to narrow it down.
const TOTAL_MAX = 100;
const OFFERED = [
  ['categories', 4],
  ['places', 2],
] as const satisfies readonly (readonly [ListName, number])[];

/** Offers filters that find some of the listed events, if there already is a choice. */
export const narrowerChoices = async (
  frame: Frame,
  find: Finder,
  question: Question,
  total: number,
): Promise<Html | false> => !asksForAll(question) && furtherLine(frame, await narrower(frame, find, question, total));

/** The same if everything is listed. */
export const choicesOfAll = async (frame: Frame, find: Finder, question: Question): Promise<Html | false> =>
  asksForAll(question) && furtherLine(frame, await freeSoon(frame, find, question));

function furtherLine(frame: Frame, offered: readonly Further[]): Html | false {
  if (offered.length === 0) return false;
  const links = offered.map(({ question: to, name, count }) =>
    safeLink(
      { class: 'chip', href: frame.base + pathOfQuestion(to), rel: 'nofollow' },
      html`${name} <small>${numberInWords(frame, count)}</small>`,
    ),
  );
  return html`<nav class="line" aria-label="${frame.words.finding.someOfThese}">${joinHtml(links, ' ')}</nav>`;
}

async function freeSoon({ words }: Frame, find: Finder, question: Question): Promise<readonly Further[]> {
  const weekend: Question = { ...question, when: 'weekend', free: true };
  const count = await find.count(weekend);
  return count === 0 ? [] : [{ question: weekend, name: html`${words.finding.freeThisWeekend}`, count }];
}

async function narrower(frame: Frame, find: Finder, question: Question, total: number): Promise<readonly Further[]> {
  const open = OFFERED.filter(([kind]) => question[kind].length === 0);
  if (total < 2 || total > TOTAL_MAX || open.length === 0) return [];
  const facets = await find.facetsOf(question);
  return open.flatMap(([kind, most]) =>
    facets[kind]
      // A filter that all of them match narrows nothing.
      .filter(({ count }) => count < total)
      .slice(0, most)
      .map((facet) => ({
        question: { ...question, [kind]: [facet.slug], page: 1 },
        name: kind === 'categories' ? categoryTag(frame.mark, facet) : sanitized(facet.name),
        count: facet.count,
      })),
  );
}
