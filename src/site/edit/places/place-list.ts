import { html, type Html } from '../../../html/template.ts';
import { textFromHtml } from '../../../html/text.ts';
import type { AskedEdit, EditPage } from '../editor.ts';
import { saidNote } from '../events-page.ts';
import { doButton, editForm } from '../form-parts.ts';
import {
  LINKED_LISTS,
  LINKED_SHOWN,
  listedLinked,
  nameOfLinked,
  theirsAmong,
  type Linked,
  type LinkedName,
} from '../linked.ts';
import { newPlaceWords } from './place-form.ts';
import { startOf } from '../../../html/shortened.ts';

interface Wanted {
  readonly search: string;
  readonly isTrash: boolean;
  readonly page: number;
}

/** `/edit/venues/` and `/edit/organizers/`: the newest first, or those matching a search. */
export const placesPage =
  (kind: LinkedName) =>
  async (asked: AskedEdit): Promise<EditPage> => {
    const { words, frame } = asked;
    const wanted = wantedIn(asked.url.searchParams);
    const { search, isTrash, page } = wanted;
    const { found, total, pages } = await listedLinked(asked, kind, {
      page: String(page),
      ...(search !== '' && { search }),
      ...(isTrash && { status: 'trash' }),
    });
    const theirs = await theirsAmong(asked, kind, found);
    const title = words.places[LINKED_LISTS[kind]];
    const path = `${frame.base}/edit/${LINKED_LISTS[kind]}/`;
    const link = (label: string, changes: Partial<Wanted>, isHere = false): Html =>
      html`<a class="btn" href="${path}${queryOf({ ...wanted, ...changes })}"${isHere && html` aria-current="page"`}>${label}</a>`;
    const from = (page - 1) * LINKED_SHOWN;
    return {
      title,
      main: html`<h1>${title}</h1>
${saidNote(asked)}
<p><a class="btn main" href="${path}new/">${words.places[newPlaceWords[kind]]}</a></p>
<form class="pills" method="get" role="search" aria-label="${words.search}: ${title}">${isTrash && html`<input type="hidden" name="list" value="trash">`}
<label class="vh" for="search">${words.search}</label>
<input id="search" type="search" name="search" value="${search}" maxlength="${SEARCH_MAX}"> <button>${words.search}</button></form>
<nav aria-label="${title}"><ul class="row">${[false, true].map(
        (trash) =>
          html`<li>${link(words.lists[trash ? 'trash' : 'all'], { isTrash: trash, page: 1 }, trash === isTrash)}</li>`,
      )}</ul></nav>
${
  found.length === 0
    ? html`<p class="none">${search === '' ? words.places.none : words.notFound}</p>`
    : html`<p class="dim">${words.places.shown(from + 1, from + found.length, total)}</p>
<ul class="rows">${found.map((linked) => placeRow(asked, kind, linked, { isTrash, isTheirs: theirs.has(linked.id) }))}</ul>`
}
${
  pages > 1 &&
  html`<p class="row">${page > 1 && link(words.newer, { page: page - 1 })} ${page < pages && link(words.older, { page: page + 1 })}</p>`
}`,
    };
  };

const SEARCH_MAX = 200;

function wantedIn(query: URLSearchParams): Wanted {
  const page = query.get('page') ?? '';
  return {
    search: startOf((query.get('search') ?? '').replaceAll('\0', '').trim(), SEARCH_MAX),
    isTrash: query.get('list') === 'trash',
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  };
}

function queryOf({ search, isTrash, page }: Wanted): string {
  const query = new URLSearchParams({
    ...(isTrash && { list: 'trash' }),
    ...(search !== '' && { search }),
    ...(page > 1 && { page: String(page) }),
  });
  return query.size === 0 ? '' : `?${query}`;
}

interface RowAs {
  readonly isTrash: boolean;
  readonly isTheirs: boolean;
}

/** A row of the list, without link and button if this person may not change it. */
function placeRow(asked: AskedEdit, kind: LinkedName, linked: Linked, { isTrash, isTheirs }: RowAs): Html {
  const { words, frame } = asked;
  const name = nameOfLinked(linked) || words.empty;
  if (!isTheirs) return html`<li>${name}${cityOf(linked)}</li>`;
  if (!isTrash)
    return html`<li><a href="${frame.base}/edit/${LINKED_LISTS[kind]}/${linked.id}/">${name}</a>${cityOf(linked)}</li>`;
  const restore = doButton('restore', html`${words.buttons.restore}<span class="vh">: ${name}</span>`);
  return html`<li><div class="row between"><span>${name}${cityOf(linked)}</span>
${editForm(asked, html`<input type="hidden" name="id" value="${linked.id}">${restore}`, { kind: 'row' })}</div></li>`;
}

const cityOf = (linked: Linked): Html | false =>
  'venue' in linked && linked.city !== undefined && html` <span class="dim">${textFromHtml(linked.city)}</span>`;
