import { safeLink } from '../../html/link.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { icon, sign, type Icon, type Sign } from './sprite.ts';
import type { Asked } from './operator.ts';

/**
 * The address of a page; `path` begins with `/` and is relative to `/operator`. Values from outside must be encoded
 * already.
 */
export const linkTo = ({ base }: Pick<Asked, 'base'>, path: string): string => `${base}/operator${path}`;

/** A page's path relative to `/operator`. */
export const pathBelow = ({ pathname }: URL): string => pathname.replace(/^.*?\/operator(?=\/|$)/, '');

/** The address of the requested page, optionally with other parameters. */
export function linkHere(
  { base, url }: Pick<Asked, 'base' | 'url'>,
  query: URLSearchParams = url.searchParams,
): string {
  return linkTo({ base }, `${pathBelow(url)}${query.size > 0 ? '?' : ''}${query.toString()}`);
}

/** Whether the person may change the configuration and accounts; only administrators are shown links to that. */
export const mayChange = ({ person }: Pick<Asked, 'person'>): boolean => person.role === 'administrator';

/** A state's sign and word. */
export const state = (name: Sign, options: { readonly isPill?: boolean; readonly word?: string } = {}): Html =>
  html`<span class="state ${name}${options.isPill && ' pill'}">${sign(name)}${options.word ?? name}</span>`;

/** How many events a run created, changed and removed; zeros are left out. */
export function delta(created: number, changed: number, removed: number): Html {
  return html`<span class="delta"
    >${counted('a', '+', created, 'new')}${counted('c', '~', changed, 'changed')}${counted('r', '−', removed, 'removed')}</span
  >`;
}

const counted = (kind: string, mark: string, count: number, word: string): HtmlPart =>
  count > 0 &&
  html`<span class="${kind}"><span aria-hidden="true">${mark}</span>${count}<span class="vh"> ${word}</span></span>`;

export type Tone = 'info' | 'bad' | 'warn' | 'good';
const SIGN_OF: Readonly<Record<Tone, Sign>> = { info: 'held', bad: 'failing', warn: 'stale', good: 'well' };

/** A message beside what it concerns. `isNews` marks the answer to what the user has just done. */
export const banner = (tone: Tone, content: HtmlPart, isNews = false): Html =>
  html`<div class="banner ${tone !== 'info' && tone}" ${isNews && html` role="status"`}>
    ${sign(SIGN_OF[tone])}
    <div class="stack">${content}</div>
  </div>`;

/** The parameters that tell a page about an act just done. */
const SAID = ['said', 'saved', 'removed', 'tested', 'done'];
/** The parameters without those, which concern only the last act. */
const unsaid = ({ searchParams }: URL): URLSearchParams =>
  new URLSearchParams([...searchParams].filter(([name]) => !SAID.includes(name)));

/**
 * A form with the token that marks it as ours, sent to `path`, by default that of its page. Its buttons are named `do`.
 */
export function form(
  asked: Asked,
  content: HtmlPart,
  { path, kind, id }: { readonly path?: string; readonly kind?: string; readonly id?: string } = {},
): Html {
  const to = path === undefined ? linkHere(asked, unsaid(asked.url)) : linkTo(asked, path);
  return html`<form
    method="post"
    action="${to}"
    ${kind !== undefined && html` class="${kind}"`}${id !== undefined && html` id="${id}"`}
  >
    ${tokenField(asked)}${content}
  </form>`;
}

export const tokenField = ({ caller, once }: Pick<Asked, 'caller' | 'once'>): Html =>
  html`<input type="hidden" name="token" value="${caller.token}" /><input type="hidden" name="once" value="${once}" />`;

/**
 * A submit button; `name` is a key of the page's `acts`. `to` sends the form to another address, with the fragment that
 * answers.
 */
export const button = (
  name: string,
  text: HtmlPart,
  {
    kind,
    to,
    ...options
  }: {
    readonly kind?: 'go' | 'bare' | 'danger' | 'bare danger' | 'item btn';
    readonly icon?: Icon;
    readonly to?: string;
  } = {},
): Html =>
  html`<button
    name="do"
    value="${name}"
    ${kind !== undefined && html` class="${kind}"`}${to !== undefined && html` formaction="${to}"`}
  >
    ${options.icon && icon(options.icon)}${text}
  </button>`;

/** A menu that opens in place, even without script. */
export const menu = (label: HtmlPart, content: HtmlPart, kind = ''): Html =>
  html`<details class="menu ${kind}">
    <summary class="btn bare">${label}</summary>
    <div>${content}</div>
  </details>`;

/** The head of a page: its only `h1`, a sentence, and buttons. */
export const head = (title: HtmlPart, sentence?: HtmlPart, acts?: HtmlPart): Html =>
  html`<div class="head">
    <div>
      <h1>${title}</h1>
      ${sentence && html`<p>${sentence}</p>`}
    </div>
    ${acts && html`<div class="row">${acts}</div>`}
  </div>`;

/** Breadcrumbs: links to the pages above this one. */
export const crumbs = (asked: Pick<Asked, 'base'>, pages: readonly (readonly [path: string, text: string])[]): Html =>
  html`<p class="crumb">
    ${pages.map(([path, text], index) => html`${index > 0 && ' · '}<a href="${linkTo(asked, path)}">${text}</a>`)}
  </p>`;

/** The number of a page of a list, from 1; invalid numbers give the first page. */
export const pageNumber = (text: string | null | undefined): number =>
  Math.max(1, Number(/^\d{1,9}$/.exec(text ?? '')?.[0] ?? 1));

/** A link that filters a list by GET parameters, or a tab. */
export interface Choice {
  readonly href: string;
  readonly text: HtmlPart;
  readonly count?: number;
  readonly isChosen: boolean;
}

export const chips = (label: string, choices: readonly Choice[]): Html =>
  html`<nav class="chips" aria-label="${label}">
    ${choices.map(({ href, text, count, isChosen }) =>
      safeLink(
        { class: 'chip', href, 'aria-current': isChosen ? 'true' : undefined },
        html`${text}${count !== undefined && html` <b>${count}</b>`}`,
      ),
    )}
  </nav>`;

export const tabs = (label: string, choices: readonly Choice[]): Html =>
  html`<nav class="tabs" aria-label="${label}">
    ${choices.map(({ href, text, isChosen }) =>
      safeLink({ href, 'aria-current': isChosen ? 'page' : undefined }, text),
    )}
  </nav>`;
