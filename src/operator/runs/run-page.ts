import { inQuotes } from '../../look/words/in-quotes.ts';
import { messageHtml } from '../sources/message-html.ts';
import { undoneList } from '../sources/undone-list.ts';
import { html, joinHtml, type Html, type HtmlPart } from '../../html/template.ts';
import { countInWords, grouped } from '../../count-in-words.ts';
import { AppError } from '../../error.ts';
import { eventsTakenBack, previewUndo, setupToUndo } from '../../run/decisions/undo-run.ts';
import { loadBatch, loadBatches, loadTallies, type Batch, type BatchTally } from '../../run/state/batches.ts';
import { lineInWords, loadLog, RESUMED, type LogLine } from '../../run/log/run-log.ts';
import { statusesInWords } from '../../run/log/traffic.ts';
import { causeInWords, isAskedFor } from '../../run/state/causes.ts';
import type { ReadingSteps } from '../../run/state/progress.ts';
import { loadRun, type RunRecord } from '../../run/state/records.ts';
import { actInWords, type Act } from '../../run/watch/acts.ts';
import type { Plan, Report, UpdateEvent } from '../../sync/model/plan.ts';
import { lostAnswersIn } from '../../sync/plan/report.ts';
import { changePatternInWords, changePatterns, isAllOneThing } from '../../sync/review/change-pattern.ts';
import { countsOf } from '../../sync/review/review.ts';
import { banner, button, crumbs, form, head, linkTo } from '../frame/parts.ts';
import { icon } from '../frame/sprite.ts';
import { moment } from '../frame/times.ts';
import { REASON_MAX } from '../frame/actor.ts';
import type { Asked, LivePart, Page, SharedPartContext } from '../frame/operator.ts';
import { runPath, sourcePath } from '../sources/paths.ts';
import { changeInWords } from './field-values.ts';
import { runProblems } from './run-problems.ts';
import { stepsList } from './run-steps.ts';
import { runDuration, runCause } from './run-words.ts';
import { eventsOf, writtenTable, type WrittenEvent } from './written.ts';

const title = ({ source, report, state, cause }: RunRecord): string => {
  if (state === 'reading') return `${source} is being read`;
  if (state === 'writing') return `${source} is being written`;
  if (state === 'held') return `A plan of ${source} waits for a decision`;
  if (!report) return source;
  const { created, updated, removed } = report;
  const all = created + updated + removed;
  if (cause.kind === 'undo' && all > 0) return `${source}: ${countInWords(all, 'event')} taken back`;
  const counts = [
    ...(created > 0 ? [`${grouped(created)} new`] : []),
    ...(updated > 0 ? [`${grouped(updated)} changed`] : []),
    ...(removed > 0 ? [`${grouped(removed)} removed`] : []),
  ].join(', ');
  return `${source}: ${counts === '' ? nothingIn(state, cause, report) : counts}`;
};

function nothingIn(state: RunRecord['state'], cause: RunRecord['cause'], report: Report): string {
  if (state === 'failed') return lostAnswersIn(report) === 0 ? 'nothing was changed' : 'answers of the site were lost';
  return isAskedFor(cause) ? 'nothing had to be written' : 'nothing to change';
}

/** The page of a run in progress, which updates itself. */
export async function livePage(asked: Asked, run: RunRecord): Promise<Page> {
  const main = html`${crumbs(asked, [['/runs/', 'Runs']])}${liveHead(asked, run)}${await livePart(asked, run)}`;
  return { title: title(run), place: 'runs', main, live: [`run-head:${run.run}`, `run:${run.run}`] };
}

const isUnderWay = ({ state }: RunRecord): boolean => state === 'reading' || state === 'writing';

/** The head of a run in progress, with a button to stop it while it writes. */
function liveHead(asked: Asked, run: RunRecord): Html {
  const stop =
    run.state === 'writing' &&
    (run.stopAskedBy === null
      ? form(asked, button('stop', 'Stop after this batch'), { path: runPath(run.run) })
      : html`<p class="dim">Asked to stop by ${run.stopAskedBy}.</p>`);
  const started = moment(run.startedAt.getTime(), asked.zoneOf(run.site), asked.now);
  const goesOn = isUnderWay(run) && ' You may close this page; the run continues.';
  return html`<div id="run-head">${head(title(run), html`Started ${started}.${goesOn}`, stop || undefined)}</div>`;
}

const JUST_WRITTEN_MAX = 8;

async function livePart({ operator, base, now }: SharedPartContext, run: RunRecord): Promise<Html> {
  const query = operator.context.database.query();
  const batches = await loadTallies(query, run.run);
  const last = batches.findLast(({ tally }) => tally.open < tally.writes);
  const batch = last && (await loadBatch(query, { run: run.run, stage: last.stage, number: last.number }));
  return html`<div id="run-part" class="cols">
    ${stepsList({ base, operator, run, batches, now }, true)}${batch && justWritten(batch)}${
      !isUnderWay(run) && html`<p role="status"><b>It has ended.</b> <a class="btn go" href="">See what it did</a></p>`
    }
  </div>`;
}

function justWritten(batch: Batch): Html | false {
  const done = eventsOf([batch]).filter(({ outcome }) => outcome?.kind === 'done');
  return (
    done.length > 0 &&
    html`<section>
      <h2>Just written</h2>
      <ul class="rows tight small">
        ${done
          .slice(-JUST_WRITTEN_MAX)
          .toReversed()
          .map(
            ({ action }) =>
              html`<li class="row between">
                <span>${action.title}</span
                ><span class="dim"
                  >${action.kind === 'update' ? changeInWords(action).join(', ') : WORDS[action.kind]}</span
                >
              </li>`,
          )}
      </ul>
    </section>`
  );
}

const WORDS = { create: 'new', remove: 'removed' } as const;

/** The live part with a run's steps. */
export const runPart: LivePart = {
  name: 'run',
  concerns: ({ kind, run }, of) => kind === 'run' && run === of,
  show: async (look, of) => {
    const run = await loadRun(look.operator.context.database.query(), of);
    return run && livePart(look, run);
  },
};

/** The live part with the head, whose button depends on the person. */
export const runHeadPart: LivePart = {
  name: 'run-head',
  isPersonal: true,
  concerns: runPart.concerns,
  show: async (asked, of) => {
    const run = await loadRun(asked.operator.context.database.query(), of);
    return run && liveHead(asked, run);
  },
};

/** The page of a run that has ended: what it did, and how to undo it. */
export async function runPage(asked: Asked, run: RunRecord, acts: readonly Act[]): Promise<Page> {
  const query = asked.operator.context.database.query();
  const batches = await loadBatches(query, run.run);
  const tallies = await loadTallies(query, run.run);
  const events = eventsOf(batches);
  const done = events.filter(({ outcome }) => outcome?.kind === 'done');
  const log = await loadLog(query, run.run);
  const heading = title(run);
  const isAsked = asked.url.searchParams.has('undo');
  const back = await eventsTakenBack(query, run);
  const isLeft = done.length > 0 ? done.some(({ action }) => !back.has(action.slug)) : changesOwners(run);
  const undo =
    !isAsked &&
    isLeft &&
    html`<a class="btn" href="${linkTo(asked, `${runPath(run.run)}?undo#undo`)}">${icon('undo')}Take it back…</a>`;
  const said = runProblems(asked, 'What there is to say', run.report?.problems ?? [], run.site);
  const main = html`${crumbs(asked, [
      ['/runs/', 'Runs'],
      [sourcePath(run.source), run.source],
    ])}${head(heading, whenAndWhy(asked, run, acts), undo || undefined)}${actLines(asked, run, acts)}${await undoneList(asked, run)}
    <div class="cols">
      <div class="stack-5">
        ${cutShort(asked, run, log)}${isAsked && (await undoPanel(asked, run, done.length))}${oneThing(events)}${said}
        <section>
          <h2>What it did</h2>
          ${
            events.length > 0
              ? writtenTable(asked, run.site, events, { why: causeInWords(run.cause) })
              : html`<p>It wrote no event.</p>`
          }
        </section>
        ${forDevelopers(run, tallies, batches, log)}
      </div>
      ${stepsList({ base: asked.base, operator: asked.operator, run, batches: tallies, now: asked.now })}
    </div>`;
  return { title: heading, place: 'runs', main };
}

/**
 * Whether a run may have changed which events belong to a source without writing to them: an adoption, or the undo of
 * one.
 */
const changesOwners = ({ cause, report }: RunRecord): boolean =>
  cause.kind === 'adopt' || (report?.problems.some(({ code }) => code === 'own-again') ?? false);

function whenAndWhy(asked: Asked, run: RunRecord, acts: readonly Act[]): Html {
  const at = moment(run.startedAt.getTime(), asked.zoneOf(run.site), asked.now);
  const of =
    run.cause.kind === 'undo' && html` of <a href="${linkTo(asked, runPath(run.cause.of))}">an earlier run</a>`;
  return html`${at}, took ${runDuration(run, asked.now)} · ${runCause(run.cause, acts, of)}`;
}

function actLines(asked: Asked, run: RunRecord, acts: readonly Act[]): HtmlPart {
  const told = acts.flatMap(({ reason, ...act }) => (reason === null ? [] : [{ ...act, reason }]));
  return (
    told.length > 0 &&
    html`<ul class="small">
      ${told.map(
        (act) =>
          html`<li>
            ${actInWords(act)}, ${moment(act.at.getTime(), asked.zoneOf(run.site), asked.now)}: ${inQuotes(act.reason)}
          </li>`,
      )}
    </ul>`
  );
}

/** A note that the run was interrupted and carried on. */
function cutShort(asked: Asked, run: RunRecord, { lines: all }: Log): HtmlPart {
  const again = all.filter(({ text }) => text === RESUMED.text);
  const at = again.map((each) => moment(Date.parse(each.at), asked.zoneOf(run.site), asked.now));
  return (
    again.length > 0 &&
    html`<p>
      <b>It was interrupted and continued</b>, ${joinHtml(at, ', ')}. What had been written until then is part of it;
      the log below has ${again.length === 1 ? 'both attempts' : 'all attempts'}.
    </p>`
  );
}

/** A banner with what all changes have in common, if there is nothing else. */
function oneThing(events: readonly WrittenEvent[]): HtmlPart {
  const updates = events.flatMap(({ action }): readonly UpdateEvent[] => (action.kind === 'update' ? [action] : []));
  if (updates.length < 3 || updates.length < events.length) return false;
  const nothing = { slug: '', title: '', start: '', startsAt: 0, venue: '', categories: [] };
  const patterns = changePatterns(updates.map((action) => ({ before: nothing, after: nothing, action })));
  const pattern = patterns.find((each) => isAllOneThing(updates, each));
  return pattern && banner('good', html`<p><b>It was all one thing:</b> ${changePatternInWords(pattern)}.</p>`);
}

type Log = Awaited<ReturnType<typeof loadLog>>;

function forDevelopers(run: RunRecord, tallies: readonly BatchTally[], batches: readonly Batch[], log: Log): Html {
  const attempts = Math.max(0, ...batches.map((batch) => batch.attempts));
  const failed = tallies.reduce((sum, { tally }) => sum + tally.problems.length, 0);
  const { steps } = run;
  const answers = statusesInWords(run.statuses);
  return html`<details class="well-box">
    <summary>
      <b>For the developer</b>
      <span class="dim"
        >${countInWords(run.requests, 'request')},
        ${countInWords(tallies.length, 'batch', 'batches')}${attempts > 1 && `, up to ${attempts} attempts each`}</span
      >
    </summary>
    <div class="stack">
      <dl class="kv small">
        <dt>Run</dt>
        <dd class="mono">${run.run}</dd>
        ${
          steps &&
          html`<dt>Feed</dt>
            <dd>
              ${steps.fetch.status ?? 'no status'}${
                steps.fetch.bytes !== null && html`, ${grouped(steps.fetch.bytes)} bytes`
              },
              ${steps.fetch.ms} ms${validators(steps.fetch)}
            </dd>`
        }
        <dt>Site</dt>
        <dd>
          ${countInWords(run.requests, 'request')}${answers !== '' && html` (${answers})`},
          ${countInWords(run.writes, 'write')}${failed > 0 && html`, ${failed} refused or differing`}
        </dd>
        <dt>All of it</dt>
        <dd><code>calsyncd show ${run.run} --json</code></dd>
      </dl>
      ${logLines(log)}
    </div>
  </details>`;
}

const logLine = ({ at, level, ...said }: LogLine): string =>
  `${at.slice(11, 23)} ${level === 'warn' ? 'warn ' : ''}${lineInWords({ level, ...said })}`;

/** The log of the run, in order. */
function logLines({ lines: all, leftOut }: Log): HtmlPart {
  return (
    all.length > 0 &&
    html`<h3>Log</h3>
      ${leftOut > 0 && html`<p class="small dim">${countInWords(leftOut, 'line')} after the first ones gave way to later ones.</p>`}
      <pre class="code" tabindex="0" role="region" aria-label="Log of this run; times are UTC">
${all
          .map(
            (each) => `${logLine(each)}
`,
          )
          .join('')}</pre>`
  );
}

/** The feed's address and the validators that its server sent. */
function validators({ from, etag, lastModified }: ReadingSteps['fetch']): HtmlPart {
  const said = [
    ...(from === undefined ? [] : [html`from <span class="mono">${from}</span>`]),
    ...(etag ? [html`ETag <span class="mono">${etag}</span>`] : []),
    ...(lastModified ? [html`Last-Modified ${lastModified}`] : []),
    ...(from !== undefined && !etag && !lastModified ? ['no validators: it is fetched whole each time'] : []),
  ];
  return said.map((each) => html`<br />${each}`);
}

const LISTED_MAX = 12;

/** What undoing the run would do now, with the button for it. */
async function undoPanel(asked: Asked, run: RunRecord, done: number): Promise<Html> {
  const { context } = asked.operator;
  const setup = await setupToUndo(context, run);
  if (!setup)
    return banner(
      'warn',
      html`<p id="undo">
        <b>This cannot be undone from here:</b> the configuration does not have the source ${run.source} on that site
        any more.
      </p>`,
    );
  const plan = await previewUndo(context, setup, run.run).catch((error: unknown) => {
    if (error instanceof AppError) return error;
    throw error;
  });
  if (plan instanceof AppError)
    return banner('warn', html`<p id="undo">${messageHtml(asked, plan.message, run.site)}</p>`);
  const again = plan.problems.filter(({ code }) => code === 'feed-decides');
  const left = plan.problems.filter(({ code }) => code !== 'feed-decides');
  const events = plan.actions.filter((action) => action.resource === 'events');
  if (events.length === 0 && (plan.released ?? plan.adopted) === undefined) {
    const isTakenBack = (await undoneList(asked, run)) !== false;
    // When and by whom it was undone is shown above.
    const why = left.filter(({ code }) => !(isTakenBack && code === 'nothing-to-undo'));
    return banner(
      'info',
      html`<p id="undo"><b>There is nothing left to take back.</b></p>
        ${lines(asked, why, run.site)}`,
    );
  }
  const content = html`<p class="say" id="undo">${undoSentence(plan)}</p>
    ${lines(asked, left, run.site)}${lines(asked, again, run.site)}${
      again.length > 0 &&
      html`<p>
        The schedule would do the same again. <a href="${linkTo(asked, sourcePath(run.source))}">Pause the source</a>,
        or let the site decide about these fields.
      </p>`
    }
    ${
      events.length > 0 &&
      html`<details>
        <summary>Show them first</summary>
        ${writtenTable(
          asked,
          run.site,
          events.map((action) => ({ action, entry: plan.ledger[action.slug]?.entry })),
          { caption: 'What taking it back would do', why: causeInWords({ kind: 'undo', of: run.run }) },
        )}
      </details>`
    }
    <input type="hidden" name="count" value="${events.length}" /><label class="field"
      >Why? (optional, kept with the run)<textarea name="reason" rows="2" maxlength="${REASON_MAX}"></textarea>
    </label>
    <p class="row">
      ${button('undo', events.length > 0 ? `Take back ${grouped(events.length)} of ${grouped(done)}` : 'Take it back', { kind: 'danger' })}<a
        class="btn bare"
        href="${linkTo(asked, runPath(run.run))}"
        >‹ Leave it as it is</a
      >
    </p>`;
  return form(asked, content, { path: runPath(run.run), kind: 'box stack' });
}

function undoSentence(plan: Plan): Html {
  const { adopted = [] } = plan;
  const { remove, move, change, new: made } = countsOf(plan.actions);
  const parts = [
    ...(remove > 0 ? [`${countInWords(remove, 'event')} ${remove === 1 ? 'goes' : 'go'} to the trash`] : []),
    ...(move + change > 0
      ? [`${countInWords(move + change, 'event')} ${move + change === 1 ? 'gets its' : 'get their'} earlier values`]
      : []),
    ...(made > 0 ? [`${countInWords(made, 'event')} ${made === 1 ? 'comes' : 'come'} back`] : []),
    ...(adopted.length > 0
      ? [`${countInWords(adopted.length, 'event')} ${adopted.length === 1 ? 'is' : 'are'} the source’s again`]
      : []),
  ];
  if (parts.length === 0) return html`<b>Taking this run back</b> writes nothing.`;
  return html`<b>Taking this run back:</b> ${parts.join(', ')}. The next run leaves it so.`;
}

function lines(asked: Asked, all: readonly { readonly message: string }[], site: string): HtmlPart {
  return (
    all.length > 0 &&
    html`<ul class="small">
      ${all.slice(0, LISTED_MAX).map(({ message }) => html`<li>${messageHtml(asked, message, site)}</li>`)}${
        all.length > LISTED_MAX && html`<li>and ${grouped(all.length - LISTED_MAX)} more</li>`
      }
    </ul>`
  );
}
