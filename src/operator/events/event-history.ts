import { inQuotes } from '../../look/words/in-quotes.ts';
import { countInWords } from '../../count-in-words.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import type { Explanation, EventChange } from '../../run/decisions/explain-event.ts';
import { actInWords } from '../../run/watch/acts.ts';
import { inFieldOrder, type FieldName } from '../../sync/model/fields.ts';
import type { Asked } from '../frame/operator.ts';
import { linkTo } from '../frame/parts.ts';
import { icon, type Icon } from '../frame/sprite.ts';
import { moment } from '../frame/times.ts';
import { runPath } from '../sources/paths.ts';
import { isAllDay, type EventView } from './event-view.ts';
import { markedValue, shownValue, valueText, type AllDay } from './field-words.ts';
import { FIELD_LABELS } from '../frame/field-labels.ts';

interface Happened {
  readonly at: number;
  readonly icon: Icon;
  readonly what: Html;
}

/** How many entries are shown unfolded. */
const SHOWN = 12;

/** What runs and people have done to an event, the latest first. */
export function eventHistory({ asked, named, explanation, zone, path }: EventView): Html {
  const happened: readonly Happened[] = [
    ...explanation.runs.map((touch): Happened => ({
      at: touch.at.getTime(),
      icon: 'again',
      what: touchInWords(
        asked,
        touch,
        allDayOf(touch, explanation),
        named.isConfigured && undoLink(asked, path, touch),
      ),
    })),
    ...explanation.acts.map((act): Happened => ({
      at: act.at.getTime(),
      icon: 'person',
      what: html`${actInWords(act)}${act.reason !== null && `: ${inQuotes(act.reason)}`}.
      ${act.run !== null && runLink(asked, act.run)}`,
    })),
    ...changedHere(explanation),
  ].toSorted((one, other) => other.at - one.at);
  const item = ({ at, icon: sign, what }: Happened): Html =>
    html`<li>
      ${icon(sign)}
      <h3>${moment(at, zone, asked.now)}</h3>
      <div>${what}</div>
    </li>`;
  const [first, rest] = [happened.slice(0, SHOWN), happened.slice(SHOWN)];
  if (first.length === 0)
    return html`<p class="small dim">Nothing that is still remembered: runs are kept for 90 days.</p>`;
  return html`<ol class="line">
      ${first.map(item)}
    </ol>
    ${
      rest.length > 0 &&
      html`<details>
        <summary>${countInWords(rest.length, 'more', 'more')}</summary>
        <ol class="line">
          ${rest.map(item)}
        </ol>
      </details>`
    }`;
}

/** A link that shows what undoing a run would do. */
const undoLink = (asked: Asked, path: string, { run, outcome }: EventChange): Html | false =>
  outcome === 'done' &&
  html` ·
    <a href="${linkTo(asked, `${path}${path.includes('?') ? '&' : '?'}undo=${encodeURIComponent(run)}`)}"
      >take it back…</a
    >`;

const runLink = (asked: Asked, run: string): Html => html`<a href="${linkTo(asked, runPath(run))}">run</a>`;

function changedHere({ changedHere: changed, edits }: Explanation): readonly Happened[] {
  if (changed === null) return [];
  const fields = edits.map((field) => FIELD_LABELS[field]).join(', ');
  const at = Date.parse(`${changed.at.replace(' ', 'T')}Z`);
  return [
    {
      at,
      icon: 'person',
      what: html`changed on the site${fields !== '' && `: ${fields}`}. The site does not say by whom; its author there
      is ${changed.author}.`,
    },
  ];
}

const OUTCOMES: Readonly<Record<string, string>> = { refused: 'The site refused it.', failed: 'It failed.' };

/** Takes a field that the run did not change to be as it is now, which a later run may have changed. */
function allDayOf({ changes }: EventChange, explanation: Explanation): AllDay {
  const { from, to } = changes['all_day'] ?? {};
  const now = isAllDay(explanation, 'agreed');
  return { was: (from ?? now) === true, is: (to ?? now) === true };
}

function touchInWords(
  asked: Asked,
  { run, action, fields, changes, because, outcome }: EventChange,
  allDay: AllDay,
  undo: HtmlPart,
): Html {
  const named = inFieldOrder(changes).filter(([field]) => Object.hasOwn(FIELD_LABELS, field));
  const came = outcome === 'done' ? '' : (OUTCOMES[outcome ?? ''] ?? 'Not written yet.');
  return html`${SAID[action]?.(named, allDay.is, fields) ?? action}: ${because}. ${came}
  ${runLink(asked, run)}${undo}${action !== 'create' && details(named, allDay)}`;
}

type Changes = readonly (readonly [string, EventChange['changes'][string]])[];

/** `sent` lists the fields that were written. */
const SAID: Readonly<Record<string, (changes: Changes, allDay: boolean, sent: readonly string[]) => string>> = {
  create: () => 'created',
  remove: (_changes, _allDay, sent) => {
    if (sent.includes('status')) return 'withdrawn';
    return sent.includes('title') ? 'marked as cancelled' : 'taken off';
  },
  update: (changes, allDay) => {
    const [only, ...others] = changes;
    if (!only) return 'written again';
    const to = valueText(only[0], only[1].to, allDay);
    const label = FIELD_LABELS[only[0] as FieldName];
    return others.length === 0 && to !== '' && to.length <= 60
      ? `${label} → ${to}`
      : `changed ${changes.map(([field]) => FIELD_LABELS[field as FieldName].toLowerCase()).join(', ')}`;
  },
};

/** The values that a run replaced. */
function details(changes: Changes, allDay: AllDay): Html | false {
  if (changes.length === 0) return false;
  return html`<details class="small">
    <summary>what was there</summary>
    <dl class="kv">
      ${changes.map(
        ([field, { from, to }]) =>
          html`<dt>${FIELD_LABELS[field as FieldName]}</dt>
            <dd>${to === null ? shownValue(field, from, allDay.was) : markedValue(field, from, to, allDay)}</dd>`,
      )}
    </dl>
  </details>`;
}
