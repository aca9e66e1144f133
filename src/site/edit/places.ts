import type { Organizer, Venue } from '../../contract/event-parts.ts';
import { isWebAddress } from '../../contract/post-args.ts';
import { safeHtml } from '../../html/sanitize.ts';
import { html, type Html } from '../../html/template.ts';
import { textFromHtml } from '../../html/text.ts';
import type { Sent } from '../../request-bytes.ts';
import { tell, type AskedEdit, type EditAnswer, type EditPage } from './editor.ts';
import { idIn, notYours } from './event-acts.ts';
import { encodedAddress, plainText } from './event-values.ts';
import { saidIn } from './events-page.ts';
import { doButton, editField, editForm, editNote } from './form-parts.ts';
import { linkedToChoose, nameOfLinked } from './stored-event.ts';

type LinkedKind = 'venue' | 'organizer';
type Linked = Venue | Organizer;
type PlaceWord = 'name' | 'address' | 'city' | 'zip' | 'country' | 'phone' | 'email';

/** The fields of each, by the interface's parameters. */
const FIELDS: Readonly<Record<LinkedKind, readonly (readonly [param: string, word: PlaceWord])[]>> = {
  venue: [
    ['venue', 'name'],
    ['address', 'address'],
    ['zip', 'zip'],
    ['city', 'city'],
    ['country', 'country'],
    ['phone', 'phone'],
  ],
  organizer: [
    ['organizer', 'name'],
    ['phone', 'phone'],
    ['email', 'email'],
  ],
};
const LISTS = { venue: 'venues', organizer: 'organizers' } as const;
const NEW = { venue: 'newVenue', organizer: 'newOrganizer' } as const;

type Typed = Readonly<Record<string, string>>;

/** `/edit/venues/`, `/edit/organizers/`: the newest, or those that a search finds. */
export const placesPage =
  (kind: LinkedKind) =>
  async (asked: AskedEdit): Promise<EditPage> => {
    const { words, frame, url } = asked;
    const search = (url.searchParams.get('search') ?? '').replaceAll('\0', '').trim().slice(0, 200);
    const found = await linkedToChoose(asked, kind, search);
    const title = words.places[LISTS[kind]];
    const path = `/edit/${LISTS[kind]}/`;
    return {
      title,
      main: html`<h1>${title}</h1>
<p><a class="btn main" href="${frame.base}${path}new/">${words.places[NEW[kind]]}</a></p>
<form class="row" method="get" role="search"><label class="vh" for="search">${words.search}</label>
<input id="search" type="search" name="search" value="${search}" maxlength="200"> <button>${words.search}</button></form>
${
  found.length === 0
    ? html`<p>${words.places.none}</p>`
    : html`<ul class="rows">${found.map(
        (linked) =>
          html`<li><a href="${frame.base}${path}${linked.id}/">${nameOfLinked(linked)}</a>${cityOf(linked)}</li>`,
      )}</ul>`
}`,
    };
  };

const cityOf = (linked: Linked): Html | false =>
  'venue' in linked && linked.city !== undefined && html` <span class="dim">${textFromHtml(linked.city)}</span>`;

/** The form of a place or an organizer; the interface says who may change it. */
export const placeShown =
  (kind: LinkedKind) =>
  async (asked: AskedEdit): Promise<EditAnswer> => {
    const id = idIn(asked);
    if (id === 0) return placeForm(asked, kind, {}, {});
    const told = await tell<Linked>(asked, 'GET', `/${LISTS[kind]}/${id}`);
    if (!told.ok) return notYours(asked);
    return placeForm(asked, kind, typedFrom(told.value), { said: saidIn(asked) });
  };

const typedFrom = (linked: Linked): Typed =>
  Object.fromEntries(
    Object.entries(linked).flatMap(([name, value]) => {
      if (typeof value !== 'string') return [];
      return [[name, name === 'description' ? value : textFromHtml(value)]];
    }),
  );

interface Noted {
  readonly said?: string | undefined;
  readonly refusal?: string;
  readonly faults?: Typed;
}

function placeForm(asked: AskedEdit, kind: LinkedKind, typed: Typed, { said, refusal, faults = {} }: Noted): EditPage {
  const { words } = asked;
  const title = typed[kind] === undefined || idIn(asked) === 0 ? words.places[NEW[kind]] : typed[kind];
  const field = (name: string, label: string, more: Partial<Parameters<typeof editField>[0]> = {}): Html =>
    editField({ name, label, value: typed[name] ?? '', fault: faults[name], max: 2_500, ...more });
  const isRefused = refusal !== undefined || Object.keys(faults).length > 0;
  return {
    title,
    ...(isRefused && { status: 422 }),
    main: html`<h1>${title}</h1>
${said !== undefined && editNote(said)}
${
  isRefused &&
  editNote(
    html`<p><strong>${words.notTaken}</strong></p>${refusal !== undefined && html`<p>${words.refusal(refusal)}</p>`}`,
    'bad',
  )
}
${editForm(
  asked,
  html`<div class="fields">${FIELDS[kind].map(([name, word]) =>
    field(name, words.places[word], { required: name === kind }),
  )}${field('website', words.fields.website, { type: 'url', hint: words.hints.website })}</div>
${field('description', words.fields.description, { lines: 6, max: 200_000, hint: words.hints.description })}
<div>${doButton('save', words.buttons.save, { isMain: true })}</div>`,
)}`,
  };
}

/** Saves a place or an organizer, with what differs from what is stored. */
export const savePlace =
  (kind: LinkedKind) =>
  async (asked: AskedEdit, sent: Sent): Promise<EditAnswer> => {
    const id = idIn(asked);
    const known = id === 0 ? undefined : await tell<Linked>(asked, 'GET', `/${LISTS[kind]}/${id}`);
    if (known && !known.ok) return notYours(asked);
    const names = [...FIELDS[kind].map(([name]) => name), 'website', 'description'];
    const typed = Object.fromEntries(names.map((name) => [name, sent.field(name).replace(/\r\n?/g, '\n').trim()]));
    const faults = faultsInPlace(asked, kind, typed);
    if (Object.keys(faults).length > 0) return placeForm(asked, kind, typed, { faults });
    const stored = known ? typedFrom(known.value) : {};
    const changed = names.filter((name) => typed[name] !== (stored[name] ?? ''));
    const told = await tell<Linked>(
      asked,
      'POST',
      id === 0 ? `/${LISTS[kind]}` : `/${LISTS[kind]}/${id}`,
      Object.fromEntries(changed.map((name) => [name, paramOf(name, typed[name] ?? '')])),
    );
    if (!told.ok) return placeForm(asked, kind, typed, { refusal: told.error.message });
    return { to: `/${LISTS[kind]}/${told.value.id}/?said=linked` };
  };

function faultsInPlace({ words }: AskedEdit, kind: LinkedKind, typed: Typed): Typed {
  const website = typed['website'] ?? '';
  return {
    ...(typed[kind] === '' && { [kind]: words.faults.missing }),
    ...(website !== '' && !isWebAddress(encodedAddress(website)) && { website: words.faults.noAddress }),
  };
}

function paramOf(name: string, typed: string): string {
  if (name === 'description') return safeHtml(typed);
  return name === 'website' ? encodedAddress(typed) : plainText(typed);
}
