import { sourcePath } from '../sources/paths.ts';
import { countInWords } from '../../count-in-words.ts';
import { html, type Html } from '../../html/template.ts';
import type { RawMap } from '../../config/splice/raw.ts';
import { sourceIn } from '../../config/splice/splice.ts';
import type { Asked, Page } from '../frame/operator.ts';
import { banner, button, crumbs, form, head, linkTo } from '../frame/parts.ts';
import { messageHtml } from '../sources/message-html.ts';
import { sourceTabs } from '../sources/source-tabs.ts';
import { problemList } from './add-page.ts';
import { awaitedParts, manualChangeNote, copyButton, type ShownEdit } from './manual-change.ts';
import type { Edit } from './config-edit.ts';
import {
  CHANGE_HEADING,
  faultLine,
  fieldIdAt,
  fieldFaults,
  showButton,
  fieldAttributes,
  type FieldFaults,
} from './field-faults.ts';
import { choiceWords, settingLabel } from './setting-words.ts';
import {
  fieldName,
  settingGroups,
  originalValueName,
  valueInFile,
  type FieldGroup,
  type SettingField,
} from './settings-fields.ts';
import { yamlDifference, yamlOf } from './yaml-shown.ts';

export interface SettingsShown {
  readonly name: string;
  /** As edited in the form. */
  readonly source: RawMap;
  /** As in the file. */
  readonly text: string;
  readonly edit: Edit | undefined;
  /** Its name after the change, if it is renamed. */
  readonly becomes?: string;
  readonly readOnly: string | undefined;
  readonly kept: number;
  readonly message?: Html | undefined;
  /** Why the columns of its table have to be chosen. */
  readonly chooseColumns?: string | undefined;
}

/** The page of a source's settings: a form, and the lines of the file. */
export function settingsPage(asked: Asked, shown: SettingsShown): Page {
  const { name, edit, readOnly, message } = shown;
  const path = sourcePath(name);
  const faults = fieldFaults(edit, ['sources', shown.becomes ?? name]);
  return {
    title: `Settings of ${name}`,
    place: 'sources',
    live: awaitedParts(edit, readOnly, ['sources', shown.becomes ?? name]),
    main: html`${crumbs(asked, [
        ['/sources/', 'Sources'],
        [path, name],
      ])}${head(
        `Settings of ${name}`,
        html`As they stand in the file. Rules and mappings
          <a href="${linkTo(asked, `${path}rules/`)}">have a page of their own</a>, where they are tried on the feed.`,
      )}${sourceTabs(asked, name, 'settings', { events: shown.kept, problems: 0 })}
      <div class="stack-5">
        ${message}${readOnly !== undefined && readOnlyNote(asked, readOnly)}${form(
          asked,
          html`${asInFile(shown)}
            <div class="half">
              <div class="stack-4">
                ${settingGroups().map((group, index) => fieldGroup(group, shown.source, faults, { isOpen: index < 3, why: whyOpen(asked, shown, group) }))}
                <p class="row">${showButton(asked)}</p>
              </div>
              <section aria-labelledby="block" class="stack">
                ${
                  edit
                    ? html`<input
                          type="hidden"
                          name="becomes"
                          value="${shown.becomes ?? name}"
                        />${change(edit, readOnly, shown.becomes ?? name, faults)}`
                    : html`<h2 id="block">In the file</h2>
                        ${yamlOf(shown.text, name)}`
                }
              </section>
            </div>`,
        )}
        <div class="half">${renaming(asked, name)}${removing(asked, shown)}</div>
      </div>`,
  };
}

/** Hidden fields with the file's present values, so that only settings changed in the form are changed in the file. */
function asInFile({ text, name }: SettingsShown): readonly Html[] {
  const source = sourceIn(text, name) ?? {};
  return settingGroups()
    .flatMap(({ fields }) => fields)
    .flatMap((field) => {
      const value = valueInFile(source, field);
      const was = originalValueName(fieldName(field));
      return value === undefined ? [] : [html`<input type="hidden" name="${was}" value="${value}" />`];
    });
}

const readOnlyNote = (asked: Asked, reason: string): Html =>
  banner(
    'info',
    html`<p>
      <b>The file has to be changed by hand:</b> ${reason}. What you change here is shown as the lines that belong
      there; ${html`<a href="${linkTo(asked, '/settings/')}">Settings</a>`} says when it has been read again.
    </p>`,
  );

/** The banner above a group of settings that needs attention. */
const whyOpen = (asked: Asked, { name, chooseColumns }: SettingsShown, group: FieldGroup): Html | undefined =>
  chooseColumns !== undefined && isOfColumns(group)
    ? banner(
        'warn',
        html`<p>${messageHtml(asked, chooseColumns, asked.operator.context.sources.get(name)?.site.key)}</p>`,
      )
    : undefined;

const isOfColumns = ({ fields }: FieldGroup): boolean => fields[0]?.path[0] === 'columns';

function fieldGroup(
  group: FieldGroup,
  source: RawMap,
  faults: FieldFaults,
  { isOpen, why }: { readonly isOpen: boolean; readonly why: Html | undefined },
): Html {
  const { title, fields } = group;
  const content = fields.map((field) => settingField(field, source, faults));
  const isWrong = fields.some((field) => faults.has(fieldName(field)));
  return isOpen
    ? html`<section class="stack">
        <h2>${title}</h2>
        ${content}
      </section>`
    : html`<details class="well-box" ${isOfColumns(group) && html` id="columns"`} ${(isWrong || why) && 'open'}>
        <summary><b>${title}</b> <span class="dim">${countInWords(fields.length, 'setting')}</span></summary>
        <div class="stack">${why}${content}</div>
      </details>`;
}

function settingField(field: SettingField, source: RawMap, faults: FieldFaults): Html {
  const name = fieldName(field);
  const value = valueInFile(source, field);
  const label = html`<b>${settingLabel(field) ?? name}</b> <code class="small dim">${name}</code><br /><span
      class="small dim"
      >${field.description}</span
    >`;
  if (value === undefined)
    return html`<p>
      ${label} <span class="small dim">It has several parts or a password: it is changed in the file.</span>
    </p>`;
  if (field.kind === 'text')
    return html`<label class="field"
        >${label}<input
          name="${name}"
          value="${value}"
          ${fieldAttributes(name, faults)}
          placeholder="${field.otherwise}"
          autocapitalize="none"
          spellcheck="false" /></label
      >${faultLine(name, faults)}`;
  const otherwise = field.otherwise === '' ? 'as by default' : choiceWords(field, field.otherwise);
  const known = field.choices.includes(value) || value === '' ? field.choices : [...field.choices, value];
  return html`<label class="field"
      >${label}<select name="${name}" ${fieldAttributes(name, faults)}>
        <option value="">${otherwise}</option>
        ${known.map((each) => html`<option value="${each}" ${each === value && html` selected`}>${choiceWords(field, each)}</option>`)}
      </select></label
    >${faultLine(name, faults)}`;
}

/** What a change would write, with the button that writes it. */
function change(edit: Edit, readOnly: string | undefined, name: string, faults: FieldFaults): Html {
  if (edit.kind === 'byHand') return html`${CHANGE_HEADING}${banner('bad', html`<p>${edit.because}</p>`, true)}`;
  if (edit.text === edit.before)
    return html`${CHANGE_HEADING}
      <p>Nothing: everything is as it was.</p>`;
  const { problems, value } = edit.checked;
  return html`${CHANGE_HEADING}${problemList(problems, edit.remarks, fieldIdAt(['sources', name], faults))}${yamlDifference(edit.before, edit.text)}
  ${value && (readOnly === undefined ? saving(edit, name) : manualChangeNote(edit, readOnly, ['sources', name]))}`;
}

const saving = (edit: ShownEdit, name: string): Html =>
  html`<p class="row">${button('save', 'Save', { kind: 'go' })}${copyButton(edit, ['sources', name])}</p>`;

const renaming = (asked: Asked, name: string): Html =>
  html`<section aria-labelledby="rename" class="stack">
    <h2 id="rename">Another name</h2>
    <p class="small">
      Its events stay what they are, and keep their addresses: the file remembers the old name with <code>was</code>.
    </p>
    ${form(
      asked,
      html`<label class="vh" for="to">New name</label
        ><input
          class="find"
          id="to"
          name="to"
          value="${name}"
          required
          maxlength="64"
          autocapitalize="none"
          spellcheck="false"
        />${button('rename', 'Rename')}`,
      { kind: 'row' },
    )}
  </section>`;

function removing(asked: Asked, { name, kept, readOnly }: SettingsShown): Html {
  const events = countInWords(kept, 'event');
  return html`<section aria-labelledby="remove" class="stack">
    <h2 id="remove">Take it out</h2>
    <p class="small">
      The feed is no longer read.
      ${kept === 0 ? 'It has no events on the site.' : html`${events} of it ${kept === 1 ? 'is' : 'are'} on the site.`}
      ${
        kept > 0 &&
        readOnly !== undefined &&
        html`They stay there; once the source has been taken out of the file,
          <a href="${linkTo(asked, sourcePath(name))}">its page</a> takes them off.`
      }
    </p>
    <details class="yes" name="remove">
      <summary class="btn danger">Take ${name} out…</summary>
      <div class="stack">
        ${form(
          asked,
          html`${
              kept > 0 &&
              readOnly === undefined &&
              html`<fieldset class="stack">
                <legend class="vh">What becomes of its events?</legend>
                <label class="row opt"
                  ><input type="radio" name="events" value="keep" checked />
                  <span
                    ><b>They stay on the site</b><br /><span class="small dim"
                      >as they are; nobody keeps them up to date until a source is called ${name} again.</span
                    ></span
                  ></label
                ><label class="row opt"
                  ><input type="radio" name="events" value="trash" />
                  <span
                    ><b>They go to the trash</b><br /><span class="small dim"
                      >${events}; subscribers see them cancelled. It can be taken back while they are there.</span
                    ></span
                  ></label
                >
              </fieldset>`
            }
            <p>${button('remove', `Yes, take ${name} out`, { kind: 'danger' })}</p>`,
          { kind: 'stack' },
        )}
      </div>
    </details>
  </section>`;
}
