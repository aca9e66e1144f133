import { messageHtml } from '../sources/message-html.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import type { GeneralMatter } from '../../run/watch/general-matters.ts';
import type { Matter, MatterKind } from '../../run/watch/matters.ts';
import { matterInWords } from '../../run/watch/matters-in-words.ts';
import { lowerFirst, WHO_WORDS, whoMustAct } from '../../run/watch/state-in-words.ts';
import { form, linkTo, mayChange } from '../frame/parts.ts';
import { sign, type Sign } from '../frame/sprite.ts';
import { moment } from '../frame/times.ts';
import type { Asked } from '../frame/operator.ts';
import { columnsPath } from '../sources/columns.ts';
import { conflictsPath, runPath, sourcePath } from '../sources/paths.ts';

/** Where a matter is decided, and the label of the button there. */
interface Way {
  readonly sign: Sign;
  readonly path: string;
  readonly button: string;
  readonly isUrgent: boolean;
}

const WAYS: Readonly<Record<MatterKind, (matter: Matter) => Way>> = {
  held: ({ facts: { held }, source }) => ({
    sign: 'held',
    path: held ? runPath(held.run) : sourcePath(source),
    button: 'Review',
    isUrgent: true,
  }),
  failing: failingWay,
  conflicts: ({ source }) => ({ sign: 'held', path: conflictsPath(source), button: 'Settle', isUrgent: true }),
  late: ({ source }) => ({ sign: 'late', path: sourcePath(source), button: 'See why', isUrgent: false }),
  dropped: ({ source }) => ({ sign: 'stale', path: sourcePath(source), button: 'Look', isUrgent: false }),
  moved: ({ source }) => ({ sign: 'stale', path: sourcePath(source, 'settings'), button: 'See why', isUrgent: false }),
  empty: ({ source }) => ({ sign: 'stale', path: sourcePath(source, 'rules'), button: 'See why', isUrgent: false }),
  'near-match': ({ source }) => ({
    sign: 'stale',
    path: sourcePath(source, 'rules'),
    button: 'Compare',
    isUrgent: false,
  }),
  stale: ({ source }) => ({ sign: 'stale', path: sourcePath(source), button: 'Look', isUrgent: false }),
};

function failingWay({ source, mustAct, facts }: Matter): Way {
  if (mustAct === 'publisher')
    return { sign: 'failing', path: sourcePath(source, 'report'), button: 'Write to them', isUrgent: true };
  return facts.failures?.code === 'column-gone'
    ? { sign: 'failing', path: columnsPath(source), button: 'Choose the column', isUrgent: true }
    : { sign: 'failing', path: sourcePath(source), button: 'See why', isUrgent: true };
}

/** The way for this person: rules and settings are for administrators, so others are led to the source's page. */
function wayFor(matter: Matter, asked: Asked): Way {
  const { source, kind } = matter;
  const way = WAYS[kind](matter);
  const isClosed = [sourcePath(source, 'rules'), sourcePath(source, 'settings')].includes(way.path.replace(/#.*/, ''));
  return isClosed && !mayChange(asked) ? { ...way, path: sourcePath(source), button: 'See why' } : way;
}

/** Who must act, since when, and when the next attempt is. */
function facts({ source, kind, mustAct, since, state }: Matter, asked: Asked, site: string): Html {
  const zone = asked.zoneOf(site);
  const parts: readonly HtmlPart[] = [
    html`<a href="${linkTo(asked, sourcePath(source))}">${source}</a>`,
    kind === 'failing' &&
      (mustAct === 'nobody'
        ? lowerFirst(whoMustAct(mustAct))
        : html`<b>${WHO_WORDS[mustAct].toLowerCase()}</b> must act`),
    since !== null && html`${kind === 'held' ? 'held since' : 'since'} ${moment(since, zone, asked.now)}`,
    kind === 'failing' && state.next !== null && html`next try ${moment(state.next, zone, asked.now)}`,
    kind === 'held' && 'waits until you decide',
  ];
  const said = parts.filter((part) => part !== false);
  return html`<p class="small dim">${said.map((part, index) => html`${index > 0 && ' · '}${part}`)}</p>`;
}

/** A waiting matter: its title, its consequence, a picture and its button. */
export function matterRow(matter: Matter, asked: Asked, isFirst: boolean, picture: Html | false): Html {
  const way = wayFor(matter, asked);
  const { title, consequence } = matterInWords(matter, { now: asked.now, zone: asked.zoneOf(matter.site) });
  const to = linkTo(asked, way.path);
  return html`<li class="matter ${isFirst && way.isUrgent && 'first'}">
    ${sign(way.sign)}
    <div>
      <h2><a data-row href="${to}">${title}</a></h2>
      <p>${messageHtml(asked, consequence, matter.site)}</p>
      ${picture}${facts(matter, asked, matter.site)}
    </div>
    <div class="acts">
      <a class="btn ${way.isUrgent && 'go'}" href="${to}">${way.button}<span class="vh">: ${title}</span></a
      >${later(matter, asked)}
    </div>
  </li>`;
}

/** Puts a matter off until tomorrow at eight, Monday, or a change. */
function later(matter: Matter, asked: Asked): Html {
  const buttons = html`<input type="hidden" name="do" value="later" /><input
      type="hidden"
      name="matter"
      value="${matter.key}"
    /><button class="item btn" name="until" value="tomorrow">Tomorrow, 8:00</button
    ><button class="item btn" name="until" value="monday">Monday, 8:00</button
    ><button class="item btn" name="until" value="change">When something changes</button>`;
  return html`<details class="menu">
    <summary class="btn bare">Later<span class="vh">: ${matter.source}</span></summary>
    <div>${form(asked, buttons)}</div>
  </details>`;
}

/** Relative to `/edit`; whoever is signed in to the console is signed in there, too. */
const REVIEW = '/review/';

const GENERAL_WAYS: Readonly<Record<GeneralMatter['kind'], Way>> = {
  backup: { sign: 'failing', path: '/settings/backups/', button: 'See why', isUrgent: false },
  config: { sign: 'failing', path: '/settings/', button: 'Show the file', isUrgent: true },
  messages: { sign: 'failing', path: '/settings/alerts/', button: 'See why', isUrgent: false },
  'handed-in': { sign: 'new', path: REVIEW, button: 'Review', isUrgent: false },
  suggestions: { sign: 'new', path: REVIEW, button: 'Review', isUrgent: false },
};

/** A matter that concerns no source; it cannot be put off. */
export function generalRow({ kind, title, consequence, since }: GeneralMatter, asked: Asked): Html {
  const way = GENERAL_WAYS[kind];
  const to = way.path === REVIEW ? `${asked.base}/edit${REVIEW}` : linkTo(asked, way.path);
  return html`<li class="matter">
    ${sign(way.sign)}
    <div>
      <h2><a data-row href="${to}">${title}</a></h2>
      <p>${consequence}</p>
      <p class="small dim">since ${moment(since, asked.zoneOf('builtin'), asked.now)}</p>
    </div>
    <div class="acts">
      <a class="btn ${way.isUrgent && 'go'}" href="${to}">${way.button}<span class="vh">: ${title}</span></a>
    </div>
  </li>`;
}
