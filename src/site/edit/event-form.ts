import { safeLink } from '../../html/link.ts';
import { html, type Html } from '../../html/template.ts';
import { pathOf } from '../pages/list/event-list.ts';
import { mayPublish } from '../store/rights.ts';
import { categoriesToChoose, categoryFields, type Categories } from './categories.ts';
import { callerOfPerson, type AskedEdit, type EditPage } from './editor.ts';
import { TEXT_FIELDS, isOther, type EditField, type EventValues, type Faults } from './event-values.ts';
import {
  conflictNote,
  doButton,
  editField,
  editForm,
  editNote,
  faultInWords,
  refusedNote,
  type Difference,
} from './form-parts.ts';
import {
  LINKED_LISTS,
  LINKED_SHOWN,
  listedLinked,
  nameOfLinked,
  type LinkedName,
  type ListedLinked,
} from './linked.ts';
import { pictureField, type SentPicture } from './picture.ts';
import type { StoredEvent } from './stored-event.ts';

/** The state of a form to show. */
export interface FormShown {
  readonly values: EventValues;
  readonly stored?: StoredEvent | undefined;
  readonly faults?: Faults;
  /** A refusal of the interface that belongs to no field. */
  readonly refusal?: string | undefined;
  /** `changed`: somebody else has saved in the meantime. `gone`: this person may no longer change it. */
  readonly conflict?: 'changed' | 'gone';
  readonly picture?: SentPicture;
  readonly said?: string | undefined;
  readonly status?: number;
  /** What is shown below the form. */
  readonly below?: Html | undefined;
  readonly above?: Html | undefined;
}

/** The page with an event's form. */
export async function eventFormPage(asked: AskedEdit, shown: FormShown): Promise<EditPage> {
  const { words, frame } = asked;
  const [venues, organizers, categories] = await Promise.all([
    listedLinked(asked, 'venue'),
    listedLinked(asked, 'organizer'),
    categoriesToChoose(asked, shown),
  ]);
  const { stored, status, conflict } = shown;
  const title = stored ? words.editEvent : words.newEvent;
  const lists = html`${dataList('venues', venues)}${dataList('organizers', organizers)}`;
  const totals = { venue: venues.total, organizer: organizers.total };
  return {
    title: stored ? `${stored.values.title} – ${title}` : title,
    ...(status !== undefined && { status }),
    main: html`<h1>${title}</h1>
${notes(asked, shown, categories)}
${shown.above}
${editForm(
  asked,
  html`${stored && html`<input type="hidden" name="version" value="${stored.version}">`}
${fields(asked, shown, categories, totals)}${lists}
<div class="row">${buttonsFor(asked, stored)}</div>`,
  {
    hasFiles: true,
    kind: 'form edit',
    // What can no longer be saved in place can be saved as a new event.
    action: conflict === 'gone' ? `${frame.base}/edit/event/new/` : '',
  },
)}
${shown.below}`,
  };
}

const dataList = (id: string, { found }: ListedLinked): Html =>
  html`<datalist id="${id}">${found.map((linked) => html`<option value="${nameOfLinked(linked)}"></option>`)}</datalist>`;

function notes({ words }: AskedEdit, shown: FormShown, categories: Categories): Html {
  const { faults = {}, refusal, said, conflict } = shown;
  const isRefused = Object.keys(faults).length > 0 || refusal !== undefined || shown.picture?.kind === 'refused';
  return html`${said !== undefined && editNote(said)}
${isRefused && refusedNote(words, refusal)}
${faults.categories && editNote(`${words.fields.categories}: ${faultInWords(words, faults.categories)}`, 'bad')}
${conflict === 'gone' && editNote(html`<p><strong>${words.gone}</strong></p><p>${words.goneText}</p>`, 'bad')}
${conflict === 'changed' && conflictNote(words, differencesIn(words, shown, categories))}`;
}

/** The fields whose stored values differ from what was typed. */
function differencesIn(
  words: AskedEdit['words'],
  { values, stored }: FormShown,
  categories: Categories,
): readonly Difference[] {
  if (!stored) return [];
  const names = new Map([...categories.most, ...categories.rest].map(({ id, name }) => [String(id), name]));
  const shown = (name: keyof EventValues, of: EventValues): string => {
    if (name === 'categories') return of.categories.map((id) => names.get(id) ?? id).join(', ');
    if (name === 'allDay') return of.allDay ? words.allDay : '';
    return of[name];
  };
  return [...TEXT_FIELDS, 'allDay' as const, 'categories' as const]
    .filter((name) => isOther(name, values, stored.values))
    .map((name) => ({
      label: words.fields[name],
      theirs: shown(name, stored.values),
      yours: shown(name, values),
    }));
}

function fields(
  asked: AskedEdit,
  { values, stored, picture, faults = {} }: FormShown,
  categories: Categories,
  totals: Readonly<Record<LinkedName, number>>,
): Html {
  const { words, frame } = asked;
  const faultOf = (name: EditField): string | undefined => {
    const fault = faults[name];
    return fault && faultInWords(words, fault);
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
  const hintOf = (name: LinkedName): string =>
    [words.hints[name], totals[name] > LINKED_SHOWN && words.offered(LINKED_SHOWN, totals[name])]
      .filter(Boolean)
      .join(' ');
  return html`${field('title', { required: true, max: 2_500 })}
<fieldset class="card"><legend>${words.groups.when}</legend>
<label class="chip"><input type="checkbox" name="allDay" value="yes"${values.allDay && html` checked`}>${words.allDay}</label>
<div class="fields">${field('startDay', { type: 'date', required: true })}${field('startTime', { type: 'time' })}
${field('endDay', { type: 'date' })}${field('endTime', { type: 'time' })}</div>
<p class="dim"><small>${words.zone(stored?.row.timezone ?? frame.settings.timezone)}</small></p></fieldset>
<fieldset class="card"><legend>${words.groups.where}</legend>
<div class="fields">${(['venue', 'organizer'] as const).map((name) => field(name, { list: LINKED_LISTS[name], hint: hintOf(name) }))}</div></fieldset>
<fieldset class="card"><legend>${words.groups.what}</legend>
${field('description', { lines: 10 })}
${categoryFields(words, values, categories)}
<div class="fields">${field('tags')}${field('cost')}${field('website', { type: 'url' })}${languageField(asked, values, faultOf('language'))}</div></fieldset>
${pictureField(asked, stored?.event.image || undefined, picture)}`;
}

function languageField(
  { words, frame }: AskedEdit,
  { language }: EventValues,
  fault: string | undefined,
): Html | false {
  const { languages } = frame.settings;
  if (languages.length < 2) return false;
  const options = languages.map(
    (code) =>
      html`<option value="${code}"${code === (language || languages[0]) && html` selected`}>${nameOfLanguage(code, frame.language)}</option>`,
  );
  return html`<div class="field"><label for="language">${words.fields.language}</label><select id="language" name="language"${
    fault !== undefined && html` aria-invalid="true" aria-describedby="language-fault"`
  }>${options}</select>${fault !== undefined && html`<p class="no" id="language-fault">${fault}</p>`}</div>`;
}

const nameOfLanguage = (code: string, language: string): string =>
  new Intl.DisplayNames([language.replace('_', '-')], { type: 'language' }).of(code.replace('_', '-')) ?? code;

const STATES: Readonly<Record<string, 'new' | 'waiting' | 'public'>> = {
  pending: 'waiting',
  publish: 'public',
  future: 'public',
  private: 'public',
};

// The first button is the one that most people want.
const BUTTONS = {
  new: { author: ['publish', 'draft'], contributor: ['pending', 'draft'] },
  waiting: { author: ['publish', 'save'], contributor: ['save', 'draft'] },
  public: { author: ['save', 'takeBack'], contributor: ['save', 'takeBack'] },
} as const;

/** The buttons for an event's status; the interface checks the rights again. */
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
