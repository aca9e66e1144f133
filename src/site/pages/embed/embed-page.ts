import { safeLink } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import { spriteFor } from '../../../look/icons.ts';
import { END, IN_ONE_PIECE } from '../../../look/in-one-piece.ts';
import { selectionQuery, type Selection } from '../../../selection/selection.ts';
import type { Frame } from '../frame/layout.ts';
import { dayList } from '../list/event-list.ts';
import type { Finder } from '../list/finder.ts';
import { foundPart } from '../list/found-part.ts';
import { numberInWords } from '../list/in-words.ts';
import { lastingBlock } from '../list/lasting.ts';
import { firstOf } from '../list/question.ts';
import type { FoundDay } from '../views/group-found.ts';
import { embeddedOf, type Embedded } from './embedded.ts';
import { INSIDE_PATH } from './embed-files.ts';

/** `/embed/`: the next events of a selection, for frames on other sites. Its links open new tabs. */
export async function embedPage(
  frame: Frame,
  find: Finder,
  query: URLSearchParams,
): Promise<{ readonly status: number; readonly html: string }> {
  const embedded = embeddedOf(query);
  if ('excess' in embedded) return { status: 400, html: whole(frame, '', html`<p>${frame.words.finding.tooMuch}</p>`) };
  const inTab = { ...frame, ownTab: true } as const;
  const { selection, count, theme } = embedded;
  const [part, lasting] = await Promise.all([
    foundPart(find, firstOf(selection)),
    find.lasting(selection, LASTING_MAX),
  ]);
  const days = firstEntries(part.days, count);
  const shown = days.reduce((sum, { entries }) => sum + entries.length, lasting.events.length);
  const left = part.total + lasting.total - shown;
  return {
    status: 200,
    html: whole(
      frame,
      theme,
      html`${heading(frame, selection)}
${days.length === 0 && lasting.total === 0 ? html`<p>${frame.words.finding.nothing.any}</p>` : dayList(inTab, days, find.today)}
${lastingBlock(inTab, lasting.events, lasting.events.length, { title: frame.words.finding.onAllTime, today: find.today })}
${footer(frame, selection, left)}`,
    ),
  };
}

const LASTING_MAX = 4;

/** The days with the first `count` entries; the last day may have more. */
function firstEntries(days: readonly FoundDay[], count: number): readonly FoundDay[] {
  let room = count;
  return days.flatMap(({ day, entries }) => {
    const shown = entries.slice(0, room);
    room -= shown.length;
    return shown.length > 0 ? [{ day, entries: shown }] : [];
  });
}

const tab = (href: string, shown: string): Html => safeLink({ href, target: '_blank', rel: 'noopener' }, shown);

const withSelection = (address: string, selection: Selection): string =>
  `${address}?${selectionQuery(selection)}`.replace(/\?$/, '');

const heading = ({ settings, look }: Frame, selection: Selection): Html =>
  html`<div class="head"><h1 class="lab" dir="auto">${settings.title}</h1>
${tab(withSelection(`${settings.publicUrl}/`, selection), look.words.allEvents)}</div>`;

function footer(frame: Frame, selection: Selection, left: number): Html {
  const { settings, words } = frame;
  const { away } = words;
  const { publicUrl } = settings;
  const more =
    left > 0 && html`${tab(withSelection(`${publicUrl}/`, selection), away.more(numberInWords(frame, left)))} · `;
  return html`<p class="src">${more}${tab(withSelection(`${publicUrl}/feeds/events`, selection), away.subscribe)}</p>`;
}

function whole({ look, language, settings }: Frame, theme: Embedded['theme'], main: Html): string {
  const { base, files } = look;
  return html`<!doctype html>
<html lang="${language.replace('_', '-')}"${theme !== '' && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${settings.title}</title>
${IN_ONE_PIECE}
<link rel="stylesheet" href="${base}${files.style.path}">
${files.brand && html`<link rel="stylesheet" href="${base}${files.brand.path}">\n`}<script src="${base}${INSIDE_PATH}" defer></script>
</head>
<body>
<main class="embed">
${main}
</main>
${END}
${spriteFor(main.markup)}</body>
</html>
`.markup;
}
