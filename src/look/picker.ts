import { html, joinHtml, type Html } from '../html/template.ts';
import { checkChip } from './check-chip.ts';
import { compareIn } from './compare-names.ts';
import type { FrameWords, PickedKind } from './words/frame-words.ts';

/** Something that can be chosen, several at a time. */
export interface Offer {
  /** The value in the address. */
  readonly value: string;
  /** Plain text, used for sorting. */
  readonly name: string;
  /** The label of the chip, if it is more than the text. */
  readonly shown?: Html | undefined;
  /** The number of its events in words; '' if not shown. */
  readonly count: string;
}

export interface Picking {
  readonly kind: PickedKind;
  /** The parameter of the form. */
  readonly param: string;
  /** The most wanted first. */
  readonly offers: readonly Offer[];
  /** How many more there are than are offered; undefined if unknown. */
  readonly left: number | undefined;
  /** What is chosen, whether it is offered or not. */
  readonly chosen: readonly Offer[];
  /** How many are shown as chips. */
  readonly chips: number;
}

/** The language of a picker; `locale` determines how names are sorted. */
export interface Pen {
  readonly words: FrameWords;
  readonly locale: string;
}

/** The maximum number of chips, if there is room for them; all others are in a menu. */
export const CHIPS_MAX = 16;
const OPTIONS_MAX = 50;

/**
 * Items of one kind to choose from: the most wanted and the chosen ones as chips, others in a menu, both sorted by
 * name. Anything else is chosen by typing its name. Undefined if there is nothing to choose. Without chips, a single
 * chosen item is selected in the menu.
 */
export function picker({ words, locale }: Pen, picking: Picking): Html | undefined {
  const { kind, param, offers, chosen } = picking;
  const { label, any } = words.picking[kind];
  const isChosen = ({ value }: Offer): boolean => chosen.some((one) => one.value === value);
  const others = offers.filter((offer) => !isChosen(offer));
  const inMenu = picking.chips === 0 && chosen.length === 1 ? chosen : [];
  const inView = [...(inMenu.length > 0 ? [] : chosen), ...others.slice(0, picking.chips)];
  const options = [...inMenu, ...others.slice(picking.chips, picking.chips + OPTIONS_MAX)];
  const beyond = Math.max(0, others.length - picking.chips - OPTIONS_MAX);
  const left = picking.left === undefined ? undefined : picking.left + beyond;
  if (inView.length + options.length === 0 && left === 0) return undefined;
  const sorted = (some: readonly Offer[]): readonly Offer[] =>
    some.toSorted((a, b) => compareIn(locale)(a.name, b.name));
  const chips = sorted(inView).map((offer) => checkChip(param, offer.value, onChip(offer), isChosen(offer)));
  const menu = html`<label class="vh" for="${param}">${label}</label>
<select id="${param}" name="${param}"><option value="">${any}</option>${sorted(options).map(
    (offer) => html`<option value="${offer.value}"${isChosen(offer) && html` selected`}>${inList(offer)}</option>`,
  )}</select>`;
  const number = left?.toLocaleString(locale);
  return html`<fieldset><legend>${label}</legend><div class="pills">${joinHtml(chips, '\n')}
${options.length > 0 && menu}${left !== 0 && typed(`${param}-name`, words.typeName(number))}</div></fieldset>`;
}

const onChip = ({ name, shown, count }: Offer): Html =>
  html`${shown ?? name}${count !== '' && html` <small>${count}</small>`}`;
const inList = ({ name, count }: Offer): string => (count === '' ? name : `${name} (${count})`);

const typed = (param: string, label: string): Html =>
  html`<label for="${param}">${label} <input id="${param}" name="${param}"></label>`;
