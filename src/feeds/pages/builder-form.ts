import { html, joinHtml, type Html } from '../../html/template.ts';
import { isShortcut, SHORTCUTS } from '../../selection/days.ts';
import type { Selection } from '../../selection/selection.ts';
import { categoryTag, type Mark } from '../../look/category-mark.ts';
import { checkChip } from '../../look/check-chip.ts';
import { categoryOf, type Choice, type ChoiceList, type Choices } from '../definition/choices.ts';
import { CANCELLED, VARIANTS, type FeedDefinition, type Narrowing } from '../definition/definition.ts';
import type { Feed } from '../serve/feed-cache.ts';
import { timeInWords } from '../words/page-language.ts';
import type { PageWords } from '../words/page-words.ts';
import { addressOf } from './addresses.ts';
import type { FeedCatalog } from './feed-catalog.ts';
import { comingOf, dayOfComing, eventsInWords, languageInWords, numberInWords } from './in-words.ts';
import type { Failure } from './page-failure.ts';
import type { PageFrame } from './page-frame.ts';
import { copyField } from './programs.ts';

/** What is chosen, and what that gives. */
export interface Chosen {
  readonly definition: FeedDefinition;
  /** The feed, or why there is none. */
  readonly feed: Feed | Failure;
  readonly choices: Choices | undefined;
  readonly now: number;
}

type Option = readonly [value: string, name: string];

const FIRST_MAX = 3;

/**
 * The form that selects the contents of a feed, and what that gives. It works by keyboard and without script, and its
 * result is the page's address. What an address asks for stays chosen, whoever made it.
 */
export function builderForm(feeds: FeedCatalog, page: Chosen): Html {
  const { words, base, sites } = feeds;
  const { definition, choices, feed } = page;
  const site = sites.find(({ name }) => name === definition.site) ?? sites[0];
  const siteNames = sites.map(({ name }): Option => [name, name]);
  return html`<div class="cols"><form class="form" id="build" method="get" action="${base}/feeds/events#result">
${sites.length > 1 && html`<div class="fields">${select('site', words.calendar, siteNames, site?.name)}</div>`}
${several(words, 'categories', words.categories, words.another, choices?.categories, definition.categories, choices?.mark)}
${several(words, 'venue', words.places, words.anywhere, choices?.venue, definition.venue)}
${several(words, 'organizer', words.organizer, words.anybody, choices?.organizer, definition.organizer)}
${narrowing(feeds, definition, site?.languages ?? [])}
${tagChoice(feeds, definition, choices?.tags)}
${presentation(feeds, definition)}
</form>
${'failure' in feed ? showButton(feeds) : live(feeds, page, feed)}</div>`;
}

const showButton = ({ words }: PageFrame): Html =>
  html`<button class="btn main wide" type="submit" form="build">${words.showResult}</button>`;

/** What is in it, beside the choice; with a script the number and the address follow each choice. */
function live(feeds: FeedCatalog, { now }: Chosen, { definition, stillToCome, coming }: Feed): Html {
  const { words, base, publicUrl } = feeds;
  const first = comingOf(coming, now, FIRST_MAX).map(
    (event) => html`<li><b>${dayOfComing(words, event, now)}</b> ${event.title}</li>`,
  );
  return html`<aside class="card panel live" aria-labelledby="live"><h2 id="live" class="vh">${words.result}</h2>
<p role="status" data-live="${base}/feeds/events?count="><span class="count">${eventsInWords(words, stillToCome)}</span> <b>${words.toCome}</b></p>
${first.length > 0 && html`<ol class="far evs tight">${joinHtml(first, '\n')}</ol>`}
<div class="far"><label class="vh" for="live-address">${words.address}</label>
${copyField(words, 'live-address', publicUrl + addressOf(definition))}</div>
${showButton(feeds)}</aside>`;
}

function narrowing({ words }: PageFrame, definition: FeedDefinition, languages: readonly string[]): Html {
  const spoken: readonly Option[] = [
    ['', words.allLanguages],
    ...languages.map((code): Option => [code, languageInWords(words, code)]),
  ];
  const { search, language, free, time } = definition;
  return html`<div class="pills">${checkChip('free', '1', firstUpper(words.free), free === true)}
${time?.from && checkChip('from', time.from, firstUpper(timeInWords(words, time)), true)}</div>
<div class="fields">
${!time?.from && dayChoice(words, time?.when ?? '')}
<label for="search">${words.text}<input id="search" name="search" type="search" value="${search}"></label>
${languages.length > 1 && select('translation_language', words.eventLanguage, spoken, language)}
</div>`;
}

const firstUpper = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Days by name; a day that was chosen elsewhere can be kept, or taken off. */
function dayChoice(words: PageWords, when: Selection['when']): Html {
  const { label, any, shortcuts } = words.time;
  const day: readonly Option[] =
    when === '' || isShortcut(when) ? [] : [[when, firstUpper(timeInWords(words, { when, from: '' }))]];
  const named = SHORTCUTS.map((shortcut): Option => [shortcut, firstUpper(shortcuts[shortcut])]);
  return select('when', label, [['', any], ...named, ...day], when);
}

const tagChoice = ({ words }: PageFrame, { tags }: FeedDefinition, choices = NONE): Html | false =>
  (choices.first.length > 0 || tags !== undefined) &&
  html`<details${tags && html` open`}><summary>${words.tags}</summary>${several(words, 'tags', words.tags, words.another, choices, tags)}</details>`;

function presentation({ words }: PageFrame, { variant, cancelled }: FeedDefinition): Html {
  const variants = VARIANTS.map((word): Option => [word === 'full' ? '' : word, words.variants[word]]);
  const cancelledEvents = CANCELLED.map((word): Option => [word === 'keep' ? '' : word, words.cancelled[word]]);
  return html`<details${(variant ?? cancelled) && html` open`}><summary>${words.howShown}</summary><div class="fields">
${select('variant', words.variant, variants, variant)}
${select('cancelled', words.cancelledEvents, cancelledEvents, cancelled)}
</div></details>`;
}

const select = (
  name: string,
  label: string,
  options: readonly Option[],
  chosen: string | undefined,
): Html => html`<label for="${name}">${label}<select id="${name}" name="${name}">
${options.map(([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`)}</select></label>`;

/** So many are seen at once; all others are in a menu. */
const CHIPS_MAX: Readonly<Record<Narrowing, number>> = { categories: 40, venue: 16, organizer: 6, tags: 40 };
const NONE: ChoiceList = { first: [], left: 0 };

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

/** Things of which several can be chosen. What is chosen comes first in a long list, so that it is in view. */
function several(
  words: PageWords,
  name: Narrowing,
  legend: string,
  none: string,
  { first: choices, left } = NONE,
  refs: readonly string[] = [],
  mark?: Mark,
): Html | false {
  const wanted = wantedOf(choices, refs);
  const others = choices.filter((choice) => !wanted.includes(choice));
  const isLong = wanted.length + others.length > CHIPS_MAX[name];
  const gone = wanted.filter((choice) => !choices.includes(choice));
  const ordered = isLong ? [...wanted, ...others] : [...choices, ...gone];
  if (ordered.length === 0) return false;
  const count = Math.max(CHIPS_MAX[name], wanted.length);
  const [chips, rest] = [ordered.slice(0, count), ordered.slice(count)];
  const shownOn = (choice: Choice): Html => (mark ? categoryTag(mark, categoryOf(choice)) : html`${choice.name}`);
  const boxes = chips.map((choice) => checkChip(name, choice.value, shownOn(choice), wanted.includes(choice)));
  const menu = html`<label class="vh" for="${name}">${legend}</label><select id="${name}" name="${name}"><option value="">${none}</option>
${rest.map(({ value, name: shown }) => html`<option value="${value}">${shown}</option>`)}</select>`;
  return html`<fieldset><legend>${legend}</legend><div class="pills">${joinHtml(boxes, '\n')}
${rest.length > 0 && menu}</div>${left !== 0 && typed(words, name, left)}</fieldset>`;
}

/** What is not offered is chosen by its name. */
const typed = (words: PageWords, name: Narrowing, left: number | undefined): Html =>
  html`<label for="${name}-name">${words.typeName(left === undefined ? undefined : numberInWords(words, left))}
<input id="${name}-name" name="${name}"></label>`;
