import { focusFirstInvalid, describedByNote } from '../../html/invalid-fields.ts';
import { html, joinHtml, type Html } from '../../html/template.ts';
import { wallFromInstant } from '../../time.ts';
import type { User } from '../users/users.ts';
import type { ApplicationRequest } from './application-request.ts';
import { PASSWORD_LENGTH } from './account-password.ts';
import type { AuthorizeWords } from './words.ts';

/** What every form needs: its base address, the token that proves it is ours, and its texts. */
export interface FormPlace {
  readonly base: string;
  readonly token: string;
  /** Identifies this rendering of the page, so that a form sent twice gets one answer. */
  readonly once: string;
  readonly words: AuthorizeWords;
}

/** An application password in a list; its secret is no longer known. */
export interface ListedPassword {
  readonly uuid: string;
  readonly name: string;
  readonly created: Date;
  readonly last_used: Date | null;
}

const form = (place: FormPlace, action: string, inner: Html, kind?: 'form' | 'row'): Html =>
  html`<form method="post" action="${place.base}/authorize/${action}"${kind && html` class="${kind}"`}>
${hidden({ token: place.token, once: place.once })}
${inner}
</form>`;

const hidden = (fields: Partial<ApplicationRequest> | Pick<FormPlace, 'token' | 'once'>): readonly Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

/** A field to which a problem may belong. */
export type AskedField = 'login' | 'app_name' | 'former' | 'password';

/** What went wrong, and in which field, if it was one. */
export interface FormProblem {
  readonly problem: string;
  readonly field?: AskedField;
}

const PROBLEM_ID = 'problem';

export const problemNote = (problem: string | undefined): Html | undefined =>
  problem === undefined ? undefined : html`<p class="note bad" role="alert" id="${PROBLEM_ID}">${problem}</p>`;

const wrongAt = (field: AskedField, fault: FormProblem | undefined): Html | false =>
  fault?.field === field && describedByNote(PROBLEM_ID);

/** The notice of what was done, on the page after the redirect. */
export const doneNote = (done: string): Html => html`<p class="note" role="status">${done}</p>`;

/** The sign-in form, which carries along an application's request. */
export function loginForm(place: FormPlace, request: ApplicationRequest, login: string, fault?: FormProblem): Html {
  const about = fault && describedByNote(PROBLEM_ID, fault.field === 'login');
  return form(
    place,
    'login',
    html`${hidden(request)}
<label>${place.words.login}<input name="login" value="${login}" autocomplete="username" required autofocus${about}></label>
<label>${place.words.password}<input type="password" name="password" autocomplete="current-password" required${about}></label>
<button class="btn main">${place.words.signIn}</button>`,
    'form',
  );
}

const nameField = ({ words }: FormPlace, name: string, fault: FormProblem | undefined): Html =>
  focusFirstInvalid(
    html`<label>${words.name}<input name="app_name" value="${name}" maxlength="200" required${wrongAt('app_name', fault)}></label>`,
  );

/** Approves or rejects an application. If it has no name, the user gives it one here. */
export const approvalForm = (place: FormPlace, { app_name, ...rest }: ApplicationRequest, fault?: FormProblem): Html =>
  form(
    place,
    'approve',
    html`${hidden(rest)}
${nameField(place, app_name, fault)}
<div class="row"><button class="btn main" name="decision" value="approve">${place.words.yes}</button>
<button name="decision" value="reject" formnovalidate>${place.words.no}</button></div>`,
    'form',
  );

export const newPasswordForm = (place: FormPlace, fault?: FormProblem): Html =>
  form(
    place,
    'create',
    html`${nameField(place, '', fault)}
<div><button>${place.words.make}</button></div>`,
    'form',
  );

const { min, max } = PASSWORD_LENGTH;
const FORMER = html`type="password" name="former" autocomplete="current-password" required`;
const NEW_PASSWORD = html`type="password" name="password" autocomplete="new-password" minlength="${min}" maxlength="${max}" required`;

export const accountForm = (place: FormPlace, { login }: User, fault?: FormProblem): Html =>
  form(
    place,
    'account',
    html`<input name="login" value="${login}" autocomplete="username" hidden>
${focusFirstInvalid(html`<label>${place.words.former}<input ${FORMER}${wrongAt('former', fault)}></label>
<label>${place.words.next(PASSWORD_LENGTH.min)}<input ${NEW_PASSWORD}${wrongAt('password', fault)}></label>`)}
<div><button>${place.words.change}</button></div>`,
    'form',
  );

export function signedInLine(place: FormPlace, { display_name, login, role }: User): Html {
  const { words } = place;
  const name = html`<strong>${display_name}</strong>${display_name !== login && ` (${login})`}`;
  return form(
    place,
    'logout',
    html`<span>${words.signedInAs(name, words.roles[role])}</span> <button>${words.signOut}</button>`,
    'row',
  );
}

/** Shows a new password, the only time that it is shown. */
export const newPasswordNote = (
  { words }: FormPlace,
  name: string,
  password: string,
): Html => html`<div class="note" role="status"><p>${words.madeFor(html`<b>${name}</b>`)}</p>
<p class="secret">${password.replace(/(.{4})(?=.)/g, '$1 ')}</p>
<p>${words.keep}</p></div>`;

/** A user's application passwords, with dates in a time zone. */
export function passwordTable(place: FormPlace, passwords: readonly ListedPassword[], zone: string): Html {
  const { words } = place;
  const day = (date: Date): Html =>
    html`<time datetime="${date.toISOString()}">${wallFromInstant(date.getTime(), zone).slice(0, 10)}</time>`;
  const [application, made, lastUsed] = words.heads;
  if (passwords.length === 0) return html`<p class="dim">${words.none}</p>`;
  const row = ({ uuid, name, created, last_used }: ListedPassword): Html => {
    const revoke = html`<input type="hidden" name="uuid" value="${uuid}"><button aria-label="${words.revoke} ${name}">${words.revoke}</button>`;
    return html`<tr><th scope="row">${name}</th><td class="wide">${day(created)}</td><td>${last_used ? day(last_used) : words.never}</td>
<td>${form(place, 'revoke', revoke)}</td></tr>`;
  };
  return html`<table class="plain">
<thead><tr>
<th scope="col">${application}</th><th scope="col" class="wide">${made}</th><th scope="col">${lastUsed}</th><td></td>
</tr></thead>
<tbody>${joinHtml(passwords.map(row), '\n')}</tbody>
</table>`;
}
