import { escapeHtml } from '../../html/references.ts';
import type { User } from '../users/users.ts';
import type { ApplicationRequest } from './application-request.ts';
import { PASSWORD_LENGTH } from './account-password.ts';
import type { AuthorizeWords } from './words.ts';

/** What every form needs: where it goes, the token that shows it is ours, and the words of its language. */
export interface FormPlace {
  readonly base: string;
  readonly token: string;
  readonly words: AuthorizeWords;
}

/** One application password of a list; its secret is not known any more. */
export interface ListedPassword {
  readonly uuid: string;
  readonly name: string;
  readonly created: Date;
  readonly last_used: Date | null;
}

const form = ({ base, token }: FormPlace, action: string, inner: string, kind = ''): string =>
  `<form method="post" action="${base}/authorize/${action}"${kind}><input type="hidden" name="token" value="${escapeHtml(token)}">\n${inner}\n</form>`;

const hidden = (request: ApplicationRequest): string =>
  Object.entries(request)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(String(value))}">`)
    .join('');

export const problemNote = (problem: string | undefined): string =>
  problem === undefined ? '' : `<p class="note bad" role="alert">${escapeHtml(problem)}</p>`;

/** Signing in; what an application asked for is carried along. */
export const loginForm = (place: FormPlace, request: ApplicationRequest, login: string): string =>
  form(
    place,
    'login',
    `${hidden(request)}
<label>${place.words.login}<input name="login" value="${escapeHtml(login)}" autocomplete="username" required autofocus></label>
<label>${place.words.password}<input type="password" name="password" autocomplete="current-password" required></label>
<div><button class="main">${place.words.signIn}</button></div>`,
    ' class="stack"',
  );

/** Yes or no to an application. Without a name of its own it is given one here. */
export const approvalForm = (place: FormPlace, { app_name, ...rest }: ApplicationRequest): string =>
  form(
    place,
    'approve',
    `${hidden({ ...rest, app_name: '' }).replace('<input type="hidden" name="app_name" value="">', '')}
<label>${place.words.name}<input name="app_name" value="${escapeHtml(app_name)}" maxlength="200" required></label>
<div class="row"><button class="main" name="decision" value="approve">${place.words.yes}</button>
<button name="decision" value="reject" formnovalidate>${place.words.no}</button></div>`,
    ' class="stack"',
  );

export const newPasswordForm = (place: FormPlace): string =>
  form(
    place,
    'create',
    `<label>${place.words.name}<input name="app_name" maxlength="200" required></label>
<div><button>${place.words.make}</button></div>`,
    ' class="stack"',
  );

export const accountForm = (place: FormPlace, { login }: User): string =>
  form(
    place,
    'account',
    `<input name="login" value="${escapeHtml(login)}" autocomplete="username" hidden>
<label>${place.words.former}<input type="password" name="former" autocomplete="current-password" required></label>
<label>${place.words.next(PASSWORD_LENGTH.min)}<input type="password" name="password" autocomplete="new-password" minlength="${PASSWORD_LENGTH.min}" maxlength="${PASSWORD_LENGTH.max}" required></label>
<div><button>${place.words.change}</button></div>`,
    ' class="stack"',
  );

export const signedInLine = (place: FormPlace, { display_name, login, role }: User): string =>
  form(
    place,
    'logout',
    `<span>${place.words.signedInAs(`<strong>${escapeHtml(display_name)}</strong>${display_name === login ? '' : ` (${escapeHtml(login)})`}`, place.words.roles[role])}</span> <button>${place.words.signOut}</button>`,
    ' class="row"',
  );

/** The one time that a password is shown. */
export const newPasswordNote = (
  { words }: FormPlace,
  name: string,
  password: string,
): string => `<div class="note" role="status"><p>${words.madeFor(`<strong>${escapeHtml(name)}</strong>`)}</p>
<p class="secret">${escapeHtml(password.replace(/(.{4})(?=.)/g, '$1 '))}</p>
<p>${words.keep}</p></div>`;

export function passwordTable(place: FormPlace, passwords: readonly ListedPassword[]): string {
  const { words } = place;
  const [application, made, lastUsed] = words.heads;
  if (passwords.length === 0) return `<p class="none">${words.none}</p>`;
  const row = ({
    uuid,
    name,
    created,
    last_used,
  }: ListedPassword): string => `<tr><th scope="row">${escapeHtml(name)}</th><td class="wide">${day(created)}</td><td>${last_used ? day(last_used) : words.never}</td>
<td>${form(place, 'revoke', `<input type="hidden" name="uuid" value="${escapeHtml(uuid)}"><button aria-label="${words.revoke} ${escapeHtml(name)}">${words.revoke}</button>`)}</td></tr>`;
  return `<table class="plain"><thead><tr><th scope="col">${application}</th><th scope="col" class="wide">${made}</th><th scope="col">${lastUsed}</th><td></td></tr></thead><tbody>${passwords.map(row).join('\n')}</tbody></table>`;
}

const day = (date: Date): string => `<time datetime="${date.toISOString()}">${date.toISOString().slice(0, 10)}</time>`;
