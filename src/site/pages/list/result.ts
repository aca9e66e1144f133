import { html, joinHtml, type Html } from '../../../html/template.ts';
import { icon } from '../../../look/icons.ts';
import { daysOf, isShortcut } from '../../../selection/days.ts';
import { selectionQuery, type Selection } from '../../../selection/selection.ts';
import type { Facets } from '../../store/coming-facets.ts';
import type { Frame } from '../frame/layout.ts';
import { eventList } from './event-list.ts';
import { chosenChips, chosenLink } from './chosen-chips.ts';
import type { Finder } from './finder.ts';
import { choiceInWords, eventsInWords, namedByFacets } from './in-words.ts';
import { choicesOf, pathOfQuestion, singleQuestions, widerQuestions, type Choice, type Question } from './question.ts';

/**
 * The number of events, what was chosen, and the link to subscribe to exactly that. An empty result is explained below
 * it.
 */
export function resultLine(frame: Frame, question: Question, facets: Facets, total: number, today: string): Html {
  const { finding } = frame.words;
  const isAnything = choicesOf(question).length === 0;
  const line = { question, nameOf: namedByFacets(facets), pathOf: pathOfQuestion, today };
  const count = html`<p role="status"><b>${eventsInWords(frame, total)}</b>${isAnything && ` ${finding.fromToday}`}</p>`;
  return html`<div class="result">${total > 0 && count}
${chosenChips(frame, line, '/')}
${total > 0 && subscribeLink(frame, question)}</div>`;
}

/** A link to the feed builder with the same selection. */
export function subscribeLink({ base, words: { finding } }: Frame, selection: Selection, shown?: Html): Html {
  const toThis = html`<span>${finding.subscribe}<span class="desk"> ${finding.toThis}</span></span>`;
  const query = selectionQuery(selection);
  const href = `${base}/feeds/events${query.size === 0 ? '' : `?${query}`}`;
  return chosenLink({ class: 'btn main', href }, [icon('bell'), shown ?? toThis]);
}

const WIDER_MAX = 3;
const NEAREST_MAX = 3;

/**
 * Shown if nothing is found: selections that find something, with one kind of choice removed or, if none of these finds
 * anything, with only one kind; and the nearest events.
 */
export async function noResult(frame: Frame, find: Finder, question: Question, facets: Facets): Promise<Html> {
  const { finding } = frame.words;
  const less = await thatFind(find, widerQuestions(question));
  const offered = less.length > 0 ? less : await thatFind(find, singleQuestions(question));
  const nameOf = namedByFacets(facets);
  const named = ({ kind, wider }: Wider): string =>
    less.length > 0
      ? finding.instead[kind]
      : choicesOf(wider)
          .map((choice) => choiceInWords(frame, nameOf, choice, find.today))
          .join(', ');
  const links = offered.map((one) =>
    chosenLink({ class: 'chip', href: frame.base + pathOfQuestion(one.wider) }, [
      html`${named(one)}: <b>${eventsInWords(frame, one.count)}</b>`,
    ]),
  );
  const [nearest] = offered;
  const advice = less.length > 0 ? finding.leaveOut : finding.oneAlone;
  return html`<div class="blank"><h2>${finding.nothing[isShortcut(question.when) ? question.when : 'any']}</h2>
${links.length > 0 && html`<p>${advice}</p>\n<p class="pills">${joinHtml(links, ' ')}</p>`}
<p class="row">${subscribeLink(frame, question, html`<span>${finding.subscribeAnyway}</span>`)}</p></div>
${nearest && (await nearestEvents(frame, find, nearest.wider))}`;
}

interface Wider {
  readonly kind: Choice['kind'];
  readonly wider: Question;
  readonly count: number;
}

/** The questions that find something, the narrowest first, as it is closest to the original. */
async function thatFind(
  find: Finder,
  questions: readonly (readonly [Choice['kind'], Question])[],
): Promise<readonly Wider[]> {
  const counted = await Promise.all(
    questions.map(async ([kind, wider]) => ({ kind, wider, count: await find.count(wider) })),
  );
  return counted
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => a.count - b.count)
    .slice(0, WIDER_MAX);
}

async function nearestEvents(frame: Frame, find: Finder, question: Question): Promise<Html> {
  const { finding } = frame.words;
  const { events } = await find.events(question, { limit: NEAREST_MAX, offset: 0 });
  // Without the only choice, the events have nothing to do with what was asked for.
  const title = choicesOf(question).length === 0 ? finding.comingUp : finding.nearest;
  return html`<section aria-labelledby="near"><h2 id="near">${title}</h2>
${eventList(frame, events, daysOf(question, find.today).first, '', find.today)}</section>`;
}

/** Shown if nothing is announced at all. */
export function nothingYet(frame: Frame): Html {
  const { finding } = frame.words;
  const subscribe = html`<a class="btn main" href="${frame.base}/feeds/">${icon('bell')}<span>${finding.subscribe}</span></a>`;
  return html`<div class="blank"><h2>${frame.words.nothing}</h2><p>${finding.nothingYet}</p>
<div class="row">${subscribe}</div></div>`;
}
