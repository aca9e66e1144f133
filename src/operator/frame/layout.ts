import { safeElement } from '../../html/link.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import type { Asked, Page, Place } from './operator.ts';
import { banner, form, linkHere, linkTo, mayChange } from './parts.ts';
import { moment } from './times.ts';
import { icon, sign, SPRITE, type Icon } from './sprite.ts';

/** What the frame around a page shows. */
export interface FrameState {
  /** How many matters wait for this person. */
  readonly waiting: number;
  /** When a worker last gave a sign of life (epoch milliseconds); undefined if never. */
  readonly lastWord: number | undefined;
}

/** The addresses of the files that every page loads. */
export interface AssetPaths {
  /** The path before every address of the program, including the script's. */
  readonly base: string;
  readonly style: string;
  /** The style sheet with the operator's colour, which the public pages load as well. */
  readonly brand?: string | undefined;
  readonly script: string;
}

const MARK = html`<svg
  viewBox="0 0 32 32"
  aria-hidden="true"
  fill="none"
  stroke="currentColor"
  stroke-width="2.4"
  stroke-linecap="round"
  stroke-linejoin="round"
>
  <path
    d="M5 9a3 3 0 0 1 3-3h16a3 3 0 0 1 3 3v4M27 23a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3v-4M11 3v5M21 3v5M4 16h22l-4-4M28 16"
  />
</svg>`;

const PLACES: readonly (readonly [place: Place, path: string, word: string, icon?: Icon])[] = [
  ['todo', '/', 'To do', 'todo'],
  ['sources', '/sources/', 'Sources', 'sources'],
  ['events', '/events/', 'Events', 'events'],
  ['runs', '/runs/', 'Runs', 'runs'],
  ['settings', '/settings/', 'Settings'],
  ['help', '/help/', 'Help'],
];

interface Document {
  readonly title: string;
  readonly assets: AssetPaths;
  readonly top: HtmlPart;
  readonly main: Html;
  readonly live?: string | undefined;
  readonly isReview?: boolean | undefined;
}

/** The content of a page, without the bar above it. */
export const mainOf = (asked: Asked, standing: FrameState, page: Page): Html =>
  mainElement(html`${SILENCE}${silentNote(asked, standing)}${page.main}`);

const mainElement = (content: HtmlPart): Html => html`<main id="main">${content}</main>`;

/** A complete HTML document of the console. */
const documentOf = ({ title, assets, top, main, live, isReview }: Document): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${safeElement('link', { rel: 'stylesheet', href: assets.style })}${assets.brand !== undefined && safeElement('link', { rel: 'stylesheet', href: assets.brand })}
<script type="module" src="${assets.base}${assets.script}"></script>
</head>
<body${live !== undefined && html` data-live="${live}"`}${isReview && html` class="reviewing"`}>
<a class="skip" href="#main">Skip to content</a>
${SPRITE}
${top}
${main}
</body>
</html>
`.markup;

const SILENCE = html`<div class="banner bad" role="alert" data-silence hidden>
  ${sign('failing')}
  <div>
    <b>calsyncd has not responded for more than a minute.</b> What you see may be out of date. Buttons are disabled
    until it responds again; nothing is lost.
  </div>
</div>`;

/** Without script, tells when the page was made. */
function withoutScript(asked: Asked): Html {
  const { now, operator } = asked;
  const asOf = moment(now, operator.config().builtin.timezone, now);
  return html`<noscript
    ><p class="small dim">As of ${asOf}. <a href="${linkHere(asked)}">Reload</a></p></noscript
  >`;
}

/** After this long without a sign of life from a worker, no feeds are being read. */
const SILENT_MS = 90_000;

/** The document of a page for someone who is signed in. `siteTitle` is the name of the calendar. */
export function pageDocument(
  asked: Asked,
  siteTitle: string,
  assets: AssetPaths,
  standing: FrameState,
  page: Page,
): string {
  return documentOf({
    title: `${page.title} · ${siteTitle} console`,
    assets,
    top: html`${topBar(asked, siteTitle, standing, page.place)}${withoutScript(asked)}`,
    main: mainOf(asked, standing, page),
    live: linkTo(
      asked,
      `/live?${new URLSearchParams([
        ['page', linkHere(asked)],
        ['once', asked.once],
        ...['waiting', ...(page.live ?? [])].map((part): [string, string] => ['part', part]),
      ]).toString()}`,
    ),
    isReview: page.isReview,
  });
}

function silentNote({ now }: Asked, { lastWord }: FrameState): Html | false {
  if (lastWord !== undefined && now - lastWord < SILENT_MS) return false;
  return banner(
    'bad',
    html`<p>
      <b>No worker of calsyncd is running.</b> Feeds are not read and nothing is written until one is:
      <code>calsyncd start</code>, or <code>start --role worker</code> beside this process.
    </p>`,
  );
}

/** The number of waiting matters beside the navigation link. */
export const waitingMark = (waiting: number): Html =>
  html`<span id="waiting"
    >${
      waiting > 0 &&
      html`<span class="count"><span class="vh">, </span>${waiting}<span class="vh"> waiting</span></span>`
    }</span
  >`;

function topBar(asked: Asked, siteTitle: string, standing: FrameState, here: Place | undefined): Html {
  const { person, now } = asked;
  const to = (path: string): string => linkTo(asked, path);
  const entry = ([place, path, word, sign]: (typeof PLACES)[number]): Html =>
    html`<a${sign === undefined && html` class="wide"`} href="${to(path)}" data-go="${place}"${
      place === here && html` aria-current="page"`
    }>${sign && icon(sign)}${word}${place === 'todo' && waitingMark(standing.waiting)}</a>`;
  const signOut = form(asked, html`<button class="item btn">Sign out</button>`, { path: '/signout' });
  const seconds = standing.lastWord === undefined ? undefined : Math.round((now - standing.lastWord) / 1000);
  return html`<header class="top">
    <div>
      <a class="brand" href="${to('/')}">${MARK}<span>${siteTitle}</span></a>
      <nav class="nav" aria-label="Main">
        ${PLACES.map(entry)}
        <details class="menu phone">
          <summary>${icon('more')}More</summary>
          <div>
            <a class="btn item" href="${to('/settings/')}">Settings</a
            ><a class="btn item" href="${to('/help/')}">Help</a
            >${mayChange(asked) && html`<a class="btn item" href="${to('/add/')}">Add a source</a>`}${signOut}
          </div>
        </details>
      </nav>
      <form class="end" role="search" action="${to('/events/')}">
        <input class="find" type="search" name="q" placeholder="Find an event  /" aria-label="Find an event" />
      </form>
      ${
        seconds !== undefined &&
        html`<span class="pulse" data-last="calsyncd, % ago" data-ago="${seconds}">calsyncd, ${seconds} s ago</span>`
      }
      <details class="menu who">
        <summary class="btn bare">${icon('person')}${person.name}</summary>
        <div>
          ${mayChange(asked) && html`<a class="btn item" href="${to('/settings/people/')}">Accounts</a>`}<button
            class="item btn"
            type="button"
            data-keys
            hidden
          >
            Single keys</button
          >${signOut}
        </div>
      </details>
    </div>
  </header>`;
}

/** The document of a page for someone who is not signed in, without navigation. */
export const gateDocument = (siteTitle: string, assets: AssetPaths, title: string, main: HtmlPart): string =>
  documentOf({
    title: `${title} · ${siteTitle} console`,
    assets,
    top: html`<header class="top">
      <div>
        <span class="brand">${MARK}<span>${siteTitle}</span><small>console</small></span>
      </div>
    </header>`,
    main: mainElement(html`<div class="gate stack-4">${main}</div>`),
  });
