import { messageHtml } from '../sources/message-html.ts';
import { AppError } from '../../error.ts';
import { html, type HtmlPart } from '../../html/template.ts';
import { approveRun, rejectRun } from '../../run/decisions/approve-run.ts';
import { stopRun } from '../../run/decisions/stop-run.ts';
import { setupToUndo, startUndo } from '../../run/decisions/undo-run.ts';
import { findRun, type RunRecord } from '../../run/state/records.ts';
import type { SourceSetup } from '../../run/state/context.ts';
import { actsOfRuns } from '../../run/watch/acts.ts';
import { GROUPS, type Group } from '../../sync/review/review.ts';
import { snooze } from '../../run/watch/snoozes.ts';
import { actorOf, reasonIn } from '../frame/actor.ts';
import { crumbs, head } from '../frame/parts.ts';
import type { Answer, Asked, LivePart, Page, Route, Sent } from '../frame/operator.ts';
import { forgetOverview, overviewOf } from '../sources/overview.ts';
import { snoozeUntil } from '../frame/times.ts';
import { backTo, outcomeBanner } from '../sources/acts.ts';
import { runPath, sourcePath } from '../sources/paths.ts';
import { reviewChoicesIn, pageIn } from './review-choices.ts';
import { feedsPage } from './feeds-page.ts';
import { loadReviewData, type ReviewData } from './review-data.ts';
import { confirmPage } from './review-form.ts';
import { filtered, filterIn, filterQuery } from './review-filter.ts';
import { PLAN_SUPERSEDED, reviewPage } from './review-page.ts';
import { livePage, runHeadPart, runPage, runPart } from './run-page.ts';
import { tryPage } from './try-page.ts';
import { runsPage } from './runs-page.ts';

const messagePage = (asked: Asked, status: number, title: string, text: HtmlPart): Page => ({
  title,
  status,
  place: 'runs',
  main: html`${crumbs(asked, [['/runs/', 'Runs']])}${head(title, text)}`,
});

const missing = (asked: Asked): Page =>
  messagePage(asked, 404, 'There is no such run', 'Runs are kept for 90 days. The address may be older, or cut off.');

const nameIn = ({ params }: Asked): string => params['run'] ?? '';

const runIn = (asked: Asked): Promise<RunRecord | undefined> =>
  findRun(asked.operator.context.database.query(), nameIn(asked));

const UNDER_REVIEW: ReadonlySet<RunRecord['state']> = new Set(['held', 'rejected', 'superseded']);

async function showRun(asked: Asked): Promise<Answer> {
  const run = await runIn(asked);
  if (!run) return missing(asked);
  if (run.run !== nameIn(asked)) return { to: runPath(run.run) };
  const page = await pageOf(asked, run);
  return { ...page, main: html`${outcomeBanner(asked)}${page.main}` };
}

async function pageOf(asked: Asked, run: RunRecord): Promise<Page> {
  if (run.state === 'reading' || run.state === 'writing') return livePage(asked, run);
  const query = asked.operator.context.database.query();
  const acts = (await actsOfRuns(query, [run.run])).get(run.run) ?? [];
  const data = UNDER_REVIEW.has(run.state) ? await loadReviewData(asked, run) : undefined;
  if (!data) return runPage(asked, run, acts);
  const { searchParams } = asked.url;
  const except = new Set(searchParams.getAll('except'));
  const filter = filterIn((name) => searchParams.get(name) ?? '');
  const page = pageIn(Number(searchParams.get('page')), filtered(data, filter));
  return reviewPage(asked, data, { except, page, filter, acts });
}

/** The page of a plan that can no longer be decided on, with a note that nothing was done now. */
const decidedBefore = (run: string): { readonly to: string } => backTo(runPath(run), ['decided-before', 0]);

/** The held plan that a review's form is about; if it can no longer be decided on, the page to show instead. */
async function heldIn(asked: Asked, sent: Sent): Promise<ReviewData | { readonly to: string } | Page> {
  const run = await runIn(asked);
  if (!run) return missing(asked);
  const data = await loadReviewData(asked, run);
  if (run.state === 'held' && data) return data;
  if (run.supersededBy === null || !data) return decidedBefore(run.run);
  // Ticks that still apply are carried over.
  const { except } = reviewChoicesIn(sent, data.listed);
  const params = new URLSearchParams([['said', PLAN_SUPERSEDED], ...[...except].map((slug) => ['except', slug])]);
  return { to: `${runPath(run.supersededBy)}?${params.toString()}` };
}

const isData = (found: Awaited<ReturnType<typeof heldIn>>): found is ReviewData => 'listed' in found;

/** Moves to another page of the list and keeps the ticks. */
const turn =
  (by: number) =>
  async (asked: Asked, sent: Sent): Promise<Answer> => {
    const data = await heldIn(asked, sent);
    if (!isData(data)) return data;
    const { except, page, filter } = reviewChoicesIn(sent, data.listed);
    return reviewPage(asked, data, { except, page: pageIn(page + by, filtered(data, filter)), filter, acts: [] });
  };

/** Longer addresses may be cut or refused on the way. */
const IN_ADDRESS_MAX = 50;

/** Filters the list and keeps the ticks, at an address of its own unless that would be too long. */
const choose =
  (only?: Group | '') =>
  async (asked: Asked, sent: Sent): Promise<Answer> => {
    const data = await heldIn(asked, sent);
    if (!isData(data)) return data;
    const { except, filter: given } = reviewChoicesIn(sent, data.listed);
    const filter = only === undefined ? given : { ...given, only };
    return except.size > IN_ADDRESS_MAX
      ? reviewPage(asked, data, { except, page: 0, filter, acts: [] })
      : { to: `${runPath(data.run.run)}${filterQuery(filter, except)}#list` };
  };

async function approve(asked: Asked, sent: Sent): Promise<Answer> {
  const data = await heldIn(asked, sent);
  if (!isData(data)) return data;
  const choice = reviewChoicesIn(sent, data.listed);
  if (!choice.isCounted) return confirmPage(asked, data, choice);
  const { run, source } = data.run;
  const approved = { by: actorOf(asked), reason: choice.reason, except: [...choice.except] };
  return withSource(asked, data.run, configuredOf(asked, data.run), async (setup) => {
    const { context, engine } = asked.operator;
    const started = await engine.carryOut(setup, () => approveRun(context, setup, run, approved));
    forgetOverview(asked);
    return started.kind === 'busy' ? busy(asked, source) : { to: runPath(run) };
  });
}

const busy = (asked: Asked, source: string): Page =>
  messagePage(
    asked,
    409,
    'Nothing was done',
    `${source} is being read or written right now. Go back, and try again in a minute.`,
  );

/** The run's source, if it is still configured for the site that the run wrote to. */
function configuredOf({ operator }: Asked, { source, site }: RunRecord): SourceSetup | undefined {
  const setup = operator.context.sources.get(source);
  return setup?.site.key === site ? setup : undefined;
}

/** Does something with a run's source. Failures are explained on a page. */
async function withSource(
  asked: Asked,
  { source, site, run }: RunRecord,
  setup: SourceSetup | undefined,
  act: (setup: SourceSetup) => Promise<Answer>,
): Promise<Answer> {
  if (!setup)
    return messagePage(
      asked,
      409,
      'Nothing was done',
      `The configuration does not have ${source} on that site any more.`,
    );
  try {
    return await act(setup);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Another person was faster; the run's page says who.
    return error.code === 'run-not-held'
      ? decidedBefore(run)
      : messagePage(asked, 409, 'Nothing was done', messageHtml(asked, error.message, site));
  }
}

const reject =
  (to: (run: RunRecord) => string) =>
  async (asked: Asked, sent: Sent): Promise<Answer> => {
    const run = await runIn(asked);
    if (!run) return missing(asked);
    try {
      const reason = reasonIn(sent, 'why-not');
      await rejectRun(asked.operator.context, run.run, { by: actorOf(asked), reason });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const data = await heldIn(asked, sent);
      return isData(data) ? decidedBefore(run.run) : data;
    }
    forgetOverview(asked);
    return { to: to(run) };
  };

const later =
  (choice: string) =>
  async (asked: Asked): Promise<Answer> => {
    const { matters } = await overviewOf(asked);
    const matter = matters.find(({ kind, facts }) => kind === 'held' && facts.held?.run === nameIn(asked));
    if (!matter) return decidedBefore(nameIn(asked));
    const { operator, person, now } = asked;
    const until = snoozeUntil(choice, now, asked.zoneOf(matter.site));
    await snooze(operator.context.database.query(), person.login, matter, until);
    return { to: '/?said=later' };
  };

async function undo(asked: Asked, sent: Sent): Promise<Answer> {
  const run = await runIn(asked);
  if (!run) return missing(asked);
  const { context, engine } = asked.operator;
  const reason = reasonIn(sent);
  return withSource(asked, run, await setupToUndo(context, run), async (setup) => {
    const decided = { by: actorOf(asked), reason };
    const started = await engine.carryOut(setup, () => startUndo(context, setup, run.run, undefined, decided));
    forgetOverview(asked);
    if (started.kind === 'busy') return busy(asked, run.source);
    if (started.kind === 'writing') return { to: runPath(started.run) };
    const { report } = started;
    const count = report.created + report.updated + report.removed;
    // It is held only for its size, which the person has just seen and confirmed.
    if (report.state === 'held' && String(count) === sent.field('count'))
      await engine.carryOut(setup, () => approveRun(context, setup, report.run, decided));
    return { to: runPath(report.run) };
  });
}

async function stop(asked: Asked): Promise<Answer> {
  const run = await runIn(asked);
  if (!run) return missing(asked);
  try {
    await stopRun(asked.operator.context, run.run, { by: actorOf(asked) });
  } catch (error) {
    // It has ended in the meantime, as its page shows.
    if (!(error instanceof AppError)) throw error;
  }
  return { to: runPath(run.run) };
}

const sourceIn = ({ params }: Asked): string => params['source'] ?? '';

/** Shows a plan that is not stored. Made only by a button, so that programs which follow links cannot trigger it. */
async function tryOut(asked: Asked): Promise<Answer> {
  const setup = asked.operator.context.sources.get(sourceIn(asked));
  return setup ? tryPage(asked, setup) : { to: sourcePath(sourceIn(asked)) };
}

export const routes: readonly Route[] = [
  { path: '/runs/', show: runsPage },
  {
    path: '/runs/:run/',
    show: showRun,
    acts: {
      approve,
      reject: reject(({ run }) => runPath(run)),
      'reject-write': reject(({ source }) => sourcePath(source, 'report')),
      before: turn(-1),
      more: turn(1),
      back: turn(0),
      filter: choose(),
      'only-': choose(''),
      ...Object.fromEntries(GROUPS.map((group) => [`only-${group}`, choose(group)])),
      'later-tomorrow': later('tomorrow'),
      'later-monday': later('monday'),
      'later-change': later('change'),
      undo,
      stop,
    },
  },
  { path: '/runs/:run/feeds/', show: feedsPage },
  {
    path: '/sources/:source/plan/',
    show: async (asked) => ({ to: sourcePath(sourceIn(asked)) }),
    acts: { try: tryOut },
  },
];

export const parts: readonly LivePart[] = [runHeadPart, runPart];
