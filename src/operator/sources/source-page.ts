import { countInWords } from '../../count-in-words.ts';
import type { SourceConfig } from '../../config/config.ts';
import { html, joinHtml, type Html } from '../../html/template.ts';
import type { DayInNumbers } from '../../run/watch/history.ts';
import type { SourceNote } from '../../run/watch/notes.ts';
import { sourceState, type SourceFacts } from '../../run/watch/source-state.ts';
import { DAY_MS, wallFromInstant } from '../../time.ts';
import { button, crumbs, form, head, linkTo, mayChange, state } from '../frame/parts.ts';
import { icon } from '../frame/sprite.ts';
import { moment } from '../frame/times.ts';
import type { Asked } from '../frame/operator.ts';
import { charts } from './charts.ts';
import { whyChooseColumns } from './columns.ts';
import { pauseFields } from './pause-fields.ts';
import { runsPath, sourcePath } from './paths.ts';
import { problemSection, type Problems } from './problem-list.ts';
import { columnsBanner, noteBox, stateSentence, mustActBanner } from './source-head.ts';
import { sourceTabs } from './source-tabs.ts';
import { isOnWeb, feedOrigin } from './sources-page.ts';
import { timelineList, type TimelineItem } from './timeline.ts';

/** What the page of a source is built from. */
export interface SourceOnPage {
  readonly config: SourceConfig;
  readonly facts: SourceFacts;
  /** When a run last changed something on the site, according to the stored runs (epoch milliseconds). */
  readonly changedAt: number | null;
  readonly note: SourceNote | undefined;
  readonly timeline: readonly TimelineItem[];
  /** Older entries may exist before this moment (epoch milliseconds). */
  readonly olderThan: number | undefined;
  readonly problems: Problems | undefined;
  readonly days: readonly DayInNumbers[];
  /** The next times at which the schedule reads it. */
  readonly times: readonly number[];
  readonly said: Html | false;
}

/** The page of a source: its state, who must act, its history, and when it is read next. */
export function sourceMain(source: SourceOnPage, asked: Asked): Html {
  const { config, facts, note, said } = source;
  const zone = asked.zoneOf(facts.site);
  const current = sourceState(facts, asked.now);
  const of = { facts, state: current, asked, zone };
  return html`${crumbs(asked, [['/sources/', 'Sources']])}
    ${head(
      html`<span class="row">${config.name} ${state(current.word, { isPill: true })}</span>`,
      undefined,
      html`${form(asked, button('check', 'Check now', { kind: 'go', icon: 'again' }))}${form(
        asked,
        button('try', 'Show what would change'),
        { path: sourcePath(config.name, 'plan'), id: 'try' },
      )}${pauseMenu(facts, asked)}`,
    )}
    ${said}
    <div class="cols">
      <div class="stack-5">
        <div class="stack">
          ${stateSentence(of)} ${mustActBanner(of)} ${columnsBanner(of, whyChooseColumns(facts, source.problems))}
          ${noteBox(note, asked)}
        </div>
        <div>
          ${tabList(source, asked)}
          <h2 class="vh">Timeline</h2>
          ${
            source.timeline.length === 0
              ? html`<p class="dim">Nothing has happened yet.</p>`
              : timelineList(source.timeline, asked, zone)
          }${older(source, asked)}
        </div>
        ${problemSection(source.problems, asked, zone)}
      </div>
      <aside class="stack-4" aria-label="In numbers">
        ${whenRead(source, asked, zone)}${charts(source.days, wallFromInstant(asked.now, zone).slice(0, 10))}${facets(source, asked, zone)}
      </aside>
    </div>`;
}

function pauseMenu({ pause, source, site }: SourceFacts, asked: Asked): Html | false {
  // A pause set in the file can only be ended there.
  if (pause?.by === null)
    return (
      mayChange(asked) && html`<a class="btn" href="${linkTo(asked, sourcePath(source, 'settings'))}">Settings</a>`
    );
  return pause
    ? form(asked, button('resume', 'Resume'))
    : html`<details class="menu" id="pause">
        <summary class="btn">Pause…</summary>
        <div class="box">
          ${form(
            asked,
            html`<p>Nothing reads it by itself until then. What is on the site stays.</p>
              ${pauseFields(asked, site)}
              <p>${button('pause', 'Pause')}</p>`,
            { kind: 'stack' },
          )}
        </div>
      </details>`;
}

const tabList = ({ config: { name }, facts, problems }: SourceOnPage, asked: Asked): Html =>
  sourceTabs(asked, name, '', { events: facts.kept, problems: problems?.kinds.length ?? 0 });

const older = ({ config, olderThan }: SourceOnPage, asked: Asked): Html =>
  html`<p class="row">
    ${
      olderThan !== undefined &&
      html`<a class="btn bare" href="${linkTo(asked, `${sourcePath(config.name)}?before=${olderThan}`)}">Older</a>`
    }<a class="btn bare" href="${linkTo(asked, runsPath(config.name))}">All its runs</a>
  </p>`;

const EVERY: readonly (readonly [ms: number, words: string])[] = [
  [7 * DAY_MS, 'week'],
  [DAY_MS, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
];

/** "Every hour", "Every 15 minutes", "On the schedule 0 8 * * *, in Europe/Warsaw". */
export function scheduleInWords({ schedule }: Pick<SourceConfig, 'schedule'>): string {
  if ('cron' in schedule) return `On the schedule ${schedule.cron}, in ${schedule.timezone}.`;
  const [ms, unit] = EVERY.find(([each]) => schedule.everyMs % each === 0) ?? [1000, 'second'];
  const count = Math.round(schedule.everyMs / ms);
  return count === 1 ? `Every ${unit}.` : `Every ${count} ${unit}s.`;
}

function whenRead({ config, facts, times }: SourceOnPage, asked: Asked, zone: string): Html {
  const shown = times.map((time) => moment(time, zone, asked.now));
  const label =
    facts.failures === null || facts.pause !== null ? 'Next' : 'Next try, and the times after it if it works again';
  return html`<div class="box stack">
    <h2>When it is read</h2>
    <p>${scheduleInWords(config)}</p>
    ${times.length > 0 && html`<p class="small dim">${label}: ${joinHtml(shown, ' · ')}</p>`}
  </div>`;
}

const WINNERS = { preserve: 'edits here stay', feed: 'the feed', site: 'the site' } as const;
const GONE = {
  keep: 'stay on the site',
  draft: 'become drafts',
  cancel: 'are marked as cancelled',
  trash: 'go to the trash',
} as const;

function facets({ config, facts, changedAt: byRun }: SourceOnPage, asked: Asked, zone: string): Html {
  const { missing, authority } = config;
  const after = missing.after <= 1 ? 'at once' : `after ${missing.after} good readings`;
  // The run that made the change may have been deleted since.
  const changedAt = byRun ?? facts.changedAt;
  return html`<dl class="kv small box">
    <dt>Feed</dt>
    <dd>
      ${feedOrigin(config)}${isOnWeb(config) && html` · <a href="${linkTo(asked, sourcePath(config.name, 'feed'))}">Open</a>`}
    </dd>
    <dt>Kind</dt>
    <dd>${config.format ?? 'detected'}</dd>
    <dt>On the site</dt>
    <dd>${countInWords(facts.kept, 'event')}, ${facts.coming} coming</dd>
    <dt>Gone from the feed</dt>
    <dd>${GONE[missing.action]}${missing.action === 'keep' ? '' : ` ${after}`}</dd>
    <dt>Who decides</dt>
    <dd>${WINNERS[authority.default]}</dd>
    ${
      facts.goodAt !== null &&
      html`<dt>Last good</dt>
        <dd>${moment(facts.goodAt, zone, asked.now)}</dd>`
    }${
      changedAt !== null &&
      html`<dt>Last change</dt>
        <dd>${moment(changedAt, zone, asked.now)}</dd>`
    }
  </dl>`;
}

/** Shown where the source is not configured, with ways to go on. */
export const unknownSource = (name: string, asked: Asked): Html =>
  html`${crumbs(asked, [['/sources/', 'Sources']])}
  ${head(
    `There is no source ${name}`,
    html`It may have another name now. ${icon('sources')} <a href="${linkTo(asked, '/sources/')}">All sources</a> ·
      <a href="${linkTo(asked, runsPath(name))}">Runs of that name</a>`,
  )}`;
