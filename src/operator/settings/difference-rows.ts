import { isNoDifference, type Difference, type NamedDifference } from '../../config/change/difference.ts';
import { countInWords } from '../../count-in-words.ts';
import { html, type Html } from '../../html/template.ts';
import { icon, sign } from '../frame/sprite.ts';

/** How many rows are shown. */
const ROWS_MAX = 60;

/** The differences between two configurations, item by item. */
export function differenceRows(difference: Difference): Html {
  if (isNoDifference(difference)) return html`<p class="dim">Nothing: both say the same.</p>`;
  const { sources, feeds, sites, settings, restart } = difference;
  const rows = [
    ...namedRows('source', sources),
    ...sources.renamed.map(({ from, to, keys }) =>
      row(
        'changed',
        html`source <b>${from}</b> is called <b>${to}</b>${keys.length > 0 && html` · ${keys.join(', ')}`}`,
      ),
    ),
    ...namedRows('feed', feeds),
    ...namedRows('site', sites),
    ...settings.map((name) => row('changed', html`<code>${name}</code>`)),
    ...restart.map((what) => row('restart', html`${what} needs a restart; all else does not`)),
  ];
  const more = rows.length - ROWS_MAX;
  return html`<ul class="rows tight">
    ${rows.slice(0, ROWS_MAX)}${more > 0 && html`<li class="dim">${countInWords(more, 'more change')}</li>`}
  </ul>`;
}

type Kind = 'new' | 'changed' | 'removed' | 'restart';

const STATES: Readonly<Record<Kind, Html>> = {
  new: html`<span class="state new">${sign('new')}new</span>`,
  changed: html`<span class="state stale">${sign('stale')}changed</span>`,
  removed: html`<span class="state failing">${sign('failing')}removed</span>`,
  restart: html`<span class="state paused">${icon('again')}restart</span>`,
};

const row = (kind: Kind, what: Html): Html => html`<li>${STATES[kind]} ${what}</li>`;

const namedRows = (thing: string, { added, changed, removed }: NamedDifference): readonly Html[] => [
  ...added.map((name) => row('new', html`${thing} <b>${name}</b>`)),
  ...changed.map(({ name, keys }) => row('changed', html`${thing} <b>${name}</b> · ${keys.join(', ')}`)),
  ...removed.map((name) =>
    row('removed', html`${thing} <b>${name}</b>${thing === 'source' && ' · its events stay until it is forgotten'}`),
  ),
];
