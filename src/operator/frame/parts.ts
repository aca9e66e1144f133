import { safeLink } from '../../html/link.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { icon, sign, type Icon, type Sign } from './sprite.ts';
import type { Asked } from './operator.ts';

/** The address of a page: `path` begins with `/` and is below `/operator`. Parts that come from outside are encoded. */
export const linkTo = ({ base }: Pick<Asked, 'base'>, path: string): string => `${base}/operator${path}`;

/** The path of a page below `/operator`. */
export const pathBelow = ({ pathname }: URL): string => pathname.replace(/^.*?\/operator(?=\/|$)/, '');

/** The address of the page that was asked for, or of the same with other parameters. */
export function linkHere(
  { base, url }: Pick<Asked, 'base' | 'url'>,
  query: URLSearchParams = url.searchParams,
): string {
  return linkTo({ base }, `${pathBelow(url)}${query.size > 0 ? '?' : ''}${query.toString()}`);
}

/** Only administrators change the configuration and accounts: others are shown no way there. */
export const mayChange = ({ person }: Pick<Asked, 'person'>): boolean => person.role === 'administrator';

/** A state: its sign and its word. */
export const state = (name: Sign, options: { readonly isPill?: boolean; readonly word?: string } = {}): Html =>
  html`<span class="state ${name}${options.isPill && ' pill'}">${sign(name)}${options.word ?? name}</span>`;

/** What a run created, changed and removed; what is none is left out. */
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

/** A message at the place that it is about. `isNews`: it is the answer to what somebody has just done. */
export const banner = (tone: Tone, content: HtmlPart, isNews = false): Html =>
  html`<div class="banner ${tone !== 'info' && tone}" ${isNews && html` role="status"`}>
    ${sign(SIGN_OF[tone])}
    <div class="stack">${content}</div>
  </div>`;

/** What the address of a page tells of an act that is done. */
const SAID = ['said', 'saved', 'removed', 'tested', 'done'];
/** What the next act says is about that act alone. */
const unsaid = ({ searchParams }: URL): URLSearchParams =>
  new URLSearchParams([...searchParams].filter(([name]) => !SAID.includes(name)));

/**
 * A form that is sent to `path` (that of the page it stands on, where left out), with what tells that it is ours. Its
 * buttons are named `do`.
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
 * A button that does something: `name` as the page's `acts` have it. `to`: where the form is sent instead, with the part
 * of the page that answers.
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

/** A menu that opens in place, without script too. */
export const menu = (label: HtmlPart, content: HtmlPart, kind = ''): Html =>
  html`<details class="menu ${kind}">
    <summary class="btn bare">${label}</summary>
    <div>${content}</div>
  </details>`;

/** The head of a page: its one `h1`, a sentence, and what can be done here. */
export const head = (title: HtmlPart, sentence?: HtmlPart, acts?: HtmlPart): Html =>
  html`<div class="head">
    <div>
      <h1>${title}</h1>
      ${sentence && html`<p>${sentence}</p>`}
    </div>
    ${acts && html`<div class="row">${acts}</div>`}
  </div>`;

/** The way back: pages above this one. */
export const crumbs = (asked: Pick<Asked, 'base'>, pages: readonly (readonly [path: string, text: string])[]): Html =>
  html`<p class="crumb">
    ${pages.map(([path, text], index) => html`${index > 0 && ' · '}<a href="${linkTo(asked, path)}">${text}</a>`)}
  </p>`;

/** The number of a page of a list, from 1; whatever is none is the first. */
export const pageNumber = (text: string | null | undefined): number =>
  Math.max(1, Number(/^\d{1,9}$/.exec(text ?? '')?.[0] ?? 1));

/** Links that choose what a list shows: filters, as GET parameters; tabs likewise. */
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
