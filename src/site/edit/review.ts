import { html, type Html } from '../../html/template.ts';
import { textFromHtml } from '../../html/text.ts';
import type { Event } from '../../contract/representation.ts';
import type { Sent } from '../../request-bytes.ts';
import { dayInWords } from '../pages/frame/dates.ts';
import { mayEditOthers } from '../store/rights.ts';
import {
  decideSuggestion,
  reopenSuggestion,
  SUGGESTIONS_SHOWN,
  waitingForReview,
  waitingSuggestion,
  waitingSuggestions,
  writeReviewNote,
  type Suggestion,
} from '../store/suggestions.ts';
import { callerOfPerson, tell, type AskedEdit, type EditAnswer } from './editor.ts';
import { idIn, notYours } from './event-acts.ts';
import { eventFormPage } from './event-form.ts';
import { NO_VALUES, paramsOf, plainText, type EventValues } from './event-values.ts';
import { linkedParam } from './stored-event.ts';
import { eventRow, saidNote } from './events-page.ts';
import { doButton, editField, editForm } from './form-parts.ts';
import { EVENTS_SHOWN, ownEvents } from './own-events.ts';

/** Whether somebody reviews what others hand in and suggest. */
export const mayReview = ({ person }: Pick<AskedEdit, 'person'>): boolean => mayEditOthers(callerOfPerson(person));

/** `/edit/review/`: what was handed in and suggested. */
export async function reviewPage(asked: AskedEdit): Promise<EditAnswer> {
  if (!mayReview(asked)) return notYours(asked);
  const { words, db } = asked;
  const everybodys = { list: 'pending', search: '', everybodys: true } as const;
  const [handedIn, suggestions, waiting] = await Promise.all([
    ownEvents(db, callerOfPerson(asked.person), everybodys),
    waitingSuggestions(db),
    waitingForReview(db),
  ]);
  const { review } = words;
  return {
    title: review.title,
    main: html`<h1>${review.title}</h1>
${saidNote(asked)}
<section class="stack" aria-labelledby="handed-in"><h2 id="handed-in">${review.handedIn}</h2>
${
  handedIn.length === 0
    ? html`<p>${review.nothingHandedIn}</p>`
    : html`<ul class="rows">${handedIn.slice(0, EVENTS_SHOWN).map((event) => eventRow(asked, event, true))}</ul>`
}
${moreLine(review.more, waiting.handedIn.count - EVENTS_SHOWN)}</section>
<section class="stack" aria-labelledby="suggested"><h2 id="suggested">${review.suggested}</h2>
${
  suggestions.length === 0
    ? html`<p>${review.nothingSuggested}</p>`
    : html`<ul class="rows">${suggestions.map((suggestion) => suggestionRow(asked, suggestion))}</ul>`
}
${moreLine(review.more, waiting.suggestions.count - SUGGESTIONS_SHOWN)}</section>`,
  };
}

const moreLine = (words: (count: number) => string, count: number): Html | false =>
  count > 0 && html`<p class="dim">${words(count)}</p>`;

function suggestionRow(asked: AskedEdit, { id, fields, email }: Suggestion): Html {
  const { words, frame } = asked;
  const { review } = words;
  const facts: readonly (readonly [name: string, value: string])[] = [
    [words.groups.when, whenInWords(fields, frame.language)],
    [words.fields.venue, fields.venue],
    [words.fields.website, fields.website],
    [review.email, email],
  ];
  const named = html`<span class="vh">: ${fields.title}</span>`;
  return html`<li class="card"><h3>${fields.title}</h3>
<dl>${facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => html`<div><dt class="lab">${name}</dt><dd>${value}</dd></div>`)}</dl>
${fields.description !== '' && html`<p class="typed">${fields.description}</p>`}
${editForm(
  asked,
  html`<input type="hidden" name="id" value="${id}">${doButton('publish', html`${words.buttons.publish}${named}`, { isMain: true })}
<a class="btn" href="${frame.base}/edit/event/new/?suggestion=${id}">${review.changeFirst}${named}</a>
${doButton('refuse', html`${review.refuse}${named}`)}`,
  { kind: 'row' },
)}</li>`;
}

function whenInWords(values: Suggestion['fields'], language: string): string {
  const last =
    values.endDay === '' || values.endDay === values.startDay ? '' : ` – ${dayInWords(values.endDay, language)}`;
  const times = [values.startTime, values.endTime].filter((time) => time !== '').join(' – ');
  return `${dayInWords(values.startDay, language)}${last}${values.allDay || times === '' ? '' : `, ${times}`}`;
}

/** The form of an event that was suggested. */
export const suggestedValues = ({ fields }: Suggestion): EventValues => ({
  ...NO_VALUES,
  ...fields,
  description: plainText(fields.description),
});

/** The suggestion that an address names, for those who may decide on it. */
export async function suggestionIn(asked: AskedEdit, id: string): Promise<Suggestion | undefined> {
  return mayReview(asked) && /^[1-9]\d{0,8}$/.test(id) ? waitingSuggestion(asked.db, Number(id)) : undefined;
}

/** Publishes a suggestion as it is. */
export async function publishSuggestion(asked: AskedEdit, sent: Sent): Promise<EditAnswer> {
  const { db, now } = asked;
  const suggestion = await suggestionIn(asked, sent.field('id'));
  if (!suggestion || !(await decideSuggestion(db, suggestion.id, 'taken', now()))) return notYours(asked);
  const values = suggestedValues(suggestion);
  const told = await tell<Event>(asked, 'POST', '/events', {
    ...paramsOf(values, NO_VALUES),
    venue: await linkedParam(asked, 'venue', values.venue, []),
    status: 'publish',
  });
  if (told.ok) return { to: '/review/?said=published' };
  await reopenSuggestion(db, suggestion.id);
  return eventFormPage(asked, { values, refusal: textFromHtml(told.error.message), status: 422 });
}

/** Refuses a suggestion: it is deleted after some days. */
export async function refuseSuggestion(asked: AskedEdit, sent: Sent): Promise<EditAnswer> {
  const suggestion = await suggestionIn(asked, sent.field('id'));
  const isDone = suggestion && (await decideSuggestion(asked.db, suggestion.id, 'refused', asked.now()));
  return isDone ? { to: '/review/?said=refused' } : notYours(asked);
}

const NOTE_MAX = 1_000;

/** The form that sends an event back to its author. */
export const sendBackForm = (asked: AskedEdit): Html =>
  editForm(
    asked,
    html`${editField({ name: 'note', label: asked.words.review.note, value: '', lines: 2, max: NOTE_MAX, required: true })}
<div>${doButton('sendBack', asked.words.review.sendBack)}</div>`,
    { kind: 'form card' },
  );

/** Sends an event back to its author, as a draft, with a note that says why. */
export async function sendBack(asked: AskedEdit, sent: Sent): Promise<EditAnswer> {
  const id = idIn(asked);
  const told = mayReview(asked) ? await tell(asked, 'POST', `/events/${id}`, { status: 'draft' }) : undefined;
  if (!told?.ok) return notYours(asked);
  const note = sent.field('note').trim().slice(0, NOTE_MAX);
  await writeReviewNote(asked.db, id, note, asked.person.login, asked.now());
  return { to: '/review/?said=sentBack' };
}
