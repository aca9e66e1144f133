import { html, type Html } from '../../html/template.ts';
import { textFromHtml } from '../../html/text.ts';
import { briefDayInWords, yearOf } from '../pages/frame/dates.ts';
import { mayEdit, mayEditOthers } from '../store/rights.ts';
import { callerOfPerson, type AskedEdit, type EditPage } from './editor.ts';
import { doButton, editForm, editNote } from './form-parts.ts';
import {
  EVENT_LISTS,
  EVENTS_SHOWN,
  ownEvents,
  type EventList,
  type EventsAsked,
  type ListedEvent,
} from './own-events.ts';
import type { EditWords, SaidName, StateWord } from './words/edit-words.ts';
import { startOf } from '../../html/shortened.ts';

const SEARCH_MAX = 200;

/** `/edit/`: the person's events by status or, for editors, everybody's. */
export async function eventsPage(asked: AskedEdit): Promise<EditPage> {
  const { words, db, person, frame, url } = asked;
  const caller = callerOfPerson(person);
  const seesAll = mayEditOthers(caller);
  const wanted = wantedIn(url.searchParams, seesAll);
  const found = await ownEvents(db, caller, wanted);
  const shown = found.slice(0, EVENTS_SHOWN);
  const last = found.length > EVENTS_SHOWN ? shown.at(-1) : undefined;
  const title = wanted.everybodys ? words.everybodys : words.myEvents;
  const entry = (changes: Partial<EventsAsked>, label: string, isHere: boolean): Html => {
    const query = queryOf({ ...wanted, before: undefined, ...changes });
    return html`<li><a class="btn" href="${frame.base}/edit/${query}"${isHere && html` aria-current="page"`}>${label}</a></li>`;
  };
  return {
    title,
    main: html`<h1>${title}</h1>
${saidNote(asked)}
<p><a class="btn main" href="${frame.base}/edit/event/new/">${words.newEvent}</a></p>
<form class="pills" method="get" action="${frame.base}/edit/" role="search" aria-label="${words.search}: ${title}">
<input type="hidden" name="list" value="${wanted.list}">${wanted.everybodys && html`<input type="hidden" name="of" value="all">`}
<label class="vh" for="search">${words.search}</label>
<input id="search" type="search" name="search" value="${wanted.search}" maxlength="${SEARCH_MAX}">
<button>${words.search}</button></form>
<nav aria-label="${title}"><ul class="row">${EVENT_LISTS.map((list) =>
      entry({ list }, words.lists[list], list === wanted.list),
    )}${
      seesAll && entry({ everybodys: !wanted.everybodys }, wanted.everybodys ? words.myEvents : words.everybodys, false)
    }</ul></nav>
${
  shown.length === 0
    ? html`<p class="none">${wanted.search === '' ? words.none : words.notFound}</p>`
    : html`<ul class="rows">${shown.map((event) => eventRow(asked, event, wanted.everybodys))}</ul>`
}
${last && html`<p><a class="btn" href="${frame.base}/edit/${queryOf({ ...wanted, before: last.id })}">${words.older}</a></p>`}`,
  };
}

function wantedIn(query: URLSearchParams, seesAll: boolean): EventsAsked {
  const before = query.get('before') ?? '';
  return {
    list: EVENT_LISTS.find((list) => list === query.get('list')) ?? 'all',
    search: startOf((query.get('search') ?? '').replaceAll('\0', '').trim(), SEARCH_MAX),
    everybodys: seesAll && query.get('of') === 'all',
    before: /^[1-9]\d{0,8}$/.test(before) ? Number(before) : undefined,
  };
}

function queryOf({ list, search, everybodys, before }: EventsAsked): string {
  const query = new URLSearchParams({
    ...(list !== 'all' && { list }),
    ...(search !== '' && { search }),
    ...(everybodys && { of: 'all' }),
    ...(before !== undefined && { before: String(before) }),
  });
  return query.size === 0 ? '' : `?${query}`;
}

/** The notice of what was done before the redirect. Only known names are accepted from the address. */
export function saidNote({ url, words }: Pick<AskedEdit, 'url' | 'words'>): Html | undefined {
  const said = saidIn({ url, words });
  return said === undefined ? undefined : editNote(said);
}

export function saidIn({ url, words }: Pick<AskedEdit, 'url' | 'words'>): string | undefined {
  const name = url.searchParams.get('said') ?? '';
  return Object.hasOwn(words.said, name) ? words.said[name as SaidName] : undefined;
}

const STATE_OF: Readonly<Record<EventList | 'future' | 'private' | 'auto-draft', StateWord>> = {
  all: 'draft',
  draft: 'draft',
  'auto-draft': 'draft',
  pending: 'pending',
  publish: 'publish',
  future: 'future',
  private: 'private',
  trash: 'trash',
};

/** The status of an event as a label. */
export const stateTag = (words: EditWords, status: keyof typeof STATE_OF): Html =>
  html`<span class="tag">${words.states[STATE_OF[status]]}</span>`;

/** An event in a list. */
export function eventRow(asked: AskedEdit, event: ListedEvent, everybodys: boolean): Html {
  const { words, frame } = asked;
  const { id, title, status, start_wall: start, all_day: allDay, note, author_name: author } = event;
  const day = start.slice(0, 10);
  const named = textFromHtml(title) || words.empty;
  const when = `${briefDayInWords(day, frame.language)} ${yearOf(day)}${allDay ? '' : `, ${start.slice(11, 16)}`}`;
  // If an editor has published an event of somebody who may not, only editors can change it.
  const isTheirs = mayEdit(callerOfPerson(asked.person), event);
  return html`<li class="card"><h2>${linkTo(asked, event, isTheirs, named)}</h2>
<p class="dim">${stateTag(words, status)} <time datetime="${start.replace(' ', 'T')}">${when}</time>${
    everybodys && author !== null && html` · ${words.by(author)}`
  }</p>
${note !== null && status === 'draft' && html`<p class="no">${words.sentBackNote(note)}</p>`}
${
  status === 'trash' &&
  isTheirs &&
  editForm(
    asked,
    html`<input type="hidden" name="id" value="${id}">${doButton('restore', html`${words.buttons.restore}<span class="vh">: ${named}</span>`)}`,
    { kind: 'row' },
  )
}</li>`;
}

/** Links the name to the form if this person may change the event, else to its page. */
function linkTo({ frame }: AskedEdit, { id, slug, status }: ListedEvent, isTheirs: boolean, named: string): Html {
  if (isTheirs && status !== 'trash') return html`<a href="${frame.base}/edit/event/${id}/">${named}</a>`;
  return status === 'publish' ? html`<a href="${frame.base}/event/${slug}/">${named}</a>` : html`${named}`;
}
