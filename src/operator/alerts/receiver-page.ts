import { inQuotes } from '../../look/words/in-quotes.ts';
import { ALERT_CHANNELS, ALERT_KIND_NAMES, ALERT_KINDS, type AlertChannel } from '../../config/alerts/alert-kinds.ts';
import type { RawMap } from '../../config/splice/raw.ts';
import { addReceiver, editReceiver, entryIn, removeReceiver, type Spliced } from '../../config/splice/splice.ts';
import { html, type Html } from '../../html/template.ts';
import { awaitedParts, manualChangeNote, isInFile, notYetInFileNote, type EntryPath } from '../add/manual-change.ts';
import { editOf, fileNow, save, whyNotSaved, type Edit } from '../add/config-edit.ts';
import { problemList } from '../add/add-page.ts';
import {
  CHANGE_HEADING,
  faultLine,
  fieldIdAt,
  fieldFaults,
  showButton,
  fieldAttributes,
  type FieldFaults,
} from '../add/field-faults.ts';
import { yamlDifference } from '../add/yaml-shown.ts';
import type { Answer, Asked, Page, Route, Sent } from '../frame/operator.ts';
import { banner, button, crumbs, form, head } from '../frame/parts.ts';
import {
  UNCHANGED,
  channelOf,
  DEFAULT_ALERT_KINDS,
  listValue,
  NEW_RECEIVER,
  receiverFromForm,
  variableField,
  variableIn,
  fieldText,
} from './receiver-form.ts';
import { ADD_PATH, ALERTS_PATH } from './settings-page.ts';

/** The pages to add, change and remove receivers. */
export const RECEIVER_ROUTES: readonly Route[] = [
  {
    path: ADD_PATH,
    right: 'administrator',
    show: (asked) => show(asked),
    acts: { show: preview, save: saveReceiver, wait: waitFor },
  },
  {
    path: `${ALERTS_PATH}receivers/:receiver/`,
    right: 'administrator',
    show: (asked) => show(asked),
    acts: { show: preview, save: saveReceiver, remove, wait: waitFor },
  },
];

interface Shown {
  /** Undefined for a new receiver. */
  readonly known: string | undefined;
  readonly name: string;
  readonly receiver: RawMap;
  readonly edit?: Edit | undefined;
  readonly message?: Html | undefined;
  /** What has to be filled in first; shown in the section that the preview button leads to. */
  readonly lacking?: Html;
}

const placeOf = (name: string): EntryPath => ['alerts', 'receivers', name];

async function show(asked: Asked, more: Partial<Shown> = {}): Promise<Page> {
  const known = asked.params['receiver'];
  const { text } = await fileNow(asked.operator);
  const receiver = known === undefined ? NEW_RECEIVER : entryIn(text, placeOf(known));
  return receiver ? receiverPage(asked, { known, name: known ?? '', receiver, ...more }) : notThere(known ?? '');
}

const notThere = (name: string): Page => ({
  title: 'No such receiver',
  status: 404,
  place: 'settings',
  main: head('There is no such receiver', html`The file has no receiver ${inQuotes(name)}, or has a mistake.`),
});

/** What the form asks for: the name, the change of the file, and the resulting receiver. */
interface Wanted {
  readonly name: string;
  readonly splice: (text: string) => Spliced;
  readonly receiver: RawMap;
}

async function wantedOf(asked: Asked, sent: Sent): Promise<Wanted> {
  const known = asked.params['receiver'];
  const name = known ?? sent.field('name').trim();
  const { text } = await fileNow(asked.operator);
  const receiver = receiverFromForm((known === undefined ? undefined : entryIn(text, placeOf(known))) ?? {}, sent);
  const change = known === undefined ? addReceiver : editReceiver;
  return { name, receiver, splice: (file) => change(file, name, receiver) };
}

/** Names what has to be filled in before anything can be written. */
function missing(name: string, sent: Sent): Html | undefined {
  if (name === '') return banner('warn', html`<p>Give the receiver a name first, such as “clerk”.</p>`, true);
  return sent.all('hears').length === 0
    ? banner('warn', html`<p>Tick at least one kind of message. To stop them all, remove the receiver.</p>`, true)
    : undefined;
}

async function preview(asked: Asked, sent: Sent): Promise<Answer> {
  const { name, splice, receiver } = await wantedOf(asked, sent);
  const lacking = missing(name, sent);
  if (lacking) return show(asked, { name, receiver, lacking });
  return show(asked, { name, receiver, edit: await editOf(asked.operator, splice) });
}

async function saveReceiver(asked: Asked, sent: Sent): Promise<Answer> {
  const { name, splice, receiver } = await wantedOf(asked, sent);
  const message = missing(name, sent);
  if (message) return show(asked, { name, receiver, message });
  const saved = await save(asked, splice, {});
  if (saved.kind === 'saved') return { to: `${ALERTS_PATH}?saved=${encodeURIComponent(name)}` };
  const edit = saved.kind === 'edited' ? undefined : await editOf(asked.operator, splice);
  return show(asked, { name, receiver, edit, message: saved.kind === 'readOnly' ? undefined : whyNotSaved(saved) });
}

async function remove(asked: Asked): Promise<Answer> {
  const name = asked.params['receiver'] ?? '';
  const splice = (text: string): Spliced => removeReceiver(text, name);
  const saved = await save(asked, splice, {});
  if (saved.kind === 'saved') return { to: `${ALERTS_PATH}?removed=${encodeURIComponent(name)}` };
  return saved.kind === 'readOnly'
    ? show(asked, { edit: await editOf(asked.operator, splice) })
    : show(asked, { message: whyNotSaved(saved) });
}

/** Continues once the change has been made in the file by hand. */
async function waitFor(asked: Asked, sent: Sent): Promise<Answer> {
  if (await isInFile(asked, sent)) return { to: ALERTS_PATH };
  const { name, receiver } = await wantedOf(asked, sent);
  return show(asked, { name, receiver, message: notYetInFileNote(name) });
}

const NOTHING_YET = html`<p class="dim">Nothing yet.</p>`;

function receiverPage(asked: Asked, shown: Shown): Page {
  const { known, name, edit, message, lacking = NOTHING_YET } = shown;
  const title = known === undefined ? 'A new receiver' : `Receiver ${known}`;
  const readOnly = edit?.kind === 'edit' ? edit.readOnly : undefined;
  const faults = fieldFaults(edit, placeOf(name));
  return {
    title,
    place: 'settings',
    live: awaitedParts(edit, readOnly, placeOf(name)),
    main: html`${crumbs(asked, [[ALERTS_PATH, 'Alerts']])}${head(title, 'Who is notified, of what, and when.')}
      <div class="stack-5">
        ${message}${form(
          asked,
          html`<div class="half">
            <div class="stack-4">
              ${reached(asked, shown, faults)}${heard(shown, faults)}
              <p>${showButton(asked)}</p>
            </div>
            <section aria-labelledby="block" class="stack">
              ${CHANGE_HEADING}${edit ? change(edit, name, faults) : lacking}
            </section>
          </div>`,
        )}${known !== undefined && removing(asked, known)}
      </div>`,
  };
}

function change(edit: Edit, name: string, faults: FieldFaults): Html {
  if (edit.kind === 'byHand') return banner('bad', html`<p>${edit.because}</p>`, true);
  if (edit.text === edit.before) return html`<p>Nothing: everything is as it was.</p>`;
  const isSound = edit.checked.value !== undefined;
  return html`${problemList(edit.checked.problems, edit.remarks, fieldIdAt(placeOf(name), faults))}${yamlDifference(edit.before, edit.text)}${
    isSound &&
    (edit.readOnly === undefined
      ? html`<p>${button('save', 'Save', { kind: 'go' })}</p>`
      : manualChangeNote(edit, edit.readOnly, placeOf(name)))
  }`;
}

const CHANNELS: Readonly<Record<AlertChannel, string>> = {
  mail: 'Mail',
  ntfy: 'ntfy, on phones',
  webhook: 'Webhook: a POST with JSON',
  slack: 'Slack',
  teams: 'Teams',
};

function reached(asked: Asked, { known, name, receiver }: Shown, faults: FieldFaults): Html {
  const textField = textFieldWith(faults);
  const channel = channelOf(receiver);
  return html`<section aria-labelledby="reached" class="stack">
    <h2 id="reached">How it is reached</h2>
    ${known === undefined && textField('name', 'Name', name, 'clerk', 'Letters, digits, “.”, “_” and “-”.')}
    <label class="field"
      >Way<select name="channel">
        ${ALERT_CHANNELS.map(
          (each) => html`<option value="${each}" ${each === channel && html` selected`}>${CHANNELS[each]}</option>`,
        )}
      </select></label
    >${textField('mail', 'Mail address', fieldText(receiver, 'mail'), 'clerk@town.example', 'For the way Mail.')}${variable(
      asked,
      'address',
      'Where the address is',
      'For the other ways. Anyone who has such an address can write there, so it is a secret.',
      channel === 'mail' ? '' : fieldText(receiver, channel),
    )}${variable(
      asked,
      'token',
      'Where the token is',
      'Only where the ntfy server requires one.',
      fieldText(receiver, 'token'),
    )}${variable(
      asked,
      'code',
      'Where the code is',
      'With one, this receiver may decide on a held run without signing in: its messages get a second link, whose page asks for the code.',
      fieldText(receiver, 'code'),
    )}${variablesNote(asked)}
  </section>`;
}

const textFieldWith =
  (faults: FieldFaults) =>
  (name: string, label: string, value: string, example: string, help: string): Html =>
    html`<label class="field"
        >${label} <span class="small dim">${help}</span
        ><input
          name="${name}"
          value="${value}"
          ${fieldAttributes(name, faults)}
          placeholder="${example}"
          autocapitalize="none"
          spellcheck="false" /></label
      >${faultLine(name, faults)}`;

/** A choice among the environment variables that forms may name; never a field for the secret itself. */
function variable(
  { operator }: Asked,
  secret: 'address' | 'token' | 'code',
  label: string,
  help: string,
  value: string,
): Html {
  const names = operator.config().operator.environment;
  const now = variableIn(value);
  const isListed = now !== undefined && names.includes(now);
  return html`<label class="field"
    >${label} <span class="small dim">${help}</span
    ><select name="${variableField(secret)}">
      <option value="">nowhere</option>
      ${
        value !== '' &&
        !isListed &&
        html`<option value="${UNCHANGED}" selected>
          ${now === undefined ? 'in the file, as it stands there' : `in $\{${now}}, as the file says`}
        </option>`
      }${names.map(
        (each) =>
          html`<option value="${each}" ${isListed && each === now && html` selected`}>in ${`\${${each}}`}</option>`,
      )}
    </select></label
  >`;
}

const variablesNote = ({ operator }: Asked): Html =>
  html`<p class="small dim">
    Secrets are not typed here: they would end up in the file. The person who runs calsyncd sets an environment
    variable, such as SLACK_WEBHOOK, and names it in the file:
    <code
      >operator: { environment:
      [${[...new Set([...operator.config().operator.environment, 'SLACK_WEBHOOK'])].join(', ')}] }</code
    >. After a restart it can be chosen here.
  </p>`;

function heard({ receiver }: Shown, faults: FieldFaults): Html {
  const textField = textFieldWith(faults);
  const hears = listValue(receiver, 'hears') ?? DEFAULT_ALERT_KINDS;
  return html`<section aria-labelledby="heard" class="stack">
    <h2 id="heard">What it hears, and when</h2>
    <fieldset class="stack">
      <legend class="vh">What it hears</legend>
      ${ALERT_KIND_NAMES.map(
        (each) =>
          html`<label class="row opt"
            ><input type="checkbox" name="hears" value="${each}" ${hears.includes(each) && html` checked`} />
            <span><b>${each}</b> <span class="small dim">${ALERT_KINDS[each]}</span></span></label
          >`,
      )}
    </fieldset>
    ${textField(
      'sources',
      'Only of these sources',
      (listValue(receiver, 'sources') ?? []).join(', '),
      'of all',
      'Names with commas between them.',
    )}${textField('after', 'Only what has lasted', fieldText(receiver, 'after'), '0s', 'Such as 30m, 2h or 1d.')}${textField(
      'quiet',
      'Quiet hours',
      fieldText(receiver, 'quiet'),
      'none',
      'Such as 22:00-07:00; what happens then is reported afterwards, if it still applies.',
    )}${textField('digest_at', 'The digest comes at', fieldText(receiver, 'digest_at'), '08:00', 'In the zone of the calendar.')}
  </section>`;
}

const removing = (asked: Asked, name: string): Html =>
  html`<details class="yes">
    <summary class="btn danger">Take ${name} out…</summary>
    <div class="stack">
      <p class="small">It gets no more messages. Those it was sent stay in the log.</p>
      ${form(asked, html`<p>${button('remove', `Yes, take ${name} out`, { kind: 'danger' })}</p>`)}
    </div>
  </details>`;
