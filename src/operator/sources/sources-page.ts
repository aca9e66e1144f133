import { inQuotes } from '../../look/words/in-quotes.ts';
import { countInWords } from '../../count-in-words.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import type { SourceConfig } from '../../config/config.ts';
import type { RunMark } from '../../run/watch/recent-runs.ts';
import { STATE_WORDS, type StateWord } from '../../run/watch/source-state.ts';
import { stateInWords } from '../../run/watch/state-in-words.ts';
import { button, chips, delta, form, head, linkHere, linkTo, mayChange, state, type Choice } from '../frame/parts.ts';
import { icon, sign } from '../frame/sprite.ts';
import type { Asked } from '../frame/operator.ts';
import {
  NEED_YOU,
  addressOf,
  chosenSources,
  matchesState,
  PER_PAGE,
  SORTS,
  type ListChoice,
  type Listed,
  type Sort,
} from './list-choice.ts';
import { messageHtml } from './message-html.ts';
import { conflictsPath, runPath, sourcePath } from './paths.ts';
import { pauseFields } from './pause-fields.ts';
import { stripOfLast } from './strip.ts';

/** What the page is built from. */
export interface SourcesList {
  /** All sources. */
  readonly listed: readonly Listed[];
  readonly choice: ListChoice;
  /** Recent runs of this page's sources. */
  readonly marks: ReadonlyMap<string, readonly RunMark[]>;
  readonly said: Html | false;
}

/** The page to show and the last page. There may be fewer pages than when the address was made. */
function pageOf(all: number, choice: ListChoice): { readonly page: number; readonly last: number } {
  const last = Math.max(1, Math.ceil(all / PER_PAGE));
  return { page: Math.min(choice.page, last), last };
}

/** The sources of a choice that are on its page. */
export function sourcesOnPage(listed: readonly Listed[], choice: ListChoice): readonly Listed[] {
  const chosen = chosenSources(listed, choice);
  const { page } = pageOf(chosen.length, choice);
  return chosen.slice((page - 1) * PER_PAGE, page * PER_PAGE);
}

/** The page with the list of all sources. */
export function sourcesMain(list: SourcesList, asked: Asked): Html {
  const { listed, said } = list;
  const failing = listed.filter((each) => each.state.word === 'failing').length;
  const check =
    failing > 0 &&
    form(
      asked,
      button('check-failing', failing === 1 ? 'Check the one that fails' : `Check the ${failing} that fail`, {
        kind: 'go',
        icon: 'again',
      }),
    );
  return html`${said}${head(
    'Sources',
    sentenceOf(listed),
    html`${check}${
      mayChange(asked) && html`<a class="btn" href="${linkTo(asked, '/add/')}">${icon('plus')}Add a source</a>`
    }`,
  )}${listed.length > 0 && theList(list, asked)}`;
}

/** The filters, and the sources they leave. */
function theList(list: SourcesList, asked: Asked): Html {
  const { listed, choice } = list;
  const shown = sourcesOnPage(listed, choice);
  return html`<div class="row between">${filters(listed, choice, asked)}${sorting(choice, asked)}</div>
    ${shown.length === 0 ? html`<p class="dim">${nothingWords(choice)}</p>` : rows(list, shown, asked)}
    ${pages(list, asked)}
    <p class="small dim">
      Strips, oldest left: tall = changed something · short = nothing new · below the line = failed · diamond = held ·
      ring = due, not run
    </p>`;
}

const nothingWords = ({ find }: ListChoice): string =>
  find === '' ? 'No source is like this.' : `No source has ${inQuotes(find)} in its name here.`;

function sentenceOf(listed: readonly Listed[]): string {
  const count = (word: StateWord): number => listed.filter((each) => each.state.word === word).length;
  const [well, paused] = [count('well'), count('paused')];
  // A paused source counts as neither well nor failing.
  const read = listed.length - paused;
  const sources = (all: number): string =>
    `${all === listed.length && all > 1 ? 'All ' : ''}${countInWords(all, 'source is', 'sources are')}`;
  const parts = [
    ...(well === read ? [] : [`${well} of ${read} ${well === 1 ? 'is' : 'are'} well.`]),
    ...(well === read && read > 0 ? [`${sources(read)} well.`] : []),
    ...(paused > 0 ? [`${sources(paused)} paused.`] : []),
    ...(count('failing') > 0 ? [`${count('failing')} ${count('failing') === 1 ? 'fails' : 'fail'}.`] : []),
    ...(count('held') > 0 ? [`${countInWords(count('held'), 'plan waits', 'plans wait')} for you.`] : []),
  ];
  return listed.length === 0 ? 'None yet.' : parts.join(' ');
}

function filters(listed: readonly Listed[], choice: ListChoice, asked: Asked): Html {
  const chip = (name: ListChoice['state'], text: HtmlPart): Choice => ({
    href: linkTo(asked, addressOf({ ...choice, state: name, page: 1 })),
    text,
    count: listed.filter((each) => matchesState(each, name)).length,
    isChosen: choice.state === name,
  });
  const words = STATE_WORDS.map((word) => chip(word, html`${sign(word)}${word}`));
  const all = [chip('all', 'all'), chip('you', NEED_YOU), ...words];
  return chips(
    'Filter',
    all.filter(({ count, isChosen }, index) => index === 0 || isChosen || (count ?? 0) > 0),
  );
}

function sorting({ sort, state: filter, find }: ListChoice, asked: Asked): Html {
  const option = ([name, words]: readonly [string, string]): Html =>
    html`<option value="${name}" ${name === (sort satisfies Sort) && html` selected`}>${words}</option>`;
  return html`<form class="row" action="${linkTo(asked, '/sources/')}">
    ${filter !== 'all' && html`<input type="hidden" name="state" value="${filter}" />`}<label class="small named"
      >Name<input class="find" type="search" name="q" value="${find}" /></label
    ><label class="small named"
      >Sort by<select class="find" name="sort">
        ${Object.entries(SORTS).map(option)}
      </select></label
    ><button>Show</button>
  </form>`;
}

function rows({ marks }: SourcesList, shown: readonly Listed[], asked: Asked): Html {
  const configured = new Map(asked.operator.config().sources.map((source) => [source.name, source]));
  const list = shown.map((listed) =>
    row(listed, configured.get(listed.facts.source), marks.get(listed.facts.source) ?? [], asked),
  );
  const pause = pauseFields(asked, shown[0]?.facts.site ?? '');
  const bulk = html`<div class="bar bulk">
    <div class="row">
      <div>
        <b>What is ticked</b>
        <p class="small dim">Paused: nothing is read or written automatically; what is on the site stays.</p>
      </div>
      ${button('check', 'Check now', { icon: 'again' })}${button('resume', 'Resume')}${pause}${button('pause', 'Pause')}
    </div>
  </div>`;
  return form(
    asked,
    html`<ul class="rows tight sources" id="list">
        ${list}
      </ul>
      ${bulk}`,
  );
}

function row(listed: Listed, config: SourceConfig | undefined, runs: readonly RunMark[], asked: Asked): Html {
  const { facts, state: current } = listed;
  const { source, site } = facts;
  const { who, text } = stateInWords(facts, current, { now: asked.now, zone: asked.zoneOf(site) });
  const to = linkTo(asked, sourcePath(source));
  return html`<li data-source>
    <label class="tick"
      ><input type="checkbox" name="source" value="${source}" /><span class="vh">Select ${source}</span></label
    >
    <div>
      <b><a data-row href="${to}">${source}</a></b
      >${
        config &&
        html`<br /><span class="small dim">${icon(isTable(config) ? 'table' : 'events')} ${feedOrigin(config)}</span>`
      }
    </div>
    <div class="why">
      ${state(current.word)}<span
        >${who !== null && html`<b>${who}</b> `}${messageHtml(asked, text, site)}${linksOf(listed, asked)}</span
      >
    </div>
    <div>${changeOf(runs)}</div>
    ${stripOfLast(source, runs, current.word === 'late')}${menuOf(listed, config !== undefined && isOnWeb(config), asked)}
  </li>`;
}

/** Whether the address of a feed is one that people can open; a file's is not. */
export const isOnWeb = ({ url }: Pick<SourceConfig, 'url'>): boolean => /^https?:/i.test(url);

const isTable = ({ format, url }: SourceConfig): boolean => format === 'csv' || /\.csv(?:$|\?)/.test(url);

/** Where a feed comes from: its host or file name, because the whole address may hold a secret. */
export function feedOrigin({ url }: Pick<SourceConfig, 'url'>): string {
  const { protocol, host, pathname } = new URL(url);
  return protocol === 'file:' ? decodeURIComponent(pathname.split('/').at(-1) ?? '') : host;
}

function linksOf({ facts, state: { word } }: Listed, asked: Asked): HtmlPart {
  const { held, conflicts, source } = facts;
  return [
    held !== null && word === 'held' && html` <a href="${linkTo(asked, runPath(held.run))}">Review</a>`,
    conflicts > 0 &&
      html` <a href="${linkTo(asked, conflictsPath(source))}"
        >Settle${word === 'well' ? html`<span class="vh"> what is in conflict of ${source}</span>` : ` ${countInWords(conflicts, 'conflict')}`}</a
      >`,
  ];
}

/** What the last run changed, if it changed anything. */
function changeOf(runs: readonly RunMark[]): Html {
  const last = runs.at(-1);
  const shown = last && (last.state === 'done' || last.state === 'held') ? last : undefined;
  const isAny = shown && shown.created + shown.updated + shown.removed > 0;
  return isAny
    ? delta(shown.created, shown.updated, shown.removed)
    : html`<span class="delta"><span class="dim" aria-hidden="true">–</span><span class="vh">nothing new</span></span>`;
}

function menuOf({ facts: { source, pause } }: Listed, isOnTheWeb: boolean, asked: Asked): Html {
  // Ignores the ticks of other sources.
  const only = new URLSearchParams(asked.url.searchParams);
  only.set('one', source);
  const item = (name: string, text: string): Html =>
    html`<button class="btn item" name="do" value="${name}" formaction="${linkHere(asked, only)}">${text}</button>`;
  const link = (path: string, text: string): Html =>
    html`<a class="btn item" href="${linkTo(asked, path)}">${text}</a>`;
  const pauseItem =
    pause === null
      ? link(`${sourcePath(source)}#pause`, 'Pause until…')
      : // A pause set in the file can only be ended there.
        pause.by !== null && item('resume', 'Resume');
  return html`<details class="menu">
    <summary class="btn bare">${icon('more')}<span class="vh">What to do with ${source}</span></summary>
    <div>
      ${item('check', 'Check now')}${link(`${sourcePath(source)}#try`, 'Show what would change…')}${
        pauseItem
      }${isOnTheWeb && link(sourcePath(source, 'feed'), 'Open the feed')}${link(sourcePath(source, 'report'), 'Report for the publisher')}${
        mayChange(asked) && link(sourcePath(source, 'rules'), 'Rules')
      }
    </div>
  </details>`;
}

function pages({ listed, choice }: SourcesList, asked: Asked): Html | false {
  const all = chosenSources(listed, choice).length;
  const { page, last } = pageOf(all, choice);
  if (last < 2) return false;
  const link = (to: number, text: string): Html | false =>
    to >= 1 &&
    to <= last &&
    html`<a class="btn" href="${linkTo(asked, addressOf({ ...choice, page: to }))}">${text}</a>`;
  return html`<nav class="row" aria-label="Pages">
    ${link(page - 1, 'Previous')}<span class="dim">Page ${page} of ${last}, ${countInWords(all, 'source')}</span
    >${link(page + 1, 'Next')}
  </nav>`;
}
