import { html, joinHtml, type Html } from '../../html/template.ts';
import { isShortcut, SHORTCUTS } from '../../selection/days.ts';
import type { Selection } from '../../selection/selection.ts';
import { categoryTag } from '../../look/category-mark.ts';
import { checkChip } from '../../look/check-chip.ts';
import { CHIPS_MAX, picker, type Offer } from '../../look/picker.ts';
import type { PickedKind } from '../../look/words/frame-words.ts';
import { slugOfName } from '../../sync/model/slug.ts';
import { categoryOf, type Choice, type Choices } from '../definition/choices.ts';
import { CANCELLED, VARIANTS, type FeedDefinition, type Narrowing } from '../definition/definition.ts';
import type { Feed } from '../serve/feed-cache.ts';
import { timeInWords } from '../words/page-language.ts';
import type { PageWords } from '../words/page-words.ts';
import { addressOf } from './addresses.ts';
import type { FeedCatalog } from './feed-catalog.ts';
import { dayOfComing, eventsInWords, languageInWords, takingPlace } from './in-words.ts';
import type { Failure } from './page-failure.ts';
import type { PageFrame } from './page-frame.ts';
import { copyField } from './programs.ts';

/** The choices, and the feed that they give. */
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
 * The form that selects the contents of a feed, with the result. It works by keyboard and without script, and its
 * result is the page's address. Filters of an address stay chosen, whoever made it.
 */
export function builderForm(feeds: FeedCatalog, page: Chosen): Html {
  const { words, base, sites } = feeds;
  const { definition, feed } = page;
  const site = sites.find(({ name }) => name === definition.site) ?? sites[0];
  const siteNames = sites.map(({ name }): Option => [name, name]);
  return html`<div class="cols"><form class="form" id="build" method="get" action="${base}/feeds/events#result">
${sites.length > 1 && html`<div class="fields">${select('site', words.calendar, siteNames, site?.name)}</div>`}
${joinHtml([pickerOf(feeds, 'categories', page), pickerOf(feeds, 'venue', page), pickerOf(feeds, 'organizer', page)], '\n')}
${narrowing(feeds, definition, site?.languages ?? [])}
${tagChoice(feeds, page)}
${presentation(feeds, definition)}
</form>
${'failure' in feed ? showButton(feeds) : live(feeds, page, feed)}</div>`;
}

const showButton = ({ words }: PageFrame): Html =>
  html`<button class="btn main wide" type="submit" form="build">${words.showResult}</button>`;

/** The contents, beside the choices; with script, the number and the address follow each choice. */
function live(feeds: FeedCatalog, { now }: Chosen, { definition, stillToCome, coming }: Feed): Html {
  const { words, base, publicUrl } = feeds;
  const first = takingPlace(coming, now, FIRST_MAX).map(
    (event) => html`<li><b>${dayOfComing(words, event, now)}</b> ${event.title}</li>`,
  );
  return html`<aside class="card panel live" aria-labelledby="live"><h2 id="live" class="vh">${words.result}</h2>
<p role="status" data-live="${base}/feeds/events?count="><span class="count">${eventsInWords(words, stillToCome)}</span> <b>${words.toCome}</b></p>
${first.length > 0 && html`<ol class="far evs tight">${joinHtml(first, '\n')}</ol>`}
<div class="far">${copyField(words, { id: 'live-address', label: words.address, text: publicUrl + addressOf(definition), isHidden: true })}</div>
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

/** A choice of named days. A specific day chosen elsewhere can be kept or removed. */
function dayChoice(words: PageWords, when: Selection['when']): Html {
  const { label, any, shortcuts } = words.time;
  const day: readonly Option[] =
    when === '' || isShortcut(when) ? [] : [[when, firstUpper(timeInWords(words, { when, from: '' }))]];
  const named = SHORTCUTS.map((shortcut): Option => [shortcut, firstUpper(shortcuts[shortcut])]);
  return select('when', label, [['', any], ...named, ...day], when);
}

function tagChoice(feeds: FeedCatalog, page: Chosen): Html | false {
  const tags = pickerOf(feeds, 'tags', page);
  return (
    tags !== undefined &&
    html`<details${page.definition.tags && html` open`}><summary>${feeds.look.words.picking.tags.label}</summary>${tags}</details>`
  );
}

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

const KINDS: Readonly<Record<Narrowing, PickedKind>> = {
  categories: 'categories',
  tags: 'tags',
  venue: 'places',
  organizer: 'organizers',
};

function pickerOf({ look, words }: PageFrame, param: Narrowing, { definition, choices }: Chosen): Html | undefined {
  const { first, left } = choices?.[param] ?? { first: [], left: 0 };
  const offerOf = (choice: Choice): Offer => ({
    value: choice.value,
    name: choice.name,
    shown: choices && param === 'categories' ? categoryTag(choices.mark, categoryOf(choice)) : undefined,
    count: '',
  });
  const chosen = wantedOf(first, definition[param] ?? []).map(offerOf);
  const picking = { kind: KINDS[param], param, offers: first.map(offerOf), left, chosen, chips: CHIPS_MAX };
  return picker({ words: look.words, locale: words.locale }, picking);
}

/** Whether an address refers to this choice, by value, slug or name. */
const isNamed = ({ value, slug, name }: Choice, ref: string): boolean =>
  [value, slug, name].includes(ref) || slug === slugOfName(ref);

/** The chosen ones and, for references that are no longer offered, their bare names. */
const wantedOf = (choices: readonly Choice[], refs: readonly string[]): readonly Choice[] => [
  ...choices.filter((choice) => refs.some((ref) => isNamed(choice, ref))),
  ...refs
    .filter((ref) => !choices.some((choice) => isNamed(choice, ref)))
    .map((ref) => ({ value: ref, name: ref, slug: ref })),
];
