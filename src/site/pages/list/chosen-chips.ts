import { safeLink } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import type { Frame } from '../frame/layout.ts';
import { choiceInWords, type NameOf } from './in-words.ts';
import { choicesOf, type Question } from './question.ts';

/** What a line about a selection is made with. */
export interface ChosenLine {
  readonly question: Question;
  readonly nameOf: NameOf;
  /** The path of a page with another selection. */
  readonly pathOf: (question: Question) => string;
  readonly today: string;
}

/** The part of a title after the time about everything else that is chosen, such as ", Film, Music". */
export const alsoChosen = (frame: Frame, { question, nameOf, today }: Omit<ChosenLine, 'pathOf'>): string =>
  choicesOf(question)
    .filter(({ kind }) => kind !== 'time')
    .map((choice) => `, ${choiceInWords(frame, nameOf, choice, today)}`)
    .join('');

/** Each choice as a link that removes it, and a link that removes all. */
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

/** A link to one of endlessly many selections, which search engines need not follow. */
export const chosenLink = (
  attributes: { readonly class: string; readonly href: string },
  shown: readonly (Html | string)[],
): Html => safeLink({ ...attributes, rel: 'nofollow' }, shown);
