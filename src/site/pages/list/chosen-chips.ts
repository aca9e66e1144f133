import { safeLink } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import type { Frame } from '../frame/layout.ts';
import { choiceInWords, type NameOf } from './in-words.ts';
import { choicesOf, type Question } from './question.ts';

/** What a line about a selection is made with. */
export interface ChosenLine {
  readonly question: Question;
  readonly nameOf: NameOf;
  /** Where another selection is shown, from the root of the calendar. */
  readonly pathOf: (question: Question) => string;
  readonly today: string;
}

/** ", Film, Music": what a title, which says the time, adds for all else that is chosen. */
export const alsoChosen = (frame: Frame, { question, nameOf, today }: Omit<ChosenLine, 'pathOf'>): string =>
  choicesOf(question)
    .filter(({ kind }) => kind !== 'time')
    .map((choice) => `, ${choiceInWords(frame, nameOf, choice, today)}`)
    .join('');

/** Each thing that is chosen, as a link that takes it off, and one that takes off all of them. */
export function chosenChips(frame: Frame, { question, nameOf, pathOf, today }: ChosenLine, plain: string): Html {
  const { base, words } = frame;
  const { finding } = words;
  const choices = choicesOf(question);
  const chips = choices.map((choice) =>
    chosenLink({ class: 'chip', href: base + pathOf(choice.without) }, [
      choiceInWords(frame, nameOf, choice, today),
      html` <span class="vh">${finding.takeOff}</span><span aria-hidden="true">×</span>`,
    ]),
  );
  return html`${chips.length > 0 && html`<div class="pills" role="group" aria-label="${finding.whatIsChosen}">${chips}</div>`}
${choices.length > 1 && html`<a class="btn quiet" href="${base}${plain}">${finding.clearAll}</a>`}`;
}

/** A link to one of endlessly many choices, which search engines need not follow. */
export const chosenLink = (
  attributes: { readonly class: string; readonly href: string },
  shown: readonly (Html | string)[],
): Html => safeLink({ ...attributes, rel: 'nofollow' }, shown);
