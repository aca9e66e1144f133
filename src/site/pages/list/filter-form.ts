import { html, type Html } from '../../../html/template.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { checkChip } from '../../../look/check-chip.ts';
import { icon } from '../../../look/icons.ts';
import { SHORTCUTS } from '../../../selection/days.ts';
import { LISTS, type ListName } from '../../../selection/selection.ts';
import type { Facet, Facets } from '../../store/coming-facets.ts';
import { categoryTag } from '../../../look/category-mark.ts';
import type { Frame } from '../frame/layout.ts';
import { languageName, collatorIn, numberInWords, plainName } from './in-words.ts';
import { choicesOf, type Question } from './question.ts';

/** The form that all choices of a list belong to, wherever they stand. */
export const FORM = 'filter';

/** The shortcuts to days: each press sends all other choices, too. */
export function dayPills({ words: { finding } }: Frame, { when, from }: Question): Html {
  const pill = (value: string, name: string): Html => {
    const pressed = String(value === when && from === '');
    return html`<button form="${FORM}" name="when" value="${value}" aria-pressed="${pressed}">${name}</button>`;
  };
  // The hidden field is before the buttons, so that the one that is pressed comes later.
  return html`<input type="hidden" form="${FORM}" name="when" value="${when}">
<div class="pills" role="group" aria-label="${finding.days}">${pill('', finding.allComing)}${SHORTCUTS.map((shortcut) =>
    pill(shortcut, finding.shortcuts[shortcut]),
  )}
<label class="vh" for="from">${finding.fromThisDay}</label>
<input id="from" form="${FORM}" type="date" name="from" value="${from}"></div>`;
}

const unchosen = new WeakMap<Facets, { readonly frame: Frame; readonly form: Html }>();

/** The form for all else that can be chosen. As long as nothing of it is, it is the same on all pages, and made once. */
export function filterForm(frame: Frame, question: Question, facets: Facets): Html {
  const chosen = choicesOf(question).filter(({ kind }) => kind !== 'time' && kind !== 'search').length;
  if (chosen > 0 || question.everyDate) return formOf(frame, question, facets, chosen);
  const known = unchosen.get(facets);
  if (known?.frame === frame) return known.form;
  const form = formOf(frame, question, facets, chosen);
  unchosen.set(facets, { frame, form });
  return form;
}

function formOf(frame: Frame, question: Question, facets: Facets, chosen: number): Html {
  const { base, words } = frame;
  const { finding } = words;
  const field = fieldsOf(frame, question, facets);
  return html`<form class="filter" id="${FORM}" role="search" action="${base}/">
<input type="checkbox" id="fold" class="vh">
<label for="fold" class="btn fold">${icon('funnel')}${finding.choose}${chosen > 0 && ` · ${finding.chosen(chosen)}`}</label>
<div class="more">${field('categories', words.categories, finding.anotherCategory)}
<div class="line">${field('places', finding.place, finding.anywhere)}
${field('organizers', finding.organizer, finding.anybody)}
${field('tags', words.tags, finding.anyTag)}
${languageSelect(frame, question)}
${checkChip('free', '1', finding.free, question.free)}
${checkChip('series', 'all', finding.everyDate, question.everyDate)}
<button>${words.show}</button></div></div>
</form>`;
}

// So many are seen at once, the most frequent ones; all others, and those of the other kinds, are in a menu.
const CHIPS_MAX = 16;
const OPTIONS_MAX = 150;

/** A kind of thing that several can be chosen of: as chips, and a menu for what has no chip. */
function fieldsOf(frame: Frame, question: Question, facets: Facets) {
  const byName = collatorIn(frame.language).compare;
  const counted = (facet: Facet): string =>
    facets.isWhole && facet.count > 0 ? numberInWords(frame, facet.count) : '';
  const chip = (kind: ListName, facet: Facet, isChosen: boolean): Html => {
    const shown = kind === 'categories' ? categoryTag(frame.mark, facet) : sanitized(facet.name);
    const count = counted(facet);
    const counts = count !== '' && html` <small>${count}</small>`;
    return checkChip(LISTS[kind], facet.slug, html`${shown}${counts}`, isChosen);
  };
  const option = (facet: Facet, isChosen: boolean): Option => {
    const count = counted(facet);
    return [facet.slug, `${plainName(facet.name)}${count === '' ? '' : ` (${count})`}`, isChosen];
  };
  return (kind: ListName, label: string, none: string): Html | undefined => {
    const [wanted, offered] = [question[kind], facets[kind]];
    const chosen = wanted.map(
      (slug) => offered.find((facet) => facet.slug === slug) ?? { slug, name: escaped(slug), count: 0 },
    );
    const isChosen = ({ slug }: Facet): boolean => wanted.includes(slug);
    const others = offered.filter((facet) => !isChosen(facet));
    const isMenu = kind !== 'categories';
    const single = isMenu && chosen.length === 1 ? chosen : [];
    const chips = [...(single.length > 0 ? [] : chosen), ...(isMenu ? [] : others.slice(0, CHIPS_MAX))];
    const listed = (isMenu ? others : others.slice(CHIPS_MAX)).slice(0, OPTIONS_MAX);
    const left = others.length - listed.length - (isMenu ? 0 : Math.min(CHIPS_MAX, others.length));
    const options = [...single, ...listed].toSorted((a, b) => byName(a.name, b.name));
    const group =
      chips.length > 0 &&
      html`<div class="pills" role="group" aria-label="${label}">${chips
        .toSorted((a, b) => byName(a.name, b.name))
        .map((facet) => chip(kind, facet, isChosen(facet)))}</div>`;
    const menu =
      options.length > 0 &&
      select(
        LISTS[kind],
        label,
        none,
        options.map((facet) => option(facet, isChosen(facet))),
        left > 0 ? frame.words.finding.further(numberInWords(frame, left)) : undefined,
      );
    return html`${group}${menu}`;
  };
}

/** A name that is no HTML as one that is. */
const escaped = (text: string): string => html`${text}`.markup;

type Option = readonly [value: string, shown: string, isChosen: boolean];

function languageSelect(frame: Frame, { language }: Question): Html | undefined {
  const { finding } = frame.words;
  const codes = [...new Set([...frame.settings.languages, language])].filter((code) => code !== '');
  return codes.length < 2 && language === ''
    ? undefined
    : select(
        'language',
        finding.language,
        finding.anyLanguage,
        codes.map((code) => [code, languageName(code, frame), code === language]),
      );
}

const select = (name: string, label: string, none: string, options: readonly Option[], more?: string): Html =>
  html`<label class="vh" for="${name}">${label}</label>
<select id="${name}" name="${name}"><option value="">${none}</option>${options.map(
    ([value, shown, isChosen]) => html`<option value="${value}"${isChosen && html` selected`}>${shown}</option>`,
  )}${more !== undefined && html`<option disabled>${more}</option>`}</select>`;
