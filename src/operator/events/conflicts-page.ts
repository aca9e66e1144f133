import { countInWords } from '../../count-in-words.ts';
import { safeLink } from '../../html/link.ts';
import { html, type Html } from '../../html/template.ts';
import type { Winner } from '../../run/decisions/settle-event.ts';
import { openConflictsIn, type Conflict, type ConflictingField } from '../../run/events/conflicting-events.ts';
import { configuredIn, conflictStamps, openConflicts } from '../../run/state/open-matters.ts';
import { unitOf } from '../../sync/decisions/settle.ts';
import type { FieldName } from '../../sync/model/fields.ts';
import type { Json } from '../../sync/model/plan.ts';
import type { Asked, Page } from '../frame/operator.ts';
import { crumbs, form, head, linkTo } from '../frame/parts.ts';
import { icon } from '../frame/sprite.ts';
import { moment } from '../frame/times.ts';
import { timesInWords } from './days.ts';
import { clockOf, zoneMark } from './event-clock.ts';
import { alwaysFields, nameOf, PATH, WINNERS } from './conflict-acts.ts';
import { markField, markOf, stampField, type ConflictKey } from './conflict-marks.ts';
import { resultBanners } from './start-and-redirect.ts';
import { markedValue, shownValue } from './field-words.ts';
import { FIELD_LABELS, fieldInWords } from '../frame/field-labels.ts';
import { badgeLetters, eventHref, listContext, type ListContext } from './list-parts.ts';

/** `/conflicts/`: all events that were changed both on the site and in their feed, with a choice for each field. */
export async function conflictsPage(asked: Asked): Promise<Page> {
  const source = asked.url.searchParams.get('source') ?? undefined;
  const { conflicts, more } = await openConflictsIn(asked.operator.context, { source });
  const all = conflicts.length + more;
  const listing = listContext(asked);
  const title =
    all === 0
      ? 'No event is in conflict'
      : `${countInWords(all, 'event was', 'events were')} changed here and in the feed`;
  const keys = html` <span class="keys"
    >Keys: <kbd>1</kbd> the site’s, <kbd>2</kbd> the feed’s, <kbd>j</kbd> next.</span
  >`;
  const said =
    all === 0
      ? 'What was edited on the site and what the feeds say agree, or do not touch each other.'
      : html`Until you decide, the site shows what was typed here.${keys}`;
  return {
    title,
    place: 'todo',
    main: html`${crumbs(asked, [['/', 'To do']])} ${head(title, said)} ${await resultBanners(asked)}
    ${
      conflicts.length > 0 &&
      form(
        asked,
        html`${conflicts.map((conflict, index) => card(listing, conflict, index))}
        ${more > 0 && html`<p>${countInWords(more, 'more', 'more')} when these are settled.</p>`}
        ${
          conflicts.length > 1 &&
          html`<div class="row">
            <button class="go" name="do" value="settle">Settle these ${conflicts.length} as ticked</button>
          </div>`
        }`,
        { path: pathFor(source), kind: 'stack-5' },
      )
    }
    ${await bySource(asked)}`,
  };
}

const pathFor = (source: string | undefined): string =>
  source === undefined ? PATH : `${PATH}?source=${encodeURIComponent(source)}`;

function card(listing: ListContext, conflict: Conflict, index: number): Html {
  const { asked } = listing;
  const { title, source, start, links, notAsked } = conflict;
  const clock = clockOf(asked, conflict);
  const id = `c${index + 1}`;
  const only = linkTo(asked, pathOnly(conflict));
  const pages = [
    links.page !== null && safeLink({ href: links.page }, html`public page ${icon('open')}`),
    links.editor !== null && safeLink({ href: links.editor }, html`edit ${icon('open')}`),
  ].filter((link) => link !== false);
  return html`<section class="box stack" aria-labelledby="${id} ${id}w">
    <input type="hidden" name="${markField(conflict)}" value="${markOf(conflict)}" />
    <div class="row between">
      <h2 id="${id}"><a data-row href="${eventHref(asked, conflict)}">${title}</a></h2>
      <span id="${id}w" class="small dim"
        >${badgeLetters(listing, source)}
        ${source}${start !== '' && ` · ${timesInWords({ start, end: start, allDay: clock.allDay })}${zoneMark(start, clock)}`}${pages.map(
          (link) => html` · ${link}`,
        )}</span
      >
    </div>
    ${notAsked !== null && html`<p class="small">${notAsked}</p>`}
    <fieldset>
      <legend class="vh">${title}</legend>
      <div class="pick">
        <span class="h"></span><span class="h">Both agreed on${agreedWhen(asked, conflict)}</span
        ><span class="h">On the site${changedOn(asked, conflict)}</span
        ><span class="h"
          >In the feed, since ${moment(conflict.since.getTime(), asked.zoneOf(conflict.site), asked.now)}</span
        >
        ${unitsIn(conflict).map((unit) => choice(conflict, unit))}
      </div>
    </fieldset>
    <div class="row">
      <button class="go" name="do" value="settle" formaction="${only}">Settle as ticked</button
      ><button name="do" value="site" formaction="${only}">Keep the site’s</button
      ><button name="do" value="feed" formaction="${only}">Take the feed’s</button>${always(listing, conflict)}
    </div>
  </section>`;
}

function agreedWhen({ zoneOf, now }: Asked, { fields, site }: Conflict): Html | false {
  const at =
    fields
      .map(({ agreedAt }) => agreedAt ?? '')
      .toSorted()
      .at(-1) ?? '';
  return at !== '' && html` · written ${moment(utc(at), zoneOf(site), now)}`;
}

const changedOn = ({ zoneOf, now }: Asked, { changedHere, site }: Conflict): Html | false =>
  changedHere !== null && html` · changed ${moment(utc(changedHere.at), zoneOf(site), now)}`;

/** Parses a time that a site gives in UTC. */
const utc = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

/** The page to settle a single event. */
const pathOnly = ({ source, slug }: ConflictKey): string =>
  `${PATH}?${new URLSearchParams({ only: slug, source }).toString()}`;

/** Groups the fields that are decided together; the form names the first of each group. */
const unitsIn = ({ fields }: Pick<Conflict, 'fields'>): readonly (readonly ConflictingField[])[] => [
  ...Map.groupBy(fields, ({ field }) => unitOf(field, [field])[0]).values(),
];

function choice(conflict: Conflict, unit: readonly ConflictingField[]): Html {
  const [first] = unit;
  if (!first) return html``;
  const { allDay } = conflict;
  const name = nameOf(conflict, first.field);
  const isWhen = unit.length > 1;
  const value = (side: 'agreed' | 'site' | 'feed'): Json | undefined =>
    isWhen ? whenOf(unit, side, allDay) : first[side];
  const both = { was: allDay, is: allDay };
  const option = (side: 'site' | 'feed', label: string): Html => {
    const shown =
      first[side] === undefined
        ? html`<span class="dim">not known now</span>`
        : markedValue(first.field, value('agreed'), value(side), both);
    return html`<label data-l="${label}"
      ><input type="radio" name="${name}" value="${side}" ${side === 'site' && html` checked`} /><span
        >${shown}</span
      ></label
    >`;
  };
  return html`<b>${isWhen ? 'When' : FIELD_LABELS[first.field]}</b
    ><span class="dim" data-l="Before">${shownValue(first.field, value('agreed'), allDay)}</span
    >${option('site', 'The site')}${option('feed', 'The feed')}`;
}

/** Start, end and zone as one text. */
function whenOf(unit: readonly ConflictingField[], side: 'agreed' | 'site' | 'feed', allDay: boolean): string {
  const of = (field: FieldName): Json | undefined => unit.find((each) => each.field === field)?.[side];
  const times = timesInWords({
    start: String(of('start_date') ?? ''),
    end: String(of('end_date') ?? ''),
    allDay: (of('all_day') ?? allDay) === true,
  });
  const zones = new Set(
    unit
      .filter(({ field }) => field === 'timezone')
      .flatMap(({ agreed, site, feed }) => [agreed, site ?? agreed, feed]),
  );
  return zones.size > 1 ? `${times} (${String(of('timezone'))})` : times;
}

/** The setting that makes the decision permanent, with buttons for administrators that write it. */
function always({ asked }: ListContext, conflict: Conflict): Html {
  const { source } = conflict;
  const fields = alwaysFields(conflict.fields);
  const names = fields.map((field) => (field === 'start_date' ? 'times' : fieldInWords(field))).join(' and ');
  const to = linkTo(asked, pathOnly(conflict));
  const block = (who: Winner): Html =>
    html`<pre
        class="code"
        tabindex="0"
        role="region"
        aria-label="${conflict.title}, ${conflict.start}: always the ${who}"
      ><ins>${`sources:\n  ${source}:\n    authority: { ${fields.map((field) => `${field}: ${who}`).join(', ')} }`}</ins></pre>
      ${
        asked.person.role === 'administrator' &&
        html`<button name="do" value="always-${who}" formaction="${to}">
          The ${who}, always: write it, and settle
        </button>`
      }`;
  return html`<details class="menu end">
    <summary class="btn bare">Always so…</summary>
    <div class="stack">
      <p class="small">
        About the ${names} of <b>${source}</b>, one side can always decide. This goes into the configuration file:
      </p>
      ${WINNERS.map(block)}
    </div>
  </details>`;
}

/** Buttons that settle all conflicts of a source, with their number. */
async function bySource(asked: Asked): Promise<Html | false> {
  const query = asked.operator.context.database.query();
  const [stamps, open] = [
    await conflictStamps(query, asked.now),
    await openConflicts(query, configuredIn(asked.operator.context), asked.now),
  ];
  const counts = [...Map.groupBy(open, ({ source }) => source)].filter(([, own]) => own.length > 1);
  if (counts.length === 0) return false;
  return html`<section class="stack gap-5">
    <h2>All of a source</h2>
    ${counts.map(([source, own]) => {
      const to = linkTo(asked, `${PATH}?source=${encodeURIComponent(source)}`);
      return html`<details class="yes">
        <summary class="btn">${source}: all ${own.length}…</summary>
        ${form(
          asked,
          html`<input type="hidden" name="${stampField(source)}" value="${stamps.get(source) ?? ''}" />
            <p class="small">
              This settles all fields in conflict of ${countInWords(own.length, 'event')}. What is written can be undone
              with the run.
            </p>
            <div class="row">
              <button name="do" value="site" formaction="${to}">Keep the site’s, ${own.length} times</button
              ><button name="do" value="feed" formaction="${to}">Take the feed’s, ${own.length} times</button>
            </div>`,
          { path: pathFor(source), kind: 'stack' },
        )}
      </details>`;
    })}
  </section>`;
}
