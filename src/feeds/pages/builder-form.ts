import { html, type Html } from '../../html/template.ts';
import type { Choice, Choices } from '../definition/choices.ts';
import { CANCELLED, VARIANTS, type FeedDefinition } from '../definition/definition.ts';
import type { PageWords } from '../words/page-words.ts';
import type { FeedCatalog } from './feed-catalog.ts';
import { languageInWords } from './subscribing.ts';

type Option = readonly [value: string, name: string];

/**
 * The form that selects the contents of a feed. It works by keyboard and without script, and its result is the page's
 * address.
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
  const places: readonly Option[] = [['', words.anywhere], ...optionsOf(choices?.venue)];
  const organizers: readonly Option[] = [['', words.anybody], ...optionsOf(choices?.organizer)];
  const spoken: readonly Option[] = [
    ['', words.allLanguages],
    ...languages.map((language): Option => [language, languageInWords(words, language)]),
  ];
  return html`<div class="grid">
${select('venue', words.place, places, definition.venue?.[0])}
${select('organizer', words.organizer, organizers, definition.organizer?.[0])}
<label for="search">${words.text}<input id="search" name="search" type="search" value="${definition.search}"></label>
${languages.length > 1 && select('translation_language', words.eventLanguage, spoken, definition.language)}
</div>`;
}

const tagChoice = (words: PageWords, { tags }: FeedDefinition, choices: readonly Choice[] = []): Html | false =>
  choices.length > 0 &&
  html`<details${tags && html` open`}><summary>${words.tags}</summary>${checkboxes('tags', words.tags, choices, tags)}</details>`;

function presentation(words: PageWords, { variant, cancelled }: FeedDefinition): Html {
  const variants = VARIANTS.map((word): Option => [word === 'full' ? '' : word, words.variants[word]]);
  const cancelledEvents = CANCELLED.map((word): Option => [word === 'keep' ? '' : word, words.cancelled[word]]);
  return html`<details${(variant ?? cancelled) && html` open`}><summary>${words.howShown}</summary><div class="grid">
${select('variant', words.variant, variants, variant)}
${select('cancelled', words.cancelledEvents, cancelledEvents, cancelled)}
</div></details>`;
}

const optionsOf = (choices: readonly Choice[] = []): readonly Option[] =>
  choices.map(({ value, name }) => [value, name]);

const select = (
  name: string,
  label: string,
  options: readonly Option[],
  chosen: string | undefined,
): Html => html`<label for="${name}">${label}<select id="${name}" name="${name}">
${options.map(([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`)}</select></label>`;

const SEEN_AT_ONCE = 12;

function checkboxes(
  name: string,
  legend: string,
  choices: readonly Choice[] = [],
  chosen: readonly string[] = [],
): Html | undefined {
  if (choices.length === 0) return undefined;
  // Selected items must be visible in a list that scrolls.
  const isChosen = ({ value }: Choice): boolean => chosen.includes(value);
  const ordered =
    choices.length > SEEN_AT_ONCE
      ? [...choices.filter(isChosen), ...choices.filter((choice) => !isChosen(choice))]
      : choices;
  const boxes = ordered.map((choice, index) => {
    const id = `${name}-${index}`;
    const checked = isChosen(choice) && html` checked`;
    return html`
<label for="${id}"><input id="${id}" type="checkbox" name="${name}" value="${choice.value}"${checked}>${choice.name}</label>`;
  });
  return html`<fieldset><legend>${legend}</legend><div class="choices">${boxes}
</div></fieldset>`;
}
