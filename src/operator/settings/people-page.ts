import { AppError } from '../../error.ts';
import { focusFirstInvalid } from '../../html/invalid-fields.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { recordAct } from '../../run/watch/acts.ts';
import { faultLine, fieldAttributes, type FieldFaults } from '../add/field-faults.ts';
import { actorOf } from '../frame/actor.ts';
import type { Answer, Asked, Page, PersonListed, Sent } from '../frame/operator.ts';
import { banner, button, form } from '../frame/parts.ts';
import { row, table, type Column } from '../frame/table.ts';
import { ago } from '../frame/times.ts';
import { settingsMain, zoneOfSettings } from './settings-frame.ts';

/** How many accounts are listed. */
const PEOPLE_MAX = 200;

/** What each role may do; those of the console first. */
const ROLES: readonly (readonly [role: string, may: string])[] = [
  ['administrator', 'everything, also here'],
  ['editor', 'the console: review, settle, check, pause'],
  ['author', 'only the site: events of their own'],
  ['contributor', 'only the site: drafts of their own'],
  ['subscriber', 'only the site: reading'],
];

/** A new account, as typed. */
interface Invited {
  readonly login: string;
  readonly email: string;
  readonly role: string;
}
const NOBODY: Invited = { login: '', email: '', role: 'editor' };

/** The accounts of the built-in site, whose administrators and editors may use the console. */
export async function peoplePage(
  asked: Asked,
  said: HtmlPart = '',
  typed: Invited = NOBODY,
  faults: FieldFaults = new Map(),
): Promise<Page> {
  const people = await asked.operator.people.list(PEOPLE_MAX + 1);
  const more = people.length > PEOPLE_MAX;
  return {
    title: 'People',
    place: 'settings',
    main: settingsMain(
      asked,
      'people',
      'Administrators and editors may come in here. All of them are accounts of the built-in site.',
      html`${said}
        <section>
          <h2>Accounts</h2>
          ${accounts(asked, people.slice(0, PEOPLE_MAX))}${
            more && html`<p class="small dim">Only the first ${PEOPLE_MAX} are shown.</p>`
          }
        </section>
        ${inviting(asked, typed, faults)}`,
    ),
  };
}

function accounts(asked: Asked, people: readonly PersonListed[]): Html {
  const zone = zoneOfSettings(asked);
  const columns: readonly Column[] = ['Account', 'May', 'Last sign-in', { unseen: 'Change' }];
  const rows = people.map((person) =>
    row(columns, [
      html`${person.login}${person.email !== '' && html` <small class="dim">${person.email}</small>`}`,
      mayInWords(person),
      person.lastHere === null ? '–' : ago(person.lastHere.getTime(), zone, asked.now),
      person.isProgram ? html`<span class="dim">calsyncd itself</span>` : changing(asked, person),
    ]),
  );
  return table('Accounts', columns, rows);
}

const mayInWords = ({ role, canSignIn }: PersonListed): HtmlPart => {
  const may = ROLES.find(([name]) => name === role)?.[1] ?? role;
  return html`${role}: ${may}${!canSignIn && html` <span class="dim">(cannot sign in)</span>`}`;
};

function changing(asked: Asked, { login, role }: PersonListed): Html {
  const isOwn = login === asked.person.login;
  return html`<details class="menu">
    <summary class="btn bare">Change<span class="vh"> ${login}</span></summary>
    <div>
      ${form(
        asked,
        html`<input type="hidden" name="login" value="${login}" />${
            !isOwn &&
            html`<label class="field">Role ${roleChoice(role)}</label>
              <p>${button('role', 'Change the role')}</p>`
          }
          <p class="small dim">
            A new password is shown once. Everyone signed in as ${login} is signed out. Programs keep theirs: ${login}
            takes those back at <code>/authorize</code>, and so does <code>calsyncd password USER --revoke</code>.
          </p>
          <p>${button('password', 'Give a new password', { kind: 'danger' })}</p>`,
        { kind: 'stack' },
      )}
    </div>
  </details>`;
}

const roleChoice = (chosen: string): Html =>
  html`<select name="role">
    ${ROLES.map(
      ([role, may]) => html`<option value="${role}" ${role === chosen && html` selected`}>${role}: ${may}</option>`,
    )}
  </select>`;

const inviting = (asked: Asked, { login, email, role }: Invited, faults: FieldFaults): Html =>
  html`<section class="half">
    <div>
      <h2>Add a person</h2>
      ${form(
        asked,
        html`${focusFirstInvalid(
            html`<label class="field"
                >Name to sign in with
                <input
                  name="login"
                  value="${login}"
                  ${fieldAttributes('login', faults)}
                  required
                  maxlength="60"
                  autocomplete="off"
              /></label>
              ${faultLine('login', faults)}
              <label class="field"
                >E-mail <span class="opt">(optional)</span
                ><input
                  name="email"
                  value="${email}"
                  ${fieldAttributes('email', faults)}
                  type="email"
                  maxlength="255"
                  autocomplete="off"
              /></label>
              ${faultLine('email', faults)}`,
          )}
          <label class="field">Role ${roleChoice(role)}</label>
          <p>${button('invite', 'Create the account', { kind: 'go' })}</p>`,
        { kind: 'stack' },
      )}
    </div>
  </section>`;

/** The form field that each error code is about. */
const FIELD_OF: Readonly<Record<string, string>> = {
  bad_login: 'login',
  login_taken: 'login',
  bad_email: 'email',
  email_taken: 'email',
};

/** Carries out a change of an account, and shows the error if it fails. */
async function withAccount(
  asked: Asked,
  work: () => Promise<HtmlPart>,
  { typed, isToldOnce = false }: { readonly typed?: Invited; readonly isToldOnce?: boolean } = {},
): Promise<Answer> {
  try {
    return { ...(await peoplePage(asked, banner('good', await work(), true))), isToldOnce };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const field = typed && FIELD_OF[error.code];
    const faults = new Map(field === undefined ? [] : [[field, error.message]]);
    const said = banner('bad', html`<p><b>Nothing was changed:</b> ${error.message}</p>`, true);
    return peoplePage(asked, said, typed, faults);
  }
}

const record = (asked: Asked, changes: string): Promise<void> =>
  recordAct(asked.operator.context.database.query(), actorOf(asked), { kind: 'account', details: { changes } });

const isRole = (name: string): boolean => ROLES.some(([role]) => role === name);

/** Changes an account's role; nobody can change their own. */
export const changeRole = (asked: Asked, sent: Sent): Promise<Answer> =>
  withAccount(asked, async () => {
    const [login, role] = [sent.field('login'), sent.field('role')];
    // Account names are not case-sensitive.
    if (login.toLowerCase() === asked.person.login.toLowerCase())
      throw new AppError('bad_role', 'Your own role is changed by another administrator.');
    if (!isRole(role)) throw new AppError('bad_role', `There is no role "${role}".`);
    await asked.operator.people.setRole(login, role);
    await record(
      asked,
      `made ${login} ${role === 'editor' || role === 'author' || role === 'administrator' ? 'an' : 'a'} ${role}`,
    );
    return html`<p>${login} is now: ${role}.</p>`;
  });

/** Gives an account a new password, which is shown once. */
export function newPassword(asked: Asked, sent: Sent): Promise<Answer> {
  const login = sent.field('login');
  const give = async (): Promise<HtmlPart> => {
    const password = await asked.operator.people.newPassword(login);
    await record(asked, `gave ${login} a new password`);
    return passwordShown(login, password);
  };
  return withAccount(asked, give, { isToldOnce: true });
}

/** Creates an account. */
export function invite(asked: Asked, sent: Sent): Promise<Answer> {
  const typed = { login: sent.field('login').trim(), email: sent.field('email').trim(), role: sent.field('role') };
  const { login, email, role } = typed;
  const make = async (): Promise<HtmlPart> => {
    if (!isRole(role)) throw new AppError('bad_role', `There is no role "${role}".`);
    const password = await asked.operator.people.invite(login, role, email === '' ? undefined : email);
    await record(asked, `made an account for ${login}, with the role ${role}`);
    return passwordShown(login, password);
  };
  return withAccount(asked, make, { typed, isToldOnce: true });
}

const passwordShown = (login: string, password: string): Html =>
  html`<p><b>The password of ${login}</b>, shown only this once:</p>
    <p><code>${password}</code></p>
    <p>Hand it over in person, or by another way than the name.</p>`;
