import { countInWords } from '../../count-in-words.ts';
import { html, joinHtml, type Html } from '../../html/template.ts';
import { actInWords, type Act } from '../../run/watch/acts.ts';
import type { GeneralMatter } from '../../run/watch/general-matters.ts';
import { matterInWords } from '../../run/watch/matters-in-words.ts';
import type { Matter } from '../../run/watch/matters.ts';
import type { Day, DayOfSource, RunMark } from '../../run/watch/recent-runs.ts';
import type { Snooze, SortedMatters } from '../../run/watch/snoozes.ts';
import { sourceState, type SourceFacts, type StateWord } from '../../run/watch/source-state.ts';
import { banner, button, delta, form, head, linkTo, mayChange, state } from '../frame/parts.ts';
import { icon } from '../frame/sprite.ts';
import { momentInWords } from '../../run/watch/moments.ts';
import { moment } from '../frame/times.ts';
import type { Asked } from '../frame/operator.ts';
import { runsPath, sourcePath } from '../sources/paths.ts';
import { stripOfDay } from '../sources/strip.ts';
import { generalRow, matterRow } from './matter-row.ts';

/** What the page is built from. */
export interface Todo {
  readonly sorted: SortedMatters;
  readonly general: readonly GeneralMatter[];
  readonly facts: readonly SourceFacts[];
  readonly day: Day;
  readonly marks: readonly RunMark[];
  readonly lastDecision: Act | undefined;
  /** For the first matter, if it is a held run. */
  readonly picture: Html | false;
  /** The message about the act just done. */
  readonly said: Html | false;
}

const MATTERS_MAX = 25;
const OTHERS_MAX = 10;
const COMING_MAX = 5;

/** What waits for this person, or that nothing does. */
export const todoMain = (todo: Todo, asked: Asked): Html =>
  todo.sorted.waiting.length + todo.general.length > 0 ? waitingMain(todo, asked) : nothingMain(todo, asked);

/** The names of the failing sources, which one button checks together. */
export const failingSources = (facts: readonly SourceFacts[], now: number): readonly string[] =>
  facts.flatMap((each) => (sourceState(each, now).word === 'failing' ? [each.source] : []));

const addButton = (asked: Asked): Html | false =>
  mayChange(asked) && html`<a class="btn" href="${linkTo(asked, '/add/')}">${icon('plus')}Add a source</a>`;

function waitingMain(todo: Todo, asked: Asked): Html {
  const { waiting } = todo.sorted;
  const all = waiting.length + todo.general.length;
  const failing = failingSources(todo.facts, asked.now).length;
  const check =
    failing > 0 &&
    form(
      asked,
      button('check-failing', failing === 1 ? 'Check the one that fails' : `Check the ${failing} that fail`, {
        icon: 'again',
      }),
    );
  const more = waiting.length - MATTERS_MAX;
  return html`${todo.said}${head(
      `${countInWords(all, 'thing')} ${all === 1 ? 'waits' : 'wait'} for you`,
      'What visitors would notice comes before what only you would. Nothing here changes the site until you decide.',
      html`${check}${addButton(asked)}`,
    )}
    <div class="cols">
      <div>
        <ul class="rows">
          ${waiting
            .slice(0, MATTERS_MAX)
            .map((matter, index) =>
              matterRow(matter, asked, index === 0, index === 0 && todo.picture),
            )}${todo.general.map((matter) => generalRow(matter, asked))}
        </ul>
        ${
          more > 0 &&
          html`<p>
            <a href="${linkTo(asked, '/sources/?state=you')}"
              >${countInWords(more, 'more thing')} like these: the sources that need you</a
            >
          </p>`
        }
        ${elsewhere(todo.sorted, asked)}
      </div>
      ${dayOf(todo, asked)}
    </div>`;
}

/** Matters that others must deal with, or that were put off, in a fold. */
function elsewhere({ others, putOff }: SortedMatters, asked: Asked): Html | false {
  const all = others.length + putOff.length;
  if (all === 0) return false;
  const counts = [
    ...(others.length > 0 ? [`with somebody else ${others.length}`] : []),
    ...(putOff.length > 0 ? [`put off ${putOff.length}`] : []),
  ].join(' · ');
  const more = others.length - OTHERS_MAX;
  return html`<details class="well-box">
    <summary><b>${countInWords(all, 'more matter')} can wait</b> <span class="dim">${counts}</span></summary>
    <ul class="rows tight">
      ${putOff.map(({ matter, snooze }) => putOffRow(matter, snooze, asked))}
      ${others.slice(0, OTHERS_MAX).map((matter) => otherRow(matter, asked))}
      ${more > 0 && html`<li><a href="${linkTo(asked, '/sources/')}">and ${more} more</a></li>`}
    </ul>
  </details>`;
}

const wordsOf = (matter: Matter, asked: Asked): { readonly title: string; readonly consequence: string } =>
  matterInWords(matter, { now: asked.now, zone: asked.zoneOf(matter.site) });

const otherRow = (matter: Matter, asked: Asked): Html =>
  html`<li>
    ${state(matter.state.word)}
    <a href="${linkTo(asked, sourcePath(matter.source))}">${matter.source}</a> ${wordsOf(matter, asked).consequence}
  </li>`;

function putOffRow(matter: Matter, { until }: Snooze, asked: Asked): Html {
  const end =
    until === null ? 'until something changes' : html`until ${moment(until, asked.zoneOf(matter.site), asked.now)}`;
  const again = html`<input
      type="hidden"
      name="matter"
      value="${matter.key}"
    />${button('wake', html`Take it up<span class="vh">: ${matter.source}</span>`, { kind: 'bare' })}`;
  return html`<li class="row between">
    <span
      >${state(matter.state.word)}
      <a href="${linkTo(asked, sourcePath(matter.source))}">${wordsOf(matter, asked).title}</a>
      <span class="dim">Put off ${end}.</span></span
    >${form(asked, again)}
  </li>`;
}

/** The last 24 hours, with a strip for each source that changed, failed or was held. */
function dayOf({ day, marks }: Todo, asked: Asked): Html {
  return html`<section aria-labelledby="d24">
    <h2 id="d24">Last 24 hours <a href="${linkTo(asked, runsPath())}">all ${countInWords(day.runs, 'run')}</a></h2>
    ${
      day.told.length > 0 &&
      html`<ul class="rows tight">
        ${day.told.map((source) => {
          const own = marks.filter((mark) => mark.source === source.source && mark.site === source.site);
          return html`<li>
            <div class="row between">
              <a href="${linkTo(asked, sourcePath(source.source))}">${source.source}</a>${changed(source)}
            </div>
            ${stripOfDay(source.source, own, asked.now)}
          </li>`;
        })}
      </ul>`
    }
    <p class="small dim">
      ${othersInWords(day)}${
        day.told.length > 0 && ' A bar up: read well, the taller the more has changed. Down: failed. Diamond: held.'
      }
    </p>
  </section>`;
}

const changed = ({ created, updated, removed }: DayOfSource): Html =>
  created + updated + removed > 0
    ? delta(created, updated, removed)
    : html`<span class="delta"
        ><span class="dim" aria-hidden="true">–</span><span class="vh">nothing changed</span></span
      >`;

/** A summary of the sources that have no strip. */
function othersInWords({ told, toTell, sources }: Day): string {
  if (sources === 0) return 'Nothing was read.';
  const quiet = sources - toTell;
  const others = told.length === 0 ? countInWords(quiet, 'source') : `${quiet} more`;
  return [
    ...(toTell > told.length ? [`${toTell - told.length} more changed something, failed or were held.`] : []),
    ...(quiet > 0 ? [`${others} ${quiet === 1 ? 'was read and had' : 'were read and had'} nothing new.`] : []),
  ].join(' ');
}

function nothingMain(todo: Todo, asked: Asked): Html {
  const { facts, lastDecision, sorted } = todo;
  const since = lastDecision
    ? html` ${actInWords(lastDecision)}${lastDecision.source !== null && html` (${lastDecision.source})`}
      ${moment(lastDecision.at.getTime(), asked.zoneOf(lastDecision.site ?? 'builtin'), asked.now)}; since then nothing
      has waited that still does.`
    : '';
  return html`${todo.said}
    <div class="cols">
      <div class="stack-5">
        ${banner(
          'good',
          html`<h1>Nothing needs you</h1>
            <p class="say">
              ${countInWords(facts.length, 'source is', 'sources are')} watched,
              ${howTheyAre(facts, asked.now)}.${since}
            </p>`,
        )}
        ${elsewhere(sorted, asked)} ${comingChecks(facts, asked)}
        <p class="row">${addButton(asked)}</p>
      </div>
      ${dayOf(todo, asked)}
    </div>`;
}

/** The state of all sources. A paused one is neither well nor failing. */
function howTheyAre(facts: readonly SourceFacts[], now: number): string {
  const count = (word: StateWord): number => facts.filter((each) => sourceState(each, now).word === word).length;
  const [well, paused] = [count('well'), count('paused')];
  const all = facts.length === 1 ? 'it is' : 'all of them are';
  if (paused === facts.length) return `${all} paused`;
  if (well === facts.length) return `${all} well`;
  return `${well} of them ${well === 1 ? 'is' : 'are'} well${paused > 0 ? `, ${paused} paused` : ''}`;
}

function comingChecks(facts: readonly SourceFacts[], asked: Asked): Html | false {
  const next = facts
    .flatMap(({ source, site, nextAt }) => (nextAt === null ? [] : [{ source, site, nextAt }]))
    .toSorted((one, other) => one.nextAt - other.nextAt);
  if (next.length === 0) return false;
  const more = next.length - COMING_MAX;
  const last = next.at(-1);
  const shown = next
    .slice(0, COMING_MAX)
    .map(
      ({ source, site, nextAt }) =>
        html`<a href="${linkTo(asked, sourcePath(source))}">${source}</a>
          <b>${moment(nextAt, asked.zoneOf(site), asked.now)}</b>`,
    );
  return html`<section>
    <h2>Coming checks</h2>
    <p>
      ${joinHtml(shown, ' · ')}${
        more > 0 &&
        last &&
        html` · and ${more} more until ${momentInWords(last.nextAt, asked.now, asked.zoneOf(last.site))}`
      }
    </p>
  </section>`;
}
