import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { monthInWords, monthOf } from '../../sync/review/days.ts';
import { GROUPS } from '../../sync/review/review.ts';
import { labelOfField } from '../frame/field-labels.ts';
import { whenInWords } from './field-values.ts';
import type { ListedAction, ReviewData } from './review-data.ts';
import { startOf } from '../../html/shortened.ts';

/** The properties that a review's events can be filtered by. */
const NAMES = ['only', 'month', 'venue', 'field'] as const;
type Name = (typeof NAMES)[number];

/** The filter of a review, as in addresses and forms; '' means no restriction. */
export type ReviewFilter = Readonly<Record<Name | 'find', string>>;

export const EVERYTHING: ReviewFilter = { only: '', month: '', venue: '', field: '', find: '' };

interface Kind {
  readonly label: string;
  readonly valuesOf: (listed: ListedAction) => readonly string[];
  readonly words: (value: string, today: string) => string;
}

const datesOf = ({ facts, after }: ListedAction): readonly string[] =>
  [facts.start, after?.start ?? ''].filter((start) => start !== '');

const KINDS: Readonly<Record<Name, Kind>> = {
  only: { label: 'Kind', valuesOf: ({ group }) => [group], words: (group) => group },
  month: { label: 'Month', valuesOf: (listed) => datesOf(listed).map(monthOf), words: monthInWords },
  venue: {
    label: 'Venue',
    valuesOf: ({ facts, after }) => [facts.venue, after?.venue ?? ''].filter((venue) => venue !== ''),
    words: (venue) => venue,
  },
  field: {
    label: 'What changes',
    valuesOf: ({ action }) => (action.kind === 'update' ? Object.keys(action.changes) : []),
    words: labelOfField,
  },
};

const TEXT_MAX = 200;

/** The filter of an address or a form. */
export function filterIn(field: (name: string) => string): ReviewFilter {
  const of = (name: keyof ReviewFilter): string => startOf(field(name).trim(), TEXT_MAX);
  return { only: of('only'), month: of('month'), venue: of('venue'), field: of('field'), find: of('find') };
}

/** The events that match a filter. Text is searched in title and date. */
export function filtered(
  { listed, today }: Pick<ReviewData, 'listed' | 'today'>,
  filter: ReviewFilter,
): readonly ListedAction[] {
  const find = filter.find.toLowerCase();
  return listed.filter(
    (each) =>
      NAMES.every((name) => filter[name] === '' || KINDS[name].valuesOf(each).includes(filter[name])) &&
      (find === '' || `${each.action.title} ${datesInWords(each, today)}`.toLowerCase().includes(find)),
  );
}

const datesInWords = (listed: ListedAction, today: string): string =>
  datesOf(listed)
    .map((start) => whenInWords(start, today))
    .join(' ');

/** How many events of a list have each value of a filter. */
export function countedBy(listed: readonly ListedAction[], name: Name): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const each of listed)
    for (const value of new Set(KINDS[name].valuesOf(each))) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** The query string of a filter, with the slugs that are not ticked. */
export function filterQuery(filter: ReviewFilter, except: Iterable<string>): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  for (const slug of except) query.append('except', slug);
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** The maximum number of options in a select. */
const OFFERED_MAX = 40;

function offered(listed: readonly ListedAction[], name: Name): readonly (readonly [value: string, count: number])[] {
  const counts = [...countedBy(listed, name)];
  if (name === 'month') return counts.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return counts.toSorted(([one, own], [other, others]) => others - own || (one < other ? -1 : 1));
}

/** A select for a filter; false if there is no choice. */
function choice({ listed, today }: ReviewData, name: Name, chosen: string): HtmlPart {
  const all = offered(listed, name);
  if (all.length < 2 && chosen === '') return false;
  const { label, words } = KINDS[name];
  const shown = all.slice(0, OFFERED_MAX);
  const more = all.length - shown.length;
  const isMissing = chosen !== '' && !shown.some(([value]) => value === chosen);
  return html`<select class="find" name="${name}" aria-label="${label}">
    <option value="">${label}: all</option>
    ${isMissing && html`<option value="${chosen}" selected>${words(chosen, today)}</option>`}${shown.map(
      ([value, count]) =>
        html`<option value="${value}" ${value === chosen && html` selected`}>
          ${words(value, today)} (${count})
        </option>`,
    )}${more > 0 && html`<option disabled>and ${more} more, to be found by text</option>`}
  </select>`;
}

const CHIP_WORDS = { remove: 'removals', move: 'date or place', change: 'other changes', new: 'new' } as const;

/**
 * The filter inputs of a review. In a form that decides (`isClosed` is false), their buttons keep the ticks; otherwise
 * they are those of a search.
 */
export function filterFields(data: ReviewData, filter: ReviewFilter, isClosed: boolean): Html {
  const counts = countedBy(data.listed, 'only');
  const chip = (value: string, text: string, count: number): Html =>
    html`<button
      class="chip"
      name="${isClosed ? 'only' : 'do'}"
      value="${isClosed ? value : `only-${value}`}"
      ${filter.only === value && html` aria-current="true"`}
    >
      ${text} <b>${count}</b>
    </button>`;
  const kinds = GROUPS.flatMap((group) => {
    const count = counts.get(group) ?? 0;
    return count > 0 || filter.only === group ? [chip(group, CHIP_WORDS[group], count)] : [];
  });
  return html`<div class="row">
      <label class="vh" for="f">Find in this list</label
      ><input
        class="find"
        id="f"
        type="search"
        name="find"
        value="${filter.find}"
        maxlength="${TEXT_MAX}"
        data-filter=".ev"
        placeholder="Title, date, word"
      />${(['month', 'venue', 'field'] as const).map((name) => choice(data, name, filter[name]))}<button
        ${!isClosed && html` name="do" value="filter"`}
      >
        Show
      </button>
    </div>
    ${kinds.length > 1 && html`<div class="chips" role="group" aria-label="Filter the list">${chip('', 'everything', data.listed.length)}${kinds}</div>`}`;
}
