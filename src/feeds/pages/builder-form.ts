import { html, type Html } from '../../html/template.ts';
import { isShortcut, SHORTCUTS } from '../../selection/days.ts';
import type { Choice, Choices } from '../definition/choices.ts';
import { CANCELLED, VARIANTS, type FeedDefinition } from '../definition/definition.ts';
import { timeInWords } from '../words/page-language.ts';
import type { PageWords } from '../words/page-words.ts';
import type { FeedCatalog } from './feed-catalog.ts';
import { languageInWords } from './subscribing.ts';

type Option = readonly [value: string, name: string];

/**
 * The form that selects the contents of a feed. It works by keyboard and without script, and its result is the page's
 * address. What an address asks for stays chosen, whoever made it.
 */
export function builderForm(
  { words, base, sites }: FeedCatalog,
  definition: FeedDefinition,
  choices: Choices | undefined,
): Html {
  const site = sites.find(({ name }) => name === definition.site) ?? sites[0];
  const siteNames = sites.map(({ name }): Option => [name, name]);
  return html`<p>${words.chooseHere}</p>
<form method="get" action="${base}/feeds/events#result">
${sites.length > 1 && html`<div class="grid">${select('site', words.calendar, siteNames, site?.name)}</div>`}
${checkboxes('categories', words.categories, choices?.categories, definition.categories)}
${narrowing(words, definition, choices, site?.languages ?? [])}
${tagChoice(words, definition, choices?.tags)}
${presentation(words, definition)}
<button class="main" type="submit">${words.showResult}</button>
</form>`;
}

function narrowing(
  words: PageWords,
  definition: FeedDefinition,
  choices: Choices | undefined,
  languages: readonly string[],
): Html {
  const spoken: readonly Option[] = [
    ['', words.allLanguages],
    ...languages.map((language): Option => [language, languageInWords(words, language)]),
  ];
  return html`${several('venue', words.place, words.anywhere, choices?.venue, definition.venue)}
${several('organizer', words.organizer, words.anybody, choices?.organizer, definition.organizer)}
<div class="grid">
${timeChoice(words, definition)}
<label for="search">${words.text}<input id="search" name="search" type="search" value="${definition.search}"></label>
${languages.length > 1 && select('translation_language', words.eventLanguage, spoken, definition.language)}
</div>
${checkbox('free', '1', words.free, definition.free === true)}`;
}

const firstUpper = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Days by name; a day that was chosen elsewhere can be kept, or taken off. */
function timeChoice(words: PageWords, { time = { when: '', from: '' } }: FeedDefinition): Html {
  const { label, any, shortcuts } = words.time;
  const { when, from } = time;
  if (from !== '') return checkbox('from', from, firstUpper(timeInWords(words, time)), true);
  const day: readonly Option[] = when === '' || isShortcut(when) ? [] : [[when, firstUpper(timeInWords(words, time))]];
  const named = SHORTCUTS.map((shortcut): Option => [shortcut, firstUpper(shortcuts[shortcut])]);
  return select('when', label, [['', any], ...named, ...day], when);
}

const tagChoice = (words: PageWords, { tags }: FeedDefinition, choices: readonly Choice[] = []): Html | false =>
  (choices.length > 0 || tags !== undefined) &&
  html`<details${tags && html` open`}><summary>${words.tags}</summary>${checkboxes('tags', words.tags, choices, tags)}</details>`;

function presentation(words: PageWords, { variant, cancelled }: FeedDefinition): Html {
  const variants = VARIANTS.map((word): Option => [word === 'full' ? '' : word, words.variants[word]]);
  const cancelledEvents = CANCELLED.map((word): Option => [word === 'keep' ? '' : word, words.cancelled[word]]);
  return html`<details${(variant ?? cancelled) && html` open`}><summary>${words.howShown}</summary><div class="grid">
${select('variant', words.variant, variants, variant)}
${select('cancelled', words.cancelledEvents, cancelledEvents, cancelled)}
</div></details>`;
}

/** A choice that an address names by value, slug or name. */
const isNamed = ({ value, slug, name }: Choice, refs: readonly string[]): boolean =>
  [value, slug, name].some((ref) => refs.includes(ref));

/** The choices that are wanted and, of what is wanted without being a choice any more, the bare name. */
function wantedOf(choices: readonly Choice[], refs: readonly string[]): readonly Choice[] {
  const unknown = refs.filter((ref) => !choices.some((choice) => isNamed(choice, [ref])));
  return [
    ...choices.filter((choice) => isNamed(choice, refs)),
    ...unknown.map((ref) => ({ value: ref, name: ref, slug: ref })),
  ];
}

/** A menu for one of many; what was chosen beyond one stays as boxes. */
function several(
  name: string,
  label: string,
  none: string,
  choices: readonly Choice[] = [],
  refs: readonly string[] = [],
): Html {
  const wanted = wantedOf(choices, refs);
  const [only] = wanted.length === 1 ? wanted : [];
  const listed = only && !choices.includes(only) ? [...choices, only] : choices;
  const options: readonly Option[] = [['', none], ...listed.map(({ value, name: shown }): Option => [value, shown])];
  return html`${wanted.length > 1 && checkboxes(name, label, wanted, refs)}
<div class="grid">${select(name, label, options, only?.value)}</div>`;
}

const select = (
  name: string,
  label: string,
  options: readonly Option[],
  chosen: string | undefined,
): Html => html`<label for="${name}">${label}<select id="${name}" name="${name}">
${options.map(([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`)}</select></label>`;

const checkbox = (name: string, value: string, shown: string, isChecked: boolean): Html =>
  html`<label for="${name}"><input id="${name}" type="checkbox" name="${name}" value="${value}"${isChecked && html` checked`}> ${shown}</label>`;

const SEEN_AT_ONCE = 12;

function checkboxes(
  name: string,
  legend: string,
  choices: readonly Choice[] = [],
  chosen: readonly string[] = [],
): Html | undefined {
  const wanted = wantedOf(choices, chosen);
  const all = [...choices, ...wanted.filter((choice) => !choices.includes(choice))];
  if (all.length === 0) return undefined;
  // Selected items must be visible in a list that scrolls.
  const isChosen = (choice: Choice): boolean => wanted.includes(choice);
  const ordered = all.length > SEEN_AT_ONCE ? [...wanted, ...all.filter((choice) => !isChosen(choice))] : all;
  const boxes = ordered.map((choice, index) => {
    const id = `${name}-${index}`;
    const checked = isChosen(choice) && html` checked`;
    return html`
<label for="${id}"><input id="${id}" type="checkbox" name="${name}" value="${choice.value}"${checked}>${choice.name}</label>`;
  });
  return html`<fieldset><legend>${legend}</legend><div class="choices">${boxes}
</div></fieldset>`;
}
