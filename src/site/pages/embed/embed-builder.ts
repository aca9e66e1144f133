import { safeFrame } from '../../../html/link.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { textFromHtml } from '../../../html/text.ts';
import { checkChip } from '../../../look/check-chip.ts';
import { icon } from '../../../look/icons.ts';
import { SHORTCUTS } from '../../../selection/days.ts';
import { LISTS, type ListName } from '../../../selection/selection.ts';
import type { Facet, Facets } from '../../store/coming-facets.ts';
import { categoryTag } from '../../../look/category-mark.ts';
import type { Frame, Page } from '../frame/layout.ts';
import type { Finder } from '../list/finder.ts';
import { languageName, numberInWords } from '../list/in-words.ts';
import { ALL, COUNTS, embeddedOf, embedQuery, type Embedded } from './embedded.ts';

/** `/embed/new`: what a frame on another site is to show, the code for it, and how it looks. */
export async function embedBuilder(frame: Frame, find: Finder, query: URLSearchParams): Promise<Page> {
  const asked = embeddedOf(query);
  const embedded = 'excess' in asked ? ALL : asked;
  const { away } = frame.words;
  return {
    title: away.embed,
    head: html`<meta name="robots" content="noindex">
<script src="${frame.base}/embed.js" defer></script>`,
    frames: true,
    main: html`<div class="head"><h1>${away.embed}</h1><p class="lead">${away.embedLead}</p></div>
<div class="cols">${form(frame, embedded, await find.facets())}
${codes(frame, embedded)}</div>
<section class="stack below" aria-labelledby="preview"><h2 id="preview">${away.preview}</h2>
<div class="card">${plainFrame(frame, embedded, frame.base)}</div></section>`,
  };
}

const CHIPS_MAX = 30;
const OPTIONS_MAX = 150;

// The script sends the form whose id is `filter` at each choice.
function form(frame: Frame, { selection, count, theme }: Embedded, facets: Facets): Html {
  const { base, words, settings } = frame;
  const { finding, away } = words;
  const languages = settings.languages.length > 1 ? settings.languages : [];
  return html`<form class="form" id="filter" method="get" action="${base}/embed/new">
${chips(frame, facets.categories, selection.categories)}
<div class="fields">
${named(frame, 'places', [finding.place, finding.anywhere], facets, selection.places)}
${named(frame, 'organizers', [finding.organizer, finding.anybody], facets, selection.organizers)}
${named(frame, 'tags', [words.tags, finding.anyTag], facets, selection.tags)}
${select('when', finding.days, [['', finding.allComing], ...SHORTCUTS.map((day): Option => [day, finding.shortcuts[day]])], selection.when)}
${
  languages.length > 0 &&
  select(
    'language',
    finding.language,
    [['', finding.anyLanguage], ...languages.map((code): Option => [code, languageName(code, frame)])],
    selection.language,
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
<div class="pills">${checkChip('free', '1', finding.free, selection.free)}</div>
<div><button class="btn main">${away.showCode}</button></div></form>`;
}

type Option = readonly [value: string, name: string];

const optionsOf = (count: number): readonly Option[] =>
  [...new Set<number>([...COUNTS, count])].toSorted((a, b) => a - b).map((each) => [String(each), String(each)]);

/** What is chosen is offered even where no coming event has it. */
function offeredOf(
  facets: readonly Facet[],
  chosen: readonly string[],
  most: number,
): { readonly offered: readonly Facet[]; readonly left: number } {
  const gone = chosen.filter((slug) => !facets.some((facet) => facet.slug === slug));
  const wanted = facets.filter(({ slug }) => chosen.includes(slug));
  const others = facets.filter(({ slug }) => !chosen.includes(slug));
  const all = [...gone.map((slug) => ({ slug, name: html`${slug}`.markup, count: 0 })), ...wanted, ...others];
  return { offered: all.slice(0, most), left: Math.max(0, all.length - most) };
}

function chips(frame: Frame, facets: readonly Facet[], chosen: readonly string[]): Html | false {
  const { offered, left } = offeredOf(facets, chosen, CHIPS_MAX);
  return (
    offered.length > 0 &&
    html`<fieldset><legend>${frame.words.categories}</legend><div class="pills">${joinHtml(
      offered.map((facet) =>
        checkChip(LISTS.categories, facet.slug, categoryTag(frame.mark, facet), chosen.includes(facet.slug)),
      ),
      '\n',
    )}</div>${left > 0 && html`<p class="dim">${furtherOf(frame, left)}</p>`}</fieldset>`
  );
}

const furtherOf = (frame: Frame, left: number): string => frame.words.finding.further(numberInWords(frame, left));

/** One of many; of several that an address asks for, each stays as a box. */
function named(
  frame: Frame,
  kind: Exclude<ListName, 'categories'>,
  [label, none]: readonly [string, string],
  facets: Facets,
  chosen: readonly string[],
): Html | false {
  const { offered, left } = offeredOf(facets[kind], chosen, OPTIONS_MAX);
  if (offered.length === 0) return false;
  if (chosen.length > 1) {
    const boxes = offered
      .slice(0, chosen.length)
      .map(({ slug, name }) => checkChip(LISTS[kind], slug, sanitized(name), true));
    return html`<fieldset><legend>${label}</legend><div class="pills">${joinHtml(boxes, '\n')}</div></fieldset>`;
  }
  const options = offered.map(({ slug, name }): Option => [slug, textFromHtml(name)]);
  return select(
    LISTS[kind],
    label,
    [['', none], ...options],
    chosen[0] ?? '',
    left > 0 ? furtherOf(frame, left) : undefined,
  );
}

const select = (name: string, label: string, options: readonly Option[], chosen: string, more?: string): Html =>
  html`<label for="f-${name}">${label}<select id="f-${name}" name="${name}">${options.map(
    ([value, shown]) => html`<option value="${value}"${value === chosen && html` selected`}>${shown}</option>`,
  )}${more !== undefined && html`<option disabled>${more}</option>`}</select></label>`;

/** A frame of its own, which needs no script; where there is one, it gets the height of what is in it. */
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
  html`<div class="stack tight"><label for="${id}">${label}</label>
<div class="copy"><input id="${id}" readonly value="${text}">
<button type="button" data-copy="${id}" data-done="${away.copied}" data-by-hand="${away.copyByHand}" hidden>
${icon('link')}<span>${away.copy}</span></button></div></div>`;
