import type { CategoryPage } from '../../contract/representation.ts';
import { safeElement, safeLink } from '../../html/link.ts';
import { html, type Html } from '../../html/template.ts';
import { textFromHtml } from '../../html/text.ts';
import { pathOf } from '../pages/list/event-list.ts';
import { mayPublish } from '../store/rights.ts';
import { callerOfPerson, tell, type AskedEdit, type EditPage } from './editor.ts';
import { TEXT_FIELDS, isOther, type EditField, type EventValues, type Faults } from './event-values.ts';
import { doButton, editField, editForm, editNote } from './form-parts.ts';
import { linkedToChoose, nameOfLinked, type StoredEvent } from './stored-event.ts';

/** A form as it is to be shown. */
export interface FormShown {
  readonly values: EventValues;
  readonly stored?: StoredEvent | undefined;
  readonly faults?: Faults;
  /** What the interface has said that belongs to no field. */
  readonly refusal?: string | undefined;
  readonly isConflict?: boolean;
  readonly said?: string | undefined;
  readonly status?: number;
  /** What stands below the form. */
  readonly below?: Html | undefined;
  readonly above?: Html | undefined;
}

const CATEGORIES_SHOWN = 50;

/** The page of an event's form. */
export async function eventFormPage(asked: AskedEdit, shown: FormShown): Promise<EditPage> {
  const { words } = asked;
  const [venues, organizers, categories] = await Promise.all([
    linkedToChoose(asked, 'venue'),
    linkedToChoose(asked, 'organizer'),
    tell<CategoryPage>(asked, 'GET', `/categories?per_page=${CATEGORIES_SHOWN}&orderby=count&order=desc`),
  ]);
  const { stored, status } = shown;
  const title = stored ? words.editEvent : words.newEvent;
  const lists = html`${dataList('venues', venues.map(nameOfLinked))}${dataList('organizers', organizers.map(nameOfLinked))}`;
  const known = categories.ok ? categories.value.categories : [];
  return {
    title: stored ? `${stored.values.title} – ${title}` : title,
    ...(status !== undefined && { status }),
    main: html`<h1>${title}</h1>
${notes(asked, shown)}
${shown.above}
${editForm(
  asked,
  html`${stored && html`<input type="hidden" name="version" value="${stored.version}">`}
${fields(asked, shown, [...known, ...othersOf(stored, known)])}${lists}
<div class="row">${buttonsFor(asked, stored)}</div>`,
  { hasFiles: true, kind: 'form edit' },
)}
${shown.below}`,
  };
}

/** Categories of the event itself that are not among those which all events have most. */
const othersOf = (stored: StoredEvent | undefined, known: readonly { readonly id: number }[]) =>
  (stored?.event.categories ?? []).filter(({ id }) => !known.some((one) => one.id === id));

const dataList = (id: string, names: readonly string[]): Html =>
  html`<datalist id="${id}">${names.map((name) => html`<option value="${name}"></option>`)}</datalist>`;

function notes({ words }: AskedEdit, shown: FormShown): Html {
  const { faults = {}, refusal, said, isConflict } = shown;
  const isRefused = Object.keys(faults).length > 0 || refusal !== undefined;
  return html`${said !== undefined && editNote(said)}
${
  isRefused &&
  editNote(
    html`<p><strong>${words.notTaken}</strong></p>${refusal !== undefined && html`<p>${words.refusal(refusal)}</p>`}`,
    'bad',
  )
}
${isConflict === true && conflictNote(words, shown)}`;
}

/** What stands on the calendar now, beside what was typed. */
function conflictNote(words: AskedEdit['words'], { values, stored }: FormShown): Html | false {
  if (!stored) return false;
  const names = [...TEXT_FIELDS, 'allDay', 'categories'] as const;
  const rows = names
    .filter((name) => isOther(name, values, stored.values))
    .map(
      (name) =>
        html`<tr><th scope="row">${words.fields[name]}</th><td>${shownValue(words, name, stored)}</td><td>${
          name === 'categories' || name === 'allDay' ? '…' : values[name].slice(0, SHOWN_MAX) || words.empty
        }</td></tr>`,
    );
  return editNote(
    html`<p><strong>${words.conflict}</strong></p><p>${words.conflictText}</p>
${
  rows.length > 0 &&
  html`<table class="plain"><thead><tr><td></td><th scope="col">${words.theirs}</th><th scope="col">${words.yours}</th></tr></thead>
<tbody>${rows}</tbody></table>`
}`,
    'bad',
  );
}

const SHOWN_MAX = 400;

function shownValue(words: AskedEdit['words'], name: keyof EventValues, { values, event }: StoredEvent): string {
  if (name === 'allDay') return values.allDay ? words.allDay : words.empty;
  const text =
    name === 'categories' ? event.categories.map((category) => textFromHtml(category.name)).join(', ') : values[name];
  return text.slice(0, SHOWN_MAX) || words.empty;
}

interface Named {
  readonly id: number;
  readonly name: string;
}

function fields(asked: AskedEdit, { values, stored, faults = {} }: FormShown, categories: readonly Named[]): Html {
  const { words, frame } = asked;
  const faultOf = (name: EditField): string | undefined => {
    const fault = faults[name];
    return fault && words.faults[fault];
  };
  const field = (name: (typeof TEXT_FIELDS)[number], more: Partial<Parameters<typeof editField>[0]> = {}): Html =>
    editField({
      name,
      label: words.fields[name],
      value: values[name],
      hint: words.hints[name],
      fault: faultOf(name),
      ...more,
    });
  return html`${field('title', { required: true, max: 2_500 })}
<fieldset class="card"><legend>${words.groups.when}</legend>
<label class="chip"><input type="checkbox" name="allDay" value="yes"${values.allDay && html` checked`}>${words.allDay}</label>
<div class="fields">${field('startDay', { type: 'date', required: true })}${field('startTime', { type: 'time' })}${field('endDay', { type: 'date' })}${field('endTime', { type: 'time' })}</div>
<p class="dim"><small>${words.zone(stored?.row.timezone ?? frame.settings.timezone)}</small></p></fieldset>
<fieldset class="card"><legend>${words.groups.where}</legend>
<div class="fields">${field('venue', { list: 'venues' })}${field('organizer', { list: 'organizers' })}</div></fieldset>
<fieldset class="card"><legend>${words.groups.what}</legend>
${field('description', { lines: 10 })}
${
  categories.length > 0 &&
  html`<div role="group" aria-labelledby="categories-label"><p class="lab" id="categories-label">${words.fields.categories}</p>
<div class="row">${categories.map(
    ({ id, name }) =>
      html`<label class="chip"><input type="checkbox" name="categories" value="${id}"${
        values.categories.includes(String(id)) && html` checked`
      }>${textFromHtml(name)}</label>`,
  )}</div></div>`
}
<div class="fields">${field('tags')}${field('cost')}${field('website', { type: 'url' })}${languageField(asked, values)}</div></fieldset>
${pictureField(asked, stored, faultOf('image'))}`;
}

function languageField({ words, frame }: AskedEdit, { language }: EventValues): Html | false {
  const { languages } = frame.settings;
  if (languages.length < 2) return false;
  const options = languages.map(
    (code) =>
      html`<option value="${code}"${code === (language || languages[0]) && html` selected`}>${nameOfLanguage(code, frame.language)}</option>`,
  );
  return html`<div class="field"><label for="language">${words.fields.language}</label><select id="language" name="language">${options}</select></div>`;
}

const nameOfLanguage = (code: string, language: string): string =>
  new Intl.DisplayNames([language.replace('_', '-')], { type: 'language' }).of(code.replace('_', '-')) ?? code;

function pictureField({ words }: AskedEdit, stored: StoredEvent | undefined, fault: string | undefined): Html {
  const image = stored?.event.image;
  const told = fault === undefined ? 'image-hint' : 'image-fault image-hint';
  return html`<fieldset class="card"><legend>${words.groups.picture}</legend>
${
  image &&
  html`${safeElement('img', { src: image.url, alt: '', width: 240, height: 150, loading: 'lazy' })}
<label class="chip"><input type="checkbox" name="removeImage" value="yes">${words.removePicture}</label>`
}
<div class="field"><label for="image">${words.fields.image}</label>
<input id="image" type="file" name="image" accept="image/jpeg,image/png,image/gif,image/webp,image/avif" aria-describedby="${told}"${
    fault !== undefined && html` aria-invalid="true"`
  }>
${fault !== undefined && html`<p class="no" id="image-fault">${fault}</p>`}
<p class="dim" id="image-hint"><small>${words.hints.image}</small></p></div></fieldset>`;
}

const STATES: Readonly<Record<string, 'new' | 'waiting' | 'public'>> = {
  pending: 'waiting',
  publish: 'public',
  future: 'public',
  private: 'public',
};

// The first one is what most want.
const BUTTONS = {
  new: { author: ['publish', 'draft'], contributor: ['pending', 'draft'] },
  waiting: { author: ['publish', 'save'], contributor: ['save', 'draft'] },
  public: { author: ['save', 'takeBack'], contributor: ['save', 'takeBack'] },
} as const;

/** What one may do with an event in its state: the interface decides once more. */
function buttonsFor({ words, person }: AskedEdit, stored: StoredEvent | undefined): Html {
  const { buttons } = words;
  const state = STATES[stored?.row.status ?? ''] ?? 'new';
  const names = BUTTONS[state][mayPublish(callerOfPerson(person)) ? 'author' : 'contributor'];
  const shown = names.map((name, index) => doButton(name, buttons[name], { isMain: index === 0 }));
  if (!stored) return html`${shown}`;
  const isSeen = stored.row.status === 'publish';
  return html`${shown}
${doButton('trash', buttons.trash, { skipsChecks: true })}
${isSeen && safeLink({ href: pathOf(stored.event.url), class: 'btn quiet' }, buttons.view)}`;
}
