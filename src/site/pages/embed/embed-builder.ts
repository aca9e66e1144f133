import { safeFrame } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import { checkChip } from '../../../look/check-chip.ts';
import { icon } from '../../../look/icons.ts';
import { CHIPS_MAX, picker } from '../../../look/picker.ts';
import { isShortcut, SHORTCUTS } from '../../../selection/days.ts';
import type { ListName } from '../../../selection/selection.ts';
import type { Facets } from '../../store/coming-facets.ts';
import { dayInWords } from '../frame/dates.ts';
import type { Frame, Page } from '../frame/layout.ts';
import type { Finder } from '../list/finder.ts';
import { languageName } from '../list/in-words.ts';
import { openNames, settledNames } from '../list/typed-names.ts';
import { penOf, pickingOf } from '../list/offers.ts';
import { ALL, COUNTS, embeddedOf, embedQuery, type Embedded } from './embedded.ts';

/** `/embed/new`: chooses what a frame on another site shows, with its code and a preview. */
export async function embedBuilder(frame: Frame, find: Finder, query: URLSearchParams): Promise<Page> {
  const names = await settledNames(find, query);
  const asked = embeddedOf(names.query);
  const embedded = 'excess' in asked ? ALL : asked;
  const { selection } = embedded;
  const withOne = (kind: ListName, slug: string): string =>
    `${frame.base}/embed/new?${embedQuery({ ...embedded, selection: { ...selection, [kind]: [...selection[kind], slug] } })}`;
  const { away } = frame.words;
  return {
    title: away.embed,
    head: html`<meta name="robots" content="noindex">
<script src="${frame.base}/embed.js" defer></script>`,
    frames: true,
    main: html`<div class="head"><h1>${away.embed}</h1><p class="lead">${away.embedLead}</p></div>
${openNames(frame, names.open, withOne)}
<div class="cols">${form(frame, embedded, await find.facets())}
${codes(frame, embedded)}</div>
<section class="stack below" aria-labelledby="preview"><h2 id="preview">${away.preview}</h2>
<div class="card">${plainFrame(frame, embedded, frame.base)}</div></section>`,
  };
}

// The script submits the form with the id `filter` on each choice.
function form(frame: Frame, { selection, count, theme }: Embedded, facets: Facets): Html {
  const { base, words, settings } = frame;
  const { finding, away } = words;
  const codes = [...new Set([...settings.languages, selection.language])].filter((code) => code !== '');
  const { when, from, language } = selection;
  // A day chosen elsewhere can be kept or removed.
  const day: readonly Option[] = when === '' || isShortcut(when) ? [] : [[when, dayInWords(when, frame.language)]];
  const pick = (kind: ListName): Html | undefined =>
    picker(penOf(frame), { ...pickingOf(frame, kind, facets, selection[kind]), chips: CHIPS_MAX });
  return html`<form class="form" id="filter" method="get" action="${base}/embed/new">
${[pick('categories'), pick('places'), pick('organizers'), pick('tags')]}
<div class="fields">
${from === '' && select('when', finding.days, [['', finding.allComing], ...SHORTCUTS.map((name): Option => [name, finding.shortcuts[name]]), ...day], when)}
${
  (codes.length > 1 || language !== '') &&
  select(
    'language',
    finding.language,
    [['', finding.anyLanguage], ...codes.map((code): Option => [code, languageName(code, frame)])],
    language,
  )
}
<label for="words">${away.withWords}<input id="words" type="search" name="search" value="${selection.search}"></label>
${select('count', away.count, optionsOf(count), String(count))}
${select(
  'theme',
  away.look,
  [
    ['', away.looks.device],
    ['light', away.looks.light],
    ['dark', away.looks.dark],
  ],
  theme,
)}
</div>
<div class="pills">${checkChip('free', '1', finding.free, selection.free)}
${from !== '' && checkChip('from', from, finding.from(dayInWords(from, frame.language)), true)}</div>
<div><button class="btn main">${away.showCode}</button></div></form>`;
}

type Option = readonly [value: string, name: string];

const optionsOf = (count: number): readonly Option[] =>
  [...new Set<number>([...COUNTS, count])].toSorted((a, b) => a - b).map((each) => [String(each), String(each)]);

const select = (name: string, label: string, options: readonly Option[], chosen: string): Html =>
  html`<label for="f-${name}">${label}<select id="f-${name}" name="${name}">${options.map(
    ([value, shown]) => html`<option value="${value}"${value === chosen && html` selected`}>${shown}</option>`,
  )}</select></label>`;

/** A frame that works without a script; with one, it adapts to the height of its contents. */
function plainFrame(
  { settings }: Frame,
  embedded: Embedded,
  publicUrl: string,
  look: { readonly style?: string } = {},
): Html | undefined {
  const src = `${publicUrl}/embed/?${embedQuery(embedded)}`.replace(/\?$/, '');
  return safeFrame({ src, title: settings.title, width: '100%', height: '600', loading: 'lazy', ...look });
}

function codes(frame: Frame, embedded: Embedded): Html {
  const { settings, words } = frame;
  const { publicUrl, title } = settings;
  const { away } = words;
  const plain = plainFrame(frame, embedded, publicUrl, { style: 'border:0' })?.markup ?? '';
  const sizing = html`<script src="${publicUrl}/embed.js" async></script>`.markup;
  const made = html`<script src="${publicUrl}/embed.js" data-query="${embedQuery(embedded)}" data-title="${title}" async></script>`;
  return html`<aside class="card panel stack" aria-labelledby="code"><h2 id="code">${away.code}</h2>
${field(away, 'with-script', away.withScript, `${plain}${sizing}`)}
${field(away, 'script-only', away.scriptOnly, made.markup)}
${field(away, 'plain', away.withoutScript, plain)}
<p class="src">${away.noCookies}</p></aside>`;
}

const field = (away: Frame['words']['away'], id: string, label: string, text: string): Html =>
  html`<div class="stack tight"><label for="${id}" id="${id}-label">${label}</label>
<div class="copy"><input id="${id}" readonly value="${text}">
<button type="button" id="${id}-copy" aria-labelledby="${id}-copy ${id}-label"
data-copy="${id}" data-done="${away.copied}" data-by-hand="${away.copyByHand}" hidden>
${icon('link')}<span>${away.copy}</span></button></div></div>`;
