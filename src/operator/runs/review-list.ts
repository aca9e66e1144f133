import { clocksOf, timeBy, type Clocks } from '../events/event-clock.ts';
import { eventHref } from '../events/list-parts.ts';
import { countInWords, grouped } from '../../count-in-words.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { inFieldOrder } from '../../sync/model/fields.ts';
import { GROUPS, type Group } from '../../sync/review/review.ts';
import type { Asked } from '../frame/operator.ts';
import { row, table } from '../frame/table.ts';
import { dayOf } from '../../sync/review/days.ts';
import { labelOfField } from '../frame/field-labels.ts';
import { changeInWords, markedChange, whenInWords } from './field-values.ts';
import type { ListedAction, ReviewData } from './review-data.ts';
import type { ReviewFilter } from './review-filter.ts';

/** How many events of a plan are on a page. With a changed text in each, they make up 110 kB of a page's 150 kB. */
export const ROWS_MAX = 60;
/** How many events of a long group are unfolded. */
const OPEN_MAX = 8;

interface GroupWords {
  readonly title: string;
  readonly sign: Html;
  readonly aside: string;
  /** What a ticked event will undergo, for screen readers. */
  readonly verb: string;
}

const GROUP_WORDS: Readonly<Record<Group, GroupWords>> = {
  remove: {
    title: 'Removed',
    sign: html`<span class="r">−</span>`,
    aside: 'back with one click',
    verb: 'Take off',
  },
  move: {
    title: 'Date or place changed',
    sign: html`<span class="c">~</span>`,
    aside: 'subscribers see it in their calendar',
    verb: 'Move',
  },
  change: {
    title: 'Other changes',
    sign: html`<span class="c">~</span>`,
    aside: 'text, picture, price',
    verb: 'Change',
  },
  new: { title: 'New', sign: html`<span class="a">+</span>`, aside: 'shown to visitors at once', verb: 'Add' },
};

/** How a list is shown. */
export interface ListOptions {
  /** Slugs of events that are not ticked. */
  readonly except: ReadonlySet<string>;
  /** Whether it is too late to decide. */
  readonly isClosed: boolean;
  /** Counted from 0. */
  readonly page: number;
  readonly filter: ReviewFilter;
}

/** The events on a page of a list. */
export const pageOf = (listed: readonly ListedAction[], page: number): readonly ListedAction[] =>
  listed.slice(page * ROWS_MAX, (page + 1) * ROWS_MAX);

/** The events of a plan in their groups, removals first; `found` are those that the filter leaves. */
export function reviewList(
  asked: Asked,
  { listed, today, zone, run: { site } }: ReviewData,
  options: ListOptions,
  found: readonly ListedAction[],
): readonly HtmlPart[] {
  const shown = pageOf(found, options.page);
  return GROUPS.map((group) => {
    const own = shown.filter((each) => each.group === group);
    const all = listed.filter((each) => each.group === group).length;
    return own.length > 0 && groupSection(asked, group, { own, all, today, zone, site }, options);
  });
}

interface Own {
  readonly own: readonly ListedAction[];
  readonly all: number;
  readonly today: string;
  /** The zone of the site. */
  readonly zone: string;
  /** The key of the events' site. */
  readonly site: string;
}

function groupSection(asked: Asked, group: Group, { own, all, ...here }: Own, options: ListOptions): Html {
  const { title, sign, aside } = GROUP_WORDS[group];
  const { today } = here;
  const row = (each: ListedAction): Html => eventRow(asked, each, here, options);
  const open = own.length > OPEN_MAX + 2 ? own.slice(0, OPEN_MAX) : own;
  const folded = own.slice(open.length);
  const [first, last] = [folded[0], folded.at(-1)];
  const isTicked = own.some(({ action }) => !options.except.has(action.slug));
  const ticks =
    !options.isClosed &&
    html`<label class="tick" hidden
      ><input type="checkbox" data-all="${group}" ${isTicked && html` checked`} aria-label="All: ${title}"
    /></label>`;
  return html`<section class="grp" aria-labelledby="g-${group}">
    <div class="row">
      ${ticks}
      <h2 id="g-${group}">
        <span class="delta" aria-hidden="true">${sign}</span>${title}
        <span class="dim">${own.length < all ? `${grouped(own.length)} of ${grouped(all)}` : grouped(all)}</span>
      </h2>
      <span class="small dim end">${aside}</span>
    </div>
    <ul>
      ${open.map(row)}
    </ul>
    ${
      first &&
      last &&
      html`<details>
        <summary class="btn bare">
          ${grouped(folded.length)} more, ${shortDay(first, today)} to ${shortDay(last, today)}
        </summary>
        <ul>
          ${folded.map(row)}
        </ul>
      </details>`
    }
  </section>`;
}

const shortDay = ({ facts, after }: ListedAction, today: string): string =>
  whenInWords(after?.start ?? facts.start, today).split(',')[0] ?? '';

function eventRow(
  asked: Asked,
  listed: ListedAction,
  { today, zone, site }: Pick<Own, 'today' | 'zone' | 'site'>,
  options: ListOptions,
): Html {
  const { action, group, facts } = listed;
  const { slug, title } = action;
  const isOut = options.except.has(slug);
  const clocks = clocksOf(action, listed.entry, zone);
  const when = whenInWords(facts.start, today, clocks.was);
  const tick =
    !options.isClosed &&
    html`<label class="tick"
      ><input
        type="checkbox"
        name="${group}"
        value="${slug}"
        ${!isOut && html` checked`}
        aria-label="${GROUP_WORDS[group].verb} ${title}, ${when}"
    /></label>`;
  return html`<li class="ev${isOut && ' out'}">
    ${tick}${action.kind === 'update' ? changedEvent(listed, today, clocks) : plainEvent(asked, site, listed, when)}
  </li>`;
}

function plainEvent(asked: Asked, site: string, { action, group }: ListedAction, when: string): Html {
  const { slug, title, because } = action;
  const name =
    group === 'remove'
      ? html`<a data-row class="gone-t" href="${eventHref(asked, { slug, site })}"
          >${title}<span class="vh">, held: would be removed</span></a
        >`
      : html`<b data-row tabindex="-1">${title}</b>`;
  return html`<div class="l">${name}<span class="num">${when}</span><span class="small dim">${because}</span></div>`;
}

/** How many changed fields of an event are shown in full. */
const FIELDS_MAX = 12;

function changedEvent(listed: ListedAction, today: string, clocks: Clocks): Html {
  const { action } = listed;
  if (action.kind !== 'update') return html``;
  const fields = inFieldOrder(action.changes);
  const columns = ['Field', 'What changes', 'Who had it last'];
  const rows = fields.slice(0, FIELDS_MAX).map(([field, change]) => {
    const by = listed.entry?.fields[field as keyof NonNullable<typeof listed.entry>['fields']]?.by;
    return row(columns, [
      labelOfField(field),
      markedChange(field, change, clocks),
      by === 'person' ? 'a person, on the site' : 'the feed',
    ]);
  });
  const more = fields.length - rows.length;
  return html`<details>
    <summary class="l" data-row>
      <b>${action.title}</b><span class="num">${whenChanged(listed, today, clocks)}</span
      ><span class="small dim">${changeInWords(action).join(', ')}</span>
    </summary>
    <div class="in">
      ${table(`What changes of ${action.title}`, columns, rows)}
      ${
        more > 0 &&
        html`<p class="small dim">And ${countInWords(more, 'field')} more: <code>calsyncd show</code> lists them.</p>`
      }
    </div>
  </details>`;
}

/** The date of an event, with what changes in it marked. */
function whenChanged({ facts, after }: ListedAction, today: string, { was, is }: Clocks): HtmlPart {
  const before = whenInWords(facts.start, today, was);
  const now = after === undefined ? before : whenInWords(after.start, today, is);
  if (after === undefined || now === before) return before;
  const [from, to] = [timeBy(facts.start, was), timeBy(after.start, is)];
  return dayOf(after.start) === dayOf(facts.start) && from !== '' && to !== ''
    ? html`${before.slice(0, before.lastIndexOf(','))}, <del>${from}</del> <ins>${to}</ins>`
    : html`<del>${before}</del> <ins>${now}</ins>`;
}
