import { clocksOf, type Clocks, type EventClock } from '../events/event-clock.ts';
import { eventHref } from '../events/list-parts.ts';
import { html, type Html } from '../../html/template.ts';
import { inFieldOrder } from '../../sync/model/fields.ts';
import { countInWords, grouped } from '../../count-in-words.ts';
import type { Batch } from '../../run/state/batches.ts';
import type { EventAction, Json, LedgerEntry, Outcome } from '../../sync/model/plan.ts';
import { isRevival } from '../../sync/model/values-before.ts';
import { dayInWords, dayOf } from '../../sync/review/days.ts';
import { wallFromInstant } from '../../time.ts';
import type { Asked } from '../frame/operator.ts';
import { row, table } from '../frame/table.ts';
import { messageHtml } from '../sources/message-html.ts';
import { labelOfField } from '../frame/field-labels.ts';
import { changeInWords, markedChange, minutesMoved, whenInWords } from './field-values.ts';

/** An event that a run has written, or was going to write. */
export interface WrittenEvent {
  readonly action: EventAction;
  /** Null if it was not written; absent in a plan that is only looked at. */
  readonly outcome?: Outcome | null;
  /** The resulting ledger entry; an action contains only part of it. */
  readonly entry?: LedgerEntry | undefined;
}

/** The events of a run's batches, in order. */
export const eventsOf = (batches: readonly Batch[]): readonly WrittenEvent[] =>
  batches.flatMap(({ items, outcomes }) =>
    items.flatMap(({ action, change }, index) =>
      action.resource === 'events' ? [{ action, outcome: outcomes[index] ?? null, entry: change?.entry }] : [],
    ),
  );

/** How many rows are shown. */
const ROWS_MAX = 60;
/** From this number on, events with the same change share a row. */
const ALIKE_MIN = 3;

interface Row {
  readonly events: readonly WrittenEvent[];
}

const COLUMNS = ['Event', 'When', 'What'];
const WITH_WHY = [...COLUMNS, 'Why'];

/**
 * A table of what a run did to events, or would do; those with the same change share a row. `why` is the reason that
 * the page gives already, which is not repeated for each event.
 */
export function writtenTable(
  asked: Asked,
  site: string,
  events: readonly WrittenEvent[],
  { caption = 'What the run did', why }: { readonly caption?: string; readonly why?: string } = {},
): Html {
  const columns = events.every(({ action }) => action.because === why) ? COLUMNS : WITH_WHY;
  const rows = rowsOf(events);
  const zone = asked.zoneOf(site);
  const today = dayOf(wallFromInstant(asked.now, zone));
  const shown = rows.slice(0, ROWS_MAX);
  return html`${table(
    caption,
    columns,
    shown.map((each) => writtenRow(asked, site, each, { today, zone, columns })),
  )}
  ${
    rows.length > shown.length &&
    html`<p class="small dim">
      And ${countInWords(rows.length - shown.length, 'row')} more: <code>calsyncd show</code> lists all of them.
    </p>`
  }`;
}

function rowsOf(events: readonly WrittenEvent[]): readonly Row[] {
  const groups = [...Map.groupBy(events, likeness).values()];
  return groups.flatMap((own): readonly Row[] =>
    own.length >= ALIKE_MIN ? [{ events: own }] : own.map((each) => ({ events: [each] })),
  );
}

/** Equal for events that can share a row. */
const likeness = ({ action, outcome }: WrittenEvent): string =>
  JSON.stringify([action.kind, action.because, outcome?.kind ?? null, whatChanges(action)]);

/** What has to match: for updates by how much times move, and the other values; otherwise the title. */
function whatChanges(action: EventAction): readonly unknown[] {
  if (action.kind !== 'update' || isRevival(action)) return [action.title];
  const others = Object.entries(action.changes).filter(([field]) => field !== 'start_date' && field !== 'end_date');
  return [minutesMoved(action), 'start_date' in action.changes || 'end_date' in action.changes, others];
}

interface Here {
  readonly today: string;
  /** The zone of the site. */
  readonly zone: string;
  readonly columns: readonly string[];
}

function writtenRow(asked: Asked, site: string, { events }: Row, { today, zone, columns }: Here): Html | false {
  const [first] = events;
  if (first === undefined) return false;
  const { action, outcome, entry } = first;
  const clocks = clocksOf(action, entry, zone);
  const isOnlyPlanned = outcome === undefined && action.kind === 'create';
  const link = isOnlyPlanned
    ? html`<b data-row tabindex="-1">${action.title}</b>`
    : html`<a data-row href="${eventHref(asked, { slug: action.slug, site })}">${action.title}</a>`;
  const name = events.length === 1 ? link : html`${grouped(events.length)} events, such as ${link}`;
  const failure = outcome && outcome.kind !== 'done' ? outcome.problem.message : '';
  const what = html`<span class="any-break">${whatOf(action, clocks, events.length > 1)}</span>${
      outcome === null && html`<br /><span class="small dim">not written</span>`
    }${failure !== '' && html`<br /><span class="small">${messageHtml(asked, failure, site)}</span>`}`;
  const cells = [whenOf(events, today, clocks.is), what, action.because].slice(0, columns.length - 1);
  return row(columns, [name, ...cells]);
}

/** The time of a single event, or the range of days of several. */
function whenOf(events: readonly WrittenEvent[], today: string, clock: EventClock): string {
  const starts = events.map(startOf).toSorted();
  const [first = '', last = ''] = [starts[0], starts.at(-1)];
  if (events.length === 1) return whenInWords(first, today, clock);
  return first === '' || last === '' ? '' : `${dayInWords(dayOf(first), today)} to ${dayInWords(dayOf(last), today)}`;
}

function startOf({ action, entry }: WrittenEvent): string {
  const { fields } = action;
  const known = entry?.fields.start_date?.feed;
  const values: readonly (Json | undefined)[] =
    action.kind === 'update'
      ? [action.changes['start_date']?.to, fields['start_date'], known]
      : [fields['start_date'], action.kind === 'remove' ? action.before['start_date'] : undefined, known];
  const start = values.find((value) => typeof value === 'string');
  return typeof start === 'string' ? start : '';
}

const FIELDS_MAX = 3;

function whatOf(action: EventAction, clocks: Clocks, isOfMany: boolean): Html {
  if (action.kind === 'create') return html`<span class="delta"><span class="a">+ new</span></span>`;
  if (action.kind === 'remove') return html`<span class="delta"><span class="r">− removed</span></span>`;
  if (isRevival(action)) return html`<span class="delta"><span class="a">+ back</span></span>`;
  const isMoved = 'start_date' in action.changes || 'end_date' in action.changes;
  if (isOfMany && isMoved) return html`${changeInWords(action).join(', ')}`;
  const fields = inFieldOrder(action.changes);
  return html`${fields
    .slice(0, FIELDS_MAX)
    .map(
      ([field, change], index) =>
        html`${index > 0 && html`<br />`}<span class="dim">${labelOfField(field)}:</span>
          ${markedChange(field, change, clocks)}`,
    )}${
    fields.length > FIELDS_MAX &&
    html`<br /><span class="dim">and ${countInWords(fields.length - FIELDS_MAX, 'more field')}</span>`
  }`;
}
