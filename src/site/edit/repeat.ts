import type { Event } from '../../contract/representation.ts';
import { sql, type Queryable } from '../../db/database.ts';
import type { Sent } from '../../request-bytes.ts';
import { html, type Html } from '../../html/template.ts';
import { dayAfter, isDay } from '../../time.ts';
import type { EventRow } from '../store/tables.ts';
import { tell, type AskedEdit, type EditAnswer } from './editor.ts';
import { idIn, notYours } from './event-acts.ts';
import { eventFormPage } from './event-form.ts';
import { NO_VALUES, paramsOf, type EventValues } from './event-values.ts';
import { doButton, editField, editForm } from './form-parts.ts';
import { daysBetween, repeatDays, RHYTHMS, type Rhythm } from './repeat-dates.ts';
import { storedEvent, type StoredEvent } from './stored-event.ts';

/** Nobody knows the password of an event, so its other dates would be there for everybody. */
const mayRepeat = ({ row }: StoredEvent): boolean => row.password === '';

/** The form that repeats an event; undefined for one that cannot be. */
export function repeatForm(asked: AskedEdit, stored: StoredEvent): Html | undefined {
  if (!mayRepeat(stored)) return undefined;
  const { values } = stored;
  const { repeat } = asked.words;
  return html`<details class="card"><summary>${repeat.title}</summary>
${editForm(
  asked,
  html`<p class="dim">${repeat.about}</p>
<div class="fields"><div class="field"><label for="rhythm">${repeat.rhythm}</label><select id="rhythm" name="rhythm">${RHYTHMS.map(
    (rhythm) => html`<option value="${rhythm}">${repeat.rhythms[rhythm]}</option>`,
  )}</select></div>
${editField({ name: 'until', label: repeat.until, value: dayAfter(values.startDay, 28), type: 'date', required: true })}</div>
<div>${doButton('repeat', repeat.button)}</div>`,
)}</details>`;
}

/** Makes an event of its own for each date that there is none for yet, in the state of the first. */
export async function repeat(asked: AskedEdit, sent: Sent): Promise<EditAnswer> {
  const stored = await storedEvent(asked, idIn(asked));
  if (!stored || !mayRepeat(stored)) return notYours(asked);
  const { words, db } = asked;
  const rhythm = RHYTHMS.find((name) => name === sent.field('rhythm'));
  const until = sent.field('until');
  const { days, isCut } = rhythm && isDay(until) ? daysOf(stored, rhythm, until) : NO_DAYS;
  const known = days.length > 0 ? await daysKnown(db, stored.row, days) : [];
  const wanted = days.filter((day) => !known.includes(day));
  let made = 0;
  for (const day of wanted) {
    const told = await tell<Event>(asked, 'POST', '/events', paramsOn(stored, day));
    if (!told.ok) return again(words.repeat.stopped(made, told.error.message), 422);
    made += 1;
  }
  return again(words.repeat.made(made, known.length, isCut), made + known.length === 0 ? 422 : 200);

  function again(said: string, status: number): Promise<EditAnswer> {
    const { values } = stored ?? { values: NO_VALUES };
    return eventFormPage(asked, { values, stored, said, status });
  }
}

const NO_DAYS = { days: [], isCut: false };
const daysOf = ({ values }: StoredEvent, rhythm: Rhythm, until: string) => repeatDays(values.startDay, rhythm, until);

/** The days on which there is such an event already: a form that is sent twice makes nothing twice. */
async function daysKnown(db: Queryable, row: EventRow, days: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ day: string }>`
    select to_char(start_wall, 'YYYY-MM-DD') as day from site.events
    where start_wall = any (${days.map((day) => `${day} ${row.start_wall.slice(11)}`)}::timestamp[])
      and title = ${row.title} and status <> 'trash'`.execute(db);
  return rows.map(({ day }) => day);
}

/** All that the first one has, on another day. */
function paramsOn({ values, row, event }: StoredEvent, day: string): Readonly<Record<string, unknown>> {
  const moved = daysBetween(values.startDay, day);
  const on: EventValues = { ...values, startDay: day, endDay: dayAfter(values.endDay, moved) };
  return {
    ...paramsOf(on, NO_VALUES),
    timezone: row.timezone,
    excerpt: row.excerpt,
    status: row.status,
    // What is published later is so on each of its dates.
    ...(row.status === 'future' && { date: event.date }),
    venue: row.venue_ids,
    organizer: row.organizer_ids,
    tags: event.tags.map(({ id }) => id),
    ...(row.image_id !== null && { image: String(row.image_id) }),
    featured: row.featured,
    hide_from_listings: row.hide_from_listings,
  };
}
