import { HTML_MAX, LINE_MAX } from '../../../contract/limits.ts';
import { safeLink } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import type { AskedEdit, EditPage } from '../editor.ts';
import { idIn } from '../event-acts.ts';
import { conflictNote, doButton, editField, editForm, editNote, refusedNote, type Difference } from '../form-parts.ts';
import { LINKED_LISTS, type LinkedName } from '../linked.ts';
import { pictureField, type SentPicture } from '../picture.ts';
import {
  eventsOfPlace,
  PLACE_FIELDS,
  placeParams,
  type PlaceFaults,
  type PlaceValues,
  type StoredPlace,
} from './place-fields.ts';

/** The state of a place's or organizer's form to show. */
export interface PlaceShown {
  readonly values: PlaceValues;
  readonly stored?: StoredPlace | undefined;
  readonly picture?: SentPicture;
  readonly said?: string | undefined;
  readonly refusal?: string | undefined;
  readonly faults?: PlaceFaults;
  /** `changed`: somebody else has saved in the meantime. `gone`: this person may no longer change it. */
  readonly conflict?: 'changed' | 'gone';
  readonly status?: number;
}

export const newPlaceWords = { venue: 'newVenue', organizer: 'newOrganizer' } as const;

/** The page with such a form. */
export async function placeFormPage(asked: AskedEdit, kind: LinkedName, shown: PlaceShown): Promise<EditPage> {
  const { words, frame } = asked;
  const { values, stored, picture, faults = {}, status, conflict } = shown;
  const title = stored?.values[kind] || words.places[newPlaceWords[kind]];
  const field = (name: string, label: string, more: Partial<Parameters<typeof editField>[0]> = {}): Html => {
    const fault = faults[name];
    return editField({
      name,
      label,
      value: values[name] ?? '',
      fault: fault && words.faults[fault],
      max: LINE_MAX,
      ...more,
    });
  };
  return {
    title,
    ...(status !== undefined && { status }),
    main: html`<h1>${title}</h1>
${notes(asked, kind, shown)}
${editForm(
  asked,
  html`${stored && html`<input type="hidden" name="version" value="${stored.version}">`}
<div class="fields">${PLACE_FIELDS[kind].map(([name, word]) =>
    field(name, words.places[word], { required: name === kind }),
  )}${field('website', words.fields.website, { type: 'url', hint: words.hints.website })}</div>
${field('description', words.fields.description, { lines: 6, max: HTML_MAX, hint: words.hints.description })}
${pictureField(asked, stored?.image, picture)}
<div class="row">${doButton('save', words.buttons.save, { isMain: true })}
${
  stored?.isPublic === true &&
  safeLink(
    { href: `${frame.base}/${kind}/${encodeURIComponent(stored.slug)}/`, class: 'btn quiet' },
    words.buttons.view,
  )
}</div>`,
  {
    hasFiles: true,
    kind: 'form edit',
    action: conflict === 'gone' ? `${frame.base}/edit/${LINKED_LISTS[kind]}/new/` : '',
  },
)}
${stored && (await trashPart(asked, kind, stored))}`,
  };
}

function notes(asked: AskedEdit, kind: LinkedName, shown: PlaceShown): Html {
  const { words } = asked;
  const { said, refusal, faults = {}, conflict, picture } = shown;
  const isRefused = Object.keys(faults).length > 0 || refusal !== undefined || picture?.kind === 'refused';
  return html`${said !== undefined && editNote(said)}
${isRefused && refusedNote(words, refusal)}
${conflict === 'gone' && editNote(html`<p><strong>${words.gone}</strong></p><p>${words.goneText}</p>`, 'bad')}
${conflict === 'changed' && conflictNote(words, differencesIn(asked, kind, shown))}`;
}

function differencesIn({ words }: AskedEdit, kind: LinkedName, { values, stored }: PlaceShown): readonly Difference[] {
  const labels = new Map<string, string>([
    ...PLACE_FIELDS[kind].map(([name, word]) => [name, words.places[word]] as const),
    ['website', words.fields.website],
    ['description', words.fields.description],
  ]);
  return placeParams(kind).flatMap((name) => {
    const [theirs, yours] = [stored?.values[name] ?? '', values[name] ?? ''];
    return theirs === yours ? [] : [{ label: labels.get(name) ?? name, theirs, yours }];
  });
}

/** Says what happens to the events before the place or organizer is trashed. */
async function trashPart(asked: AskedEdit, kind: LinkedName, { id }: StoredPlace): Promise<Html | false> {
  if (id !== idIn(asked)) return false;
  const { words } = asked;
  const { all, coming } = await eventsOfPlace(asked, kind, id);
  return html`<details class="card"><summary>${words.buttons.trash}</summary>
${editForm(
  asked,
  html`<p>${words.places.usedBy(all, coming)}</p>
<div>${doButton('trash', words.buttons.trash)}</div>`,
)}</details>`;
}
