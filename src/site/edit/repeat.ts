import type { Event } from '../../contract/representation.ts';
import { sql, type Queryable } from '../../db/database.ts';
import type { Sent } from '../../request-bytes.ts';
import { html, type Html } from '../../html/template.ts';
import { dayAfter, isDay } from '../../time.ts';
import { dayInWords } from '../pages/frame/dates.ts';
import type { EventRow } from '../store/tables.ts';
import { callInterface, type AskedEdit, type EditAnswer } from './editor.ts';
import { idIn, notYours } from './event-acts.ts';
import { eventFormPage } from './event-form.ts';
import { NO_VALUES, paramsOf, type EventValues } from './event-values.ts';
import { doButton, editField, editForm, editNote } from './form-parts.ts';
import { daysBetween, repeatDays, RHYTHMS, type Rhythm } from './repeat-dates.ts';
import { storedEvent, type StoredEvent } from './stored-event.ts';

/** The stored password cannot be copied, so the other dates of a protected event would be public. */
const mayRepeat = ({ row }: StoredEvent): boolean => row.password === '';

/** What the form asks for. */
interface Typed {
  readonly rhythm: Rhythm | undefined;
  readonly until: string;
}

/** The form for repeating an event; undefined if it cannot be repeated. */
export function repeatForm(asked: AskedEdit, stored: StoredEvent, typed?: Typed, fault?: string): Html | undefined {
  if (!mayRepeat(stored)) return undefined;
  const { values } = stored;
  const { repeat } = asked.words;
  const option = (rhythm: Rhythm): Html =>
    html`<option value="${rhythm}"${rhythm === typed?.rhythm && html` selected`}>${repeat.rhythms[rhythm]}</option>`;
  const until = typed?.until ?? dayAfter(values.startDay, 28);
  return html`<details class="card"${fault !== undefined && html` open`}><summary>${repeat.title}</summary>
${editForm(
  asked,
  html`<p class="dim">${repeat.about}</p>
<div class="fields"><div class="field"><label for="rhythm">${repeat.rhythm}</label><select id="rhythm" name="rhythm">${RHYTHMS.map(option)}</select></div>
${editField({ name: 'until', label: repeat.until, value: until, type: 'date', required: true, fault })}</div>
<div>${doButton('repeat', repeat.button)}</div>`,
)}</details>`;
}

/** Creates an event for each date that has none yet, with the status of the original. */
export async function repeat(asked: AskedEdit, sent: Sent): Promise<EditAnswer> {
  const stored = await storedEvent(asked, idIn(asked));
  if (!stored || !mayRepeat(stored)) return notYours(asked);
  const typed = { rhythm: RHYTHMS.find((name) => name === sent.field('rhythm')), until: sent.field('until').trim() };
  const wanted = wantedOf(asked, stored, typed);
  if (wanted.fault !== undefined) return notRepeated(asked, stored, typed, wanted.fault);
  const { words, db } = asked;
  const { days, isCut } = wanted;
  const known = await daysKnown(db, stored.row, days);
  let made = 0;
  for (const day of days.filter((one) => !known.includes(one))) {
    const told = await callInterface<Event>(asked, 'POST', '/events', paramsOn(stored, day));
    if (!told.ok) return again(words.repeat.stopped(made, told.error.message), 422);
    made += 1;
  }
  return again(words.repeat.made(made, known.length, isCut), 200);

  function again(said: string, status: number): Promise<EditAnswer> {
    const { values } = stored ?? { values: NO_VALUES };
    return eventFormPage(asked, { values, stored, said, status, below: stored && repeatForm(asked, stored, typed) });
  }
}

/** Shows the form again with what was typed, and why nothing was created. */
const notRepeated = (asked: AskedEdit, stored: StoredEvent, typed: Typed, fault: string): Promise<EditAnswer> =>
  eventFormPage(asked, {
    values: stored.values,
    stored,
    status: 422,
    above: editNote(`${asked.words.repeat.title}: ${fault}`, 'bad'),
    below: repeatForm(asked, stored, typed, fault),
  });

type Wanted =
  | { readonly days: readonly string[]; readonly isCut: boolean; readonly fault?: undefined }
  | { readonly fault: string };

/** The dates requested, or why there are none. */
function wantedOf({ words, frame }: AskedEdit, { values }: StoredEvent, { rhythm, until }: Typed): Wanted {
  if (rhythm === undefined) return { fault: words.faults.refused };
  const last = AFTER_ALL.test(until) ? LAST_DAY : until;
  if (!isDay(last)) return { fault: words.faults[until === '' ? 'missing' : 'noDay'] };
  const wanted = repeatDays(values.startDay, rhythm, last);
  const [first] = repeatDays(values.startDay, rhythm, LAST_DAY).days;
  if (wanted.days.length > 0) return wanted;
  return {
    fault: first === undefined ? words.faults.refused : words.repeat.tooSoon(dayInWords(first, frame.language)),
  };
}

/** For "no end", people type a day beyond the calendar's last one. */
const AFTER_ALL = /^[3-9]\d{3}-\d\d-\d\d$/;
const LAST_DAY = '2999-12-31';

/** The days that already have the event at the same place, so that a form sent twice creates nothing twice. */
async function daysKnown(db: Queryable, row: EventRow, days: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct to_char(start_wall, 'YYYY-MM-DD') as day from site.events
    where start_wall = any (${days.map((day) => `${day} ${row.start_wall.slice(11)}`)}::timestamp[])
      and title = ${row.title} and venue_ids = ${row.venue_ids} and status <> 'trash'`.execute(db);
  return rows.map(({ day }) => day);
}

/** All parameters of the original, moved to another day. */
function paramsOn({ values, row, event }: StoredEvent, day: string): Readonly<Record<string, unknown>> {
  const moved = daysBetween(values.startDay, day);
  const on: EventValues = { ...values, startDay: day, endDay: dayAfter(values.endDay, moved) };
  return {
    ...paramsOf(on, NO_VALUES),
    timezone: row.timezone,
    excerpt: row.excerpt,
    status: row.status,
    // If the original is to be published later, so are its dates.
    ...(row.status === 'future' && { date: event.date }),
    venue: row.venue_ids,
    organizer: row.organizer_ids,
    tags: event.tags.map(({ id }) => id),
    ...(row.image_id !== null && { image: String(row.image_id) }),
    featured: row.featured,
    hide_from_listings: row.hide_from_listings,
  };
}
