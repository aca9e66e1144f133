import { escapeHtml } from '../../html/references.ts';
import type { Choice, Choices } from '../definition/choices.ts';
import { CANCELLED, VARIANTS, type FeedDefinition } from '../definition/definition.ts';
import type { Feeds } from './feeds.ts';
import { languageInWords } from './subscribing.ts';

type Option = readonly [value: string, name: string];

/** The choice of what is in a feed: a plain form, so that it works by keyboard and without script; its result is the page's address. */
export function builderForm(
  { words, base, sites }: Feeds,
  definition: FeedDefinition,
  choices: Choices | undefined,
): string {
  const site = sites.find(({ name }) => name === definition.site) ?? sites[0];
  const languages = site?.languages ?? [];
  return `<p>${words.chooseHere}</p>
<form method="get" action="${base}/feeds/events#result">
${
  sites.length > 1
    ? `<div class="grid">${select(
        'site',
        words.calendar,
        sites.map(({ name }) => [name, name]),
        site?.name,
      )}</div>`
    : ''
}
${checkboxes('categories', words.categories, choices?.categories ?? [], definition.categories)}
<div class="grid">
${withAny(select('venue', words.place, optionsOf(choices?.venue), definition.venue?.[0]), words.anywhere)}
${withAny(select('organizer', words.organizer, optionsOf(choices?.organizer), definition.organizer?.[0]), words.anybody)}
<label for="search">${words.text}<input id="search" name="search" type="search" value="${escapeHtml(definition.search ?? '')}"></label>
${
  languages.length > 1
    ? withAny(
        select(
          'translation_language',
          words.language1,
          languages.map((language) => [language, languageInWords(words, language)]),
          definition.language,
        ),
        words.allLanguages,
      )
    : ''
}
</div>
${(choices?.tags.length ?? 0) > 0 ? `<details${definition.tags ? ' open' : ''}><summary>${words.tags}</summary>${checkboxes('tags', words.tags, choices?.tags ?? [], definition.tags)}</details>` : ''}
<details${(definition.variant ?? definition.cancelled) ? ' open' : ''}><summary>${words.howShown}</summary><div class="grid">
${select(
  'variant',
  words.variant,
  VARIANTS.map((word) => [word === 'full' ? '' : word, words.variants[word]]),
  definition.variant,
)}
${select(
  'cancelled',
  words.cancelledEvents,
  CANCELLED.map((word) => [word === 'keep' ? '' : word, words.cancelled[word]]),
  definition.cancelled,
)}
</div></details>
<button class="main" type="submit">${words.showResult}</button>
</form>`;
}

const optionsOf = (choices: readonly Choice[] = []): readonly Option[] =>
  choices.map(({ value, name }) => [value, name]);

const select = (
  name: string,
  label: string,
  options: readonly Option[],
  chosen: string | undefined,
): string => `<label for="${name}">${label}<select id="${name}" name="${name}">
${options.map(([value, text]) => `<option value="${escapeHtml(value)}"${value === chosen ? ' selected' : ''}>${escapeHtml(text)}</option>`).join('')}</select></label>`;

const withAny = (html: string, word: string): string =>
  html.replace(/(<select[^>]*>)\n/, `$1\n<option value="">${word}</option>`);

const SEEN_AT_ONCE = 12;

function checkboxes(name: string, legend: string, choices: readonly Choice[], chosen: readonly string[] = []): string {
  if (choices.length === 0) return '';
  // Of a list that has to be scrolled, what is chosen has to be seen.
  const isChosen = ({ value }: Choice): boolean => chosen.includes(value);
  const ordered =
    choices.length > SEEN_AT_ONCE
      ? [...choices.filter(isChosen), ...choices.filter((choice) => !isChosen(choice))]
      : choices;
  return `<fieldset><legend>${legend}</legend><div class="choices">${ordered
    .map(
      ({ value, name: text }, index) => `
<label for="${name}-${index}"><input id="${name}-${index}" type="checkbox" name="${name}" value="${escapeHtml(value)}"${chosen.includes(value) ? ' checked' : ''}>${escapeHtml(text)}</label>`,
    )
    .join('')}
</div></fieldset>`;
}
