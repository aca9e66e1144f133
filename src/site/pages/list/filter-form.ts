import { html, type Html } from '../../../html/template.ts';
import { checkChip } from '../../../look/check-chip.ts';
import { icon } from '../../../look/icons.ts';
import { CHIPS_MAX, picker } from '../../../look/picker.ts';
import { SHORTCUTS } from '../../../selection/days.ts';
import type { ListName } from '../../../selection/selection.ts';
import type { Facets } from '../../store/coming-facets.ts';
import type { Frame } from '../frame/layout.ts';
import { languageName } from './in-words.ts';
import { penOf, pickingOf } from './offers.ts';
import { choicesOf, type Question } from './question.ts';

/** The id of the form to which all filters of a list belong, wherever they are placed. */
export const FORM = 'filter';

/** The buttons for common ranges of days. Each also submits all other filters. */
export function dayPills({ words: { finding } }: Frame, { when, from }: Question): Html {
  const pill = (value: string, name: string): Html => {
    const pressed = String(value === when && from === '');
    return html`<button form="${FORM}" name="when" value="${value}" aria-pressed="${pressed}">${name}</button>`;
  };
  // The hidden field precedes the buttons, so that the pressed one comes later and wins.
  return html`<input type="hidden" form="${FORM}" name="when" value="${when}">
<div class="pills" role="group" aria-label="${finding.days}">${pill('', finding.allComing)}${SHORTCUTS.map((shortcut) =>
    pill(shortcut, finding.shortcuts[shortcut]),
  )}
<label class="vh" for="from">${finding.fromThisDay}</label>
<input id="from" form="${FORM}" type="date" name="from" value="${from}"></div>`;
}

const unchosen = new WeakMap<Facets, { readonly frame: Frame; readonly form: Html }>();

/** The form for all other filters. Without a choice it is the same on all pages, and made once. */
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
  const pick = (kind: ListName, chips = 0): Html | undefined =>
    picker(penOf(frame), { ...pickingOf(frame, kind, facets, question[kind]), chips });
  return html`<form class="filter" id="${FORM}" role="search" action="${base}/">
<input type="checkbox" id="fold" class="vh">
<label for="fold" class="btn fold">${icon('funnel')}${finding.choose}${chosen > 0 && ` · ${finding.chosen(chosen)}`}</label>
<div class="more">${pick('categories', CHIPS_MAX)}
<div class="line">${[pick('places'), pick('organizers'), pick('tags')]}
${languageSelect(frame, question)}
${checkChip('free', '1', finding.free, question.free)}
${checkChip('series', 'all', finding.everyDate, question.everyDate)}
<button>${words.show}</button></div></div>
</form>`;
}

function languageSelect(frame: Frame, { language }: Question): Html | undefined {
  const { finding } = frame.words;
  const codes = [...new Set([...frame.settings.languages, language])].filter((code) => code !== '');
  const options = codes.map(
    (code) =>
      html`<option value="${code}"${code === language && html` selected`}>${languageName(code, frame)}</option>`,
  );
  return codes.length < 2 && language === ''
    ? undefined
    : html`<label class="vh" for="language">${finding.language}</label>
<select id="language" name="language"><option value="">${finding.anyLanguage}</option>${options}</select>`;
}
