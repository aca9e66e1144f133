import { escapeHtml } from '../../html.ts';
import type { User } from '../users.ts';
import type { ApplicationRequest } from './application-request.ts';
import { PASSWORD_LENGTH } from './account-password.ts';

/** What every form needs: where it goes, and the token that shows it is ours. */
export interface FormPlace { readonly base: string; readonly token: string }

/** One application password of a list; its secret is not known any more. */
export interface ListedPassword { readonly uuid: string; readonly name: string; readonly created: Date; readonly last_used: Date | null }

const form = ({ base, token }: FormPlace, action: string, inner: string, kind = ''): string =>
  `<form method="post" action="${base}/authorize/${action}"${kind}><input type="hidden" name="token" value="${escapeHtml(token)}">\n${inner}\n</form>`;

const hidden = (request: ApplicationRequest): string =>
  Object.entries(request).map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(String(value))}">`).join('');

export const problemNote = (problem: string | undefined): string => (problem === undefined ? '' : `<p class="note bad" role="alert">${escapeHtml(problem)}</p>`);

/** Signing in; what an application asked for is carried along. */
export const loginForm = (place: FormPlace, request: ApplicationRequest, login: string): string => form(place, 'login', `${hidden(request)}
<label>User name or e-mail address<input name="login" value="${escapeHtml(login)}" autocomplete="username" required autofocus></label>
<label>Password<input type="password" name="password" autocomplete="current-password" required></label>
<div><button class="main">Sign in</button></div>`, ' class="stack"');

/** Yes or no to an application. Without a name of its own it is given one here. */
export const approvalForm = (place: FormPlace, { app_name, ...rest }: ApplicationRequest): string => form(place, 'approve', `${hidden({ ...rest, app_name: '' }).replace('<input type="hidden" name="app_name" value="">', '')}
<label>Name of the application<input name="app_name" value="${escapeHtml(app_name)}" maxlength="200" required></label>
<div class="row"><button class="main" name="decision" value="approve">Yes, I approve</button>
<button name="decision" value="reject" formnovalidate>No, I do not</button></div>`, ' class="stack"');

export const newPasswordForm = (place: FormPlace): string => form(place, 'create', `<label>Name of the application<input name="app_name" maxlength="200" required></label>
<div><button>Make an application password</button></div>`, ' class="stack"');

export const accountForm = (place: FormPlace, { login }: User): string => form(place, 'account', `<input name="login" value="${escapeHtml(login)}" autocomplete="username" hidden>
<label>Your password until now<input type="password" name="former" autocomplete="current-password" required></label>
<label>New password, at least ${PASSWORD_LENGTH.min} characters<input type="password" name="password" autocomplete="new-password" minlength="${PASSWORD_LENGTH.min}" maxlength="${PASSWORD_LENGTH.max}" required></label>
<div><button>Change my password</button></div>`, ' class="stack"');

export const signedInLine = (place: FormPlace, { display_name, login, role }: User): string =>
  form(place, 'logout', `<span>You are signed in as <strong>${escapeHtml(display_name)}</strong>${display_name === login ? '' : ` (${escapeHtml(login)})`}, ${role}.</span> <button>Sign out</button>`, ' class="row"');

/** The one time that a password is shown. */
export const newPasswordNote = (name: string, password: string): string => `<div class="note" role="status"><p>The new password for <strong>${escapeHtml(name)}</strong> is:</p>
<p class="secret">${escapeHtml(password.replace(/(.{4})(?=.)/g, '$1 '))}</p>
<p>Keep it in a safe place: it is not shown again. The spaces do not matter.</p></div>`;

export function passwordTable(place: FormPlace, passwords: readonly ListedPassword[]): string {
  if (passwords.length === 0) return '<p class="none">You have no application passwords.</p>';
  const row = ({ uuid, name, created, last_used }: ListedPassword): string => `<tr><th scope="row">${escapeHtml(name)}</th><td class="wide">${day(created)}</td><td>${last_used ? day(last_used) : 'never'}</td>
<td>${form(place, 'revoke', `<input type="hidden" name="uuid" value="${escapeHtml(uuid)}"><button aria-label="Revoke ${escapeHtml(name)}">Revoke</button>`)}</td></tr>`;
  return `<table class="plain"><thead><tr><th scope="col">Application</th><th scope="col" class="wide">Made</th><th scope="col">Last used</th><td></td></tr></thead><tbody>${passwords.map(row).join('\n')}</tbody></table>`;
}

const day = (date: Date): string => `<time datetime="${date.toISOString()}">${date.toISOString().slice(0, 10)}</time>`;
