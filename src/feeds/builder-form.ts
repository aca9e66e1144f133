import { escapeHtml } from '../html.ts';
import type { Choice, Choices } from './choices.ts';
import { CANCELLED, VARIANTS, type FeedDefinition } from './definition.ts';
import type { FeedsOfSite } from './feeds.ts';
import { languageInWords } from './subscribing.ts';

type Option = readonly [value: string, name: string];

/** The choice of what is in a feed: a plain form, so that it works by keyboard and without script; its result is the page's address. */
export function builderForm(definition: FeedDefinition, choices: Choices | undefined, sites: readonly FeedsOfSite[]): string {
  const site = sites.find(({ name }) => name === definition.site) ?? sites[0];
  const languages = site?.languages ?? [];
  return `<p>Choose, and look at the result below. Nothing chosen means everything.</p>
<form method="get" action="/feeds/events#result">
${sites.length > 1 ? `<div class="grid">${select('site', 'Calendar', sites.map(({ name }) => [name, name]), site?.name)}</div>` : ''}
${checkboxes('categories', 'Categories', choices?.categories ?? [], definition.categories)}
<div class="grid">
${withAny(select('venue', 'Place', optionsOf(choices?.venue), definition.venue?.[0]), 'Anywhere')}
${withAny(select('organizer', 'Organizer', optionsOf(choices?.organizer), definition.organizer?.[0]), 'Anybody')}
<label for="search">With these words<input id="search" name="search" type="search" value="${escapeHtml(definition.search ?? '')}"></label>
${languages.length > 1 ? withAny(select('translation_language', 'Language', languages.map((language) => [language, languageInWords(language)]), definition.language), 'All') : ''}
</div>
${(choices?.tags.length ?? 0) > 0 ? `<details${definition.tags ? ' open' : ''}><summary>Tags</summary>${checkboxes('tags', 'Tags', choices?.tags ?? [], definition.tags)}</details>` : ''}
<details${definition.variant ?? definition.cancelled ? ' open' : ''}><summary>How it is shown</summary><div class="grid">
${select('variant', 'Variant', VARIANTS.map((word) => [word === 'full' ? '' : word, VARIANT_WORDS[word]]), definition.variant)}
${select('cancelled', 'Cancelled events', CANCELLED.map((word) => [word === 'keep' ? '' : word, CANCELLED_WORDS[word]]), definition.cancelled)}
</div></details>
<button class="main" type="submit">Show events and address</button>
</form>`;
}

const VARIANT_WORDS = { full: 'With pictures and formatted texts', lite: 'Small: text alone', google: 'For Google Calendar: formatted texts' };
const CANCELLED_WORDS = { keep: 'Marked as cancelled', hide: 'Left out', title: 'Said in the title too' };

const optionsOf = (choices: readonly Choice[] = []): readonly Option[] => choices.map(({ value, name }) => [value, name]);

const select = (name: string, label: string, options: readonly Option[], chosen: string | undefined): string => `<label for="${name}">${label}<select id="${name}" name="${name}">
${options.map(([value, text]) => `<option value="${escapeHtml(value)}"${value === chosen ? ' selected' : ''}>${escapeHtml(text)}</option>`).join('')}</select></label>`;

const withAny = (html: string, word: string): string => html.replace(/(<select[^>]*>)\n/, `$1\n<option value="">${word}</option>`);

const SEEN_AT_ONCE = 12;

function checkboxes(name: string, legend: string, choices: readonly Choice[], chosen: readonly string[] = []): string {
  if (choices.length === 0) return '';
  // Of a list that has to be scrolled, what is chosen has to be seen.
  const isChosen = ({ value }: Choice): boolean => chosen.includes(value);
  const ordered = choices.length > SEEN_AT_ONCE ? [...choices.filter(isChosen), ...choices.filter((choice) => !isChosen(choice))] : choices;
  return `<fieldset><legend>${legend}</legend><div class="choices">${ordered.map(({ value, name: text }, index) => `
<label for="${name}-${index}"><input id="${name}-${index}" type="checkbox" name="${name}" value="${escapeHtml(value)}"${chosen.includes(value) ? ' checked' : ''}>${escapeHtml(text)}</label>`).join('')}
</div></fieldset>`;
}
