import { html, type Html } from '../../html/template.ts';

// Signs of states, which differ in outline as well as in colour, and icons. They are inlined once per page, so that
// `use` needs no request, which the policy forbids. A prefix keeps their ids apart from those that links lead to.
const SYMBOLS = html`
  <symbol id="i-well" viewBox="0 0 16 16">
    <circle cx="8" cy="8" r="7.2" fill="currentColor" />
    <path
      class="k"
      d="M4.7 8.3l2.3 2.3 4.3-4.9"
      fill="none"
      stroke-width="1.9"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </symbol>
  <symbol id="i-failing" viewBox="0 0 16 16">
    <path d="M5 .8h6L15.2 5v6L11 15.2H5L.8 11V5z" fill="currentColor" />
    <path class="k" d="M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2" stroke-width="1.9" stroke-linecap="round" />
  </symbol>
  <symbol id="i-held" viewBox="0 0 16 16">
    <path d="M8 .3L15.7 8 8 15.7.3 8z" fill="currentColor" />
    <path class="k" d="M8 4.3v4.4M8 11.3v.2" stroke-width="2" stroke-linecap="round" />
  </symbol>
  <symbol id="i-late" viewBox="0 0 16 16">
    <circle cx="8" cy="8" r="6.6" fill="none" stroke="currentColor" stroke-width="1.6" />
    <path d="M8 8V1.4A6.6 6.6 0 0 1 14.6 8z" fill="currentColor" />
  </symbol>
  <symbol id="i-stale" viewBox="0 0 16 16">
    <circle cx="8" cy="8" r="6.6" fill="none" stroke="currentColor" stroke-width="1.6" />
    <path
      d="M4.4 9c1.2-2.2 2.4-2.2 3.6-1s2.4 1.2 3.6-1"
      fill="none"
      stroke="currentColor"
      stroke-width="1.7"
      stroke-linecap="round"
    />
  </symbol>
  <symbol id="i-paused" viewBox="0 0 16 16">
    <circle cx="8" cy="8" r="6.6" fill="none" stroke="currentColor" stroke-width="1.6" />
    <path d="M6.2 5.2v5.6M9.8 5.2v5.6" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
  </symbol>
  <symbol id="i-new" viewBox="0 0 16 16">
    <circle cx="8" cy="8" r="6.6" fill="none" stroke="currentColor" stroke-width="1.6" stroke-dasharray="2.6 2.58" />
  </symbol>
  <symbol id="i-live" viewBox="0 0 16 16">
    <circle cx="8" cy="8" r="6.6" fill="none" stroke="currentColor" stroke-width="1.6" />
    <circle cx="8" cy="8" r="3" fill="currentColor" />
  </symbol>
  <symbol id="i-todo" viewBox="0 0 24 24"><path d="M4 6h.01M4 12h.01M4 18h.01M9 6h11M9 12h11M9 18h7" /></symbol>
  <symbol id="i-sources" viewBox="0 0 24 24"><path d="M4 7c5 0 6 5 10 5h6M4 17c5 0 6-5 10-5M17 8l4 4-4 4" /></symbol>
  <symbol id="i-events" viewBox="0 0 24 24"><path d="M4 6h16v14H4zM4 10h16M8 3v4M16 3v4" /></symbol>
  <symbol id="i-runs" viewBox="0 0 24 24"><path d="M4 12a8 8 0 1 0 2.6-5.9M4 4v4h4M12 8v4l3 2" /></symbol>
  <symbol id="i-more" viewBox="0 0 24 24"><path d="M5 12h.01M12 12h.01M19 12h.01" stroke-width="2.6" /></symbol>
  <symbol id="i-table" viewBox="0 0 24 24"><path d="M4 5h16v14H4zM4 10h16M10 5v14" /></symbol>
  <symbol id="i-person" viewBox="0 0 24 24">
    <circle cx="12" cy="8" r="3.5" />
    <path d="M5 20c1-4 4-5.5 7-5.5s6 1.5 7 5.5" />
  </symbol>
  <symbol id="i-file" viewBox="0 0 24 24"><path d="M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6" /></symbol>
  <symbol id="i-undo" viewBox="0 0 24 24"><path d="M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3" /></symbol>
  <symbol id="i-mail" viewBox="0 0 24 24"><path d="M3 6h18v12H3zM3 7l9 7 9-7" /></symbol>
  <symbol id="i-bell" viewBox="0 0 24 24"><path d="M6 17V11a6 6 0 0 1 12 0v6l2 1H4zM10 21h4" /></symbol>
  <symbol id="i-again" viewBox="0 0 24 24"><path d="M20 12a8 8 0 1 1-2.6-5.9M20 4v4h-4" /></symbol>
  <symbol id="i-plus" viewBox="0 0 24 24"><path d="M12 5v14M5 12h14" /></symbol>
  <symbol id="i-pin" viewBox="0 0 24 24"><path d="M9 4h6l-1 6 3 3H7l3-3zM12 13v7" /></symbol>
  <symbol id="i-open" viewBox="0 0 24 24"><path d="M9 5H5v14h14v-4M13 5h6v6M19 5l-8 8" /></symbol>
`;

export const SPRITE = html`<svg class="vh" width="0" height="0" aria-hidden="true">${SYMBOLS}</svg>`;

export type Sign = 'well' | 'failing' | 'held' | 'late' | 'stale' | 'paused' | 'new' | 'live';

export type Icon =
  | 'todo'
  | 'sources'
  | 'events'
  | 'runs'
  | 'more'
  | 'table'
  | 'person'
  | 'file'
  | 'undo'
  | 'mail'
  | 'bell'
  | 'again'
  | 'plus'
  | 'pin'
  | 'open';

/** The sign of a state; its word has to be beside it. */
export const sign = (name: Sign): Html =>
  html`<svg class="sign ${name}" aria-hidden="true"><use href="#i-${name}" /></svg>`;

export const icon = (name: Icon): Html => html`<svg class="i" aria-hidden="true"><use href="#i-${name}" /></svg>`;
