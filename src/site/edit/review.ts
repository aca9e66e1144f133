import { safeLink } from '../../html/link.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { textFromHtml } from '../../html/text.ts';
import type { Event } from '../../contract/representation.ts';
import type { Sent } from '../../request-bytes.ts';
import { dayInWords } from '../pages/frame/dates.ts';
import { mayEditOthers } from '../store/rights.ts';
import {
  decidedSuggestions,
  decideSuggestion,
  reopenSuggestion,
  SUGGESTIONS_SHOWN,
  waitingForReview,
  waitingSuggestion,
  waitingSuggestions,
  writeReviewNote,
  writeSuggestedEvent,
  type DecidedSuggestion,
  type Suggestion,
} from '../store/suggestions.ts';
import { callerOfPerson, callInterface, type AskedEdit, type EditAnswer } from './editor.ts';
import { idIn, notYours, publishLinked } from './event-acts.ts';
import { eventFormPage } from './event-form.ts';
import { NO_VALUES, paramsOf, plainText, type EventValues } from './event-values.ts';
import { linkedParam } from './linked.ts';
import { eventRow, saidNote, stateTag } from './events-page.ts';
import { doButton, editField, editForm, editNote } from './form-parts.ts';
import { EVENTS_SHOWN, ownEvents } from './own-events.ts';
import { storedEvent } from './stored-event.ts';

/** Whether this person reviews submitted events and suggestions. */
export const mayReview = ({ person }: Pick<AskedEdit, 'person'>): boolean => mayEditOthers(callerOfPerson(person));

/** `/edit/review/`: submitted events and suggestions. */
export async function reviewPage(asked: AskedEdit, problem?: string): Promise<EditAnswer> {
  if (!mayReview(asked)) return notYours(asked);
  const { words, db } = asked;
  const everybodys = { list: 'pending', search: '', everybodys: true } as const;
  const [handedIn, suggestions, decided, waiting] = await Promise.all([
    ownEvents(db, callerOfPerson(asked.person), everybodys),
    waitingSuggestions(db),
    decidedSuggestions(db),
    waitingForReview(db),
  ]);
  const { review } = words;
  return {
    title: review.title,
    ...(problem !== undefined && { status: 422 }),
    main: html`<h1>${review.title}</h1>
${problem === undefined ? saidNote(asked) : editNote(problem, 'bad')}
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
${moreLine(review.more, waiting.suggestions.count - SUGGESTIONS_SHOWN)}</section>
${decidedPart(asked, decided)}`,
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
<a class="btn" href="${frame.base}/edit/event/new/?suggestion=${id}">${review.changeFirst}${named}</a>`,
  { kind: 'row' },
)}
<details><summary>${review.refuse}${named}</summary>
${editForm(
  asked,
  html`<input type="hidden" name="id" value="${id}">
${editField({ name: 'reason', id: `reason-${id}`, label: review.reason, value: '', lines: 2, max: NOTE_MAX })}
<p class="dim">${email === '' ? review.nobodyToTell : review.nothingSent}</p>
<div class="row">${doButton('refuse', html`${review.refuse}${named}`)} ${writeLink(asked, email, fields.title)}</div>`,
)}</details></li>`;
}

/** The suggestions decided on recently, by whom and why. */
function decidedPart(asked: AskedEdit, decided: readonly DecidedSuggestion[]): Html | false {
  const { review } = asked.words;
  const more = (decided[0]?.all ?? 0) - decided.length;
  return (
    decided.length > 0 &&
    html`<details class="card"><summary>${review.decided}</summary>
<ul class="rows">${decided.map((one) => decidedRow(asked, one))}</ul>
${more > 0 && html`<p class="dim">${review.moreDecided(more)}</p>`}</details>`
  );
}

function decidedRow(asked: AskedEdit, suggestion: DecidedSuggestion): Html {
  const { id, title, email, state, by, reason, event } = suggestion;
  const { words, frame } = asked;
  const { review } = words;
  const named = html`<span class="vh">: ${title}</span>`;
  const mail = writeLink(asked, email, title);
  const page =
    event && event.status !== 'trash' ? html`<a href="${frame.base}/edit/event/${event.id}/">${title}</a>` : title;
  return html`<li><p><strong>${page}</strong> <span class="dim">${review[state](by)}</span> ${
    event && stateTag(words, event.status)
  }</p>
${reason !== '' && html`<p class="typed">${reason}</p>`}
${
  state === 'refused'
    ? editForm(
        asked,
        html`<input type="hidden" name="id" value="${id}">${doButton('reopen', html`${review.takeUp}${named}`)}
${mail}`,
        { kind: 'row' },
      )
    : mail && html`<p class="row">${mail}</p>`
}</li>`;
}

/** Opens the reader's own mail program; nothing is sent from here. */
const writeLink = ({ words }: AskedEdit, email: string, title: string): HtmlPart =>
  email !== '' &&
  safeLink(
    { href: mailTo(email, title), class: 'btn quiet' },
    html`${words.review.write(email)}<span class="vh">: ${title}</span>`,
  );

/** The address was validated on arrival, but its characters could still have a meaning in a link. */
const mailTo = (email: string, subject: string): string =>
  `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}?subject=${encodeURIComponent(subject)}`;

function whenInWords(values: Suggestion['fields'], language: string): string {
  const last =
    values.endDay === '' || values.endDay === values.startDay ? '' : ` – ${dayInWords(values.endDay, language)}`;
  const times = [values.startTime, values.endTime].filter((time) => time !== '').join(' – ');
  return `${dayInWords(values.startDay, language)}${last}${values.allDay || times === '' ? '' : `, ${times}`}`;
}

/** Fills the form of an event from a suggestion. */
export const suggestedValues = ({ fields }: Suggestion): EventValues => ({
  ...NO_VALUES,
  ...fields,
  description: plainText(fields.description),
});

/** Finds the waiting suggestion with an id, for people who may decide on it. */
export async function suggestionIn(asked: AskedEdit, id: string): Promise<Suggestion | undefined> {
  return mayReview(asked) && /^[1-9]\d{0,8}$/.test(id) ? waitingSuggestion(asked.db, Number(id)) : undefined;
}

/** Publishes a suggestion unchanged. */
export async function publishSuggestion(asked: AskedEdit, sent: Sent): Promise<EditAnswer> {
  const { db, now, person } = asked;
  const suggestion = await suggestionIn(asked, sent.field('id'));
  if (!suggestion || !(await decideSuggestion(db, suggestion.id, { state: 'taken', by: person.login }, now())))
    return notYours(asked);
  const values = suggestedValues(suggestion);
  const told = await callInterface<Event>(asked, 'POST', '/events', {
    ...paramsOf(values, NO_VALUES),
    venue: await linkedParam(asked, 'venue', values.venue, []),
    status: 'publish',
  });
  if (told.ok) {
    await publishLinked(asked, told.value);
    await writeSuggestedEvent(db, suggestion.id, told.value.id);
    return { to: '/review/?said=published' };
  }
  await reopenSuggestion(db, suggestion.id, 'taken');
  return eventFormPage(asked, { values, refusal: textFromHtml(told.error.message), status: 422 });
}

/** Refuses a suggestion, which is deleted some days later. Nobody is notified. */
export async function refuseSuggestion(asked: AskedEdit, sent: Sent): Promise<EditAnswer> {
  const { db, now, person } = asked;
  const suggestion = await suggestionIn(asked, sent.field('id'));
  const reason = noteIn(sent, 'reason');
  if (reason === undefined) return reviewPage(asked, asked.words.faults.tooLong);
  const isDone =
    suggestion && (await decideSuggestion(db, suggestion.id, { state: 'refused', by: person.login, reason }, now()));
  return isDone ? { to: '/review/?said=refused' } : notYours(asked);
}

/** Puts a refused suggestion back in the queue. */
export async function takeUpSuggestion(asked: AskedEdit, sent: Sent): Promise<EditAnswer> {
  const id = idIn({ params: { id: sent.field('id') } });
  const isDone = mayReview(asked) && (await reopenSuggestion(asked.db, id, 'refused'));
  return isDone ? { to: '/review/?said=takenUp' } : notYours(asked);
}

const NOTE_MAX = 1_000;

/** A note from a form; undefined if it is too long. */
function noteIn(sent: Sent, name: string): string | undefined {
  const note = sent.field(name).replace(/\r\n?/g, '\n').trim();
  return note.length > NOTE_MAX ? undefined : note;
}

/** The form for sending an event back to its author. */
export const sendBackForm = (asked: AskedEdit, note = '', fault?: string): Html =>
  editForm(
    asked,
    html`${editField({ name: 'note', label: asked.words.review.note, value: note, lines: 2, max: NOTE_MAX, required: true, fault })}
<div>${doButton('sendBack', asked.words.review.sendBack)}</div>`,
    { kind: 'form card' },
  );

/** Sends an event back to its author as a draft, with a note that says why. */
export async function sendBack(asked: AskedEdit, sent: Sent): Promise<EditAnswer> {
  const id = idIn(asked);
  const note = noteIn(sent, 'note');
  if (!note) return sentBackAgain(asked, sent);
  const told = mayReview(asked) ? await callInterface(asked, 'POST', `/events/${id}`, { status: 'draft' }) : undefined;
  if (!told?.ok) return notYours(asked);
  await writeReviewNote(asked.db, id, note, asked.person.login, asked.now());
  return { to: '/review/?said=sentBack' };
}

/** Shows the form again: without a note the author would not know what to change. */
async function sentBackAgain(asked: AskedEdit, sent: Sent): Promise<EditAnswer> {
  const stored = mayReview(asked) ? await storedEvent(asked, idIn(asked)) : undefined;
  if (!stored) return notYours(asked);
  const note = sent.field('note');
  const fault = asked.words.faults[note.trim() === '' ? 'missing' : 'tooLong'];
  return eventFormPage(asked, {
    values: stored.values,
    stored,
    status: 422,
    above: sendBackForm(asked, note, fault),
  });
}
