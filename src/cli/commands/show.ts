import { loadBatches, type Batch } from '../../run/state/batches.ts';
import { loadLog } from '../../run/log/run-log.ts';
import { statusesInWords } from '../../run/log/traffic.ts';
import { causeInWords } from '../../run/state/causes.ts';
import { notHeldError } from '../../run/state/held.ts';
import { findRun, loadHeldPlan, loadPlanned, loadReview, type RunRecord } from '../../run/state/records.ts';
import { conflictsInWords, linkedInWords, planInWords } from '../../sync/plan/plan-in-words.ts';
import type { Action, Outcome, Plan } from '../../sync/model/plan.ts';
import { stageOf } from '../../sync/model/to-batches.ts';
import { actAsJson, actInWords, actsOfRuns, type Act } from '../../run/watch/acts.ts';
import { commandOf } from '../terminal/command.ts';
import { EXIT, printJson } from '../terminal/io.ts';
import { withDatabase } from '../open/open-database.ts';
import { timesAtSites, zonesOfSites, type TimeAtSite } from '../../run/state/site-zones.ts';
import { whatVisitorsNotice, whyHeld, type Reader } from '../../sync/review/review-in-words.ts';
import type { Review } from '../../sync/review/review.ts';
import { plainText } from '../../sync/review/said.ts';
import { countsInWords, nextInWords, problemInWords } from '../terminal/words.ts';

/** `show RUN`: a whole run, with every action and its result. */
export const command = commandOf({
  group: 'Runs',
  usage: 'show <run>',
  description: 'everything about a run: its plan, what became of each action, its problems',
  act: async ({ io, config, options, args: [name] }) =>
    withDatabase(config, io, async (database) => {
      const query = database.query();
      const found = await findRun(query, name);
      if (!found) throw notHeldError(name, undefined);
      const batches = await loadBatches(query, found.run);
      const acts = (await actsOfRuns(query, [found.run])).get(found.run) ?? [];
      const held = await loadHeldPlan(query, found.run);
      const conflicts = (await loadPlanned(query, found.run))?.plan.conflicts ?? [];
      const review = await loadReview(query, found.run);
      if (options.json)
        printJson(io, {
          ...found,
          log: await loadLog(query, found.run),
          cause: causeInWords(found.cause),
          review,
          acts: acts.map(actAsJson),
          conflicts,
          actions: held
            ? held.actions.map((action) => ({ stage: stageOf(action), batch: null, ...action, outcome: null }))
            : batches.flatMap(actionsOf),
        });
      else {
        const { timezone } = config.builtin;
        const zone = (await zonesOfSites(query, timezone))(found.site);
        const why = review ? reviewInWords(review, { source: found.source, now: Date.now(), zone }) : [];
        io.out(inWords(found, acts, batches, held, conflicts, await timesAtSites(query, timezone), why));
      }
      return EXIT.done;
    }),
});

const actionsOf = ({ stage, number, items, outcomes }: Batch): readonly object[] =>
  items.map(({ action }, index) => ({ stage, batch: number, ...action, outcome: outcomes[index] ?? null }));

function inWords(
  run: RunRecord,
  acts: readonly Act[],
  batches: readonly Batch[],
  held: Plan | undefined,
  conflicts: Plan['conflicts'],
  timeAt: TimeAtSite,
  why: readonly string[],
): string {
  const timeInWords = (time: Date): string => timeAt(run.site, time, { seconds: true });
  const lines = [
    `Run ${run.run} of ${run.source} (${causeInWords(run.cause)})`,
    `  began ${timeInWords(run.startedAt)}${run.finishedAt ? `, ended ${timeInWords(run.finishedAt)}` : ', is still under way'}, state ${run.state}`,
    ...acts.map(
      (act) => `  ${actInWords(act)}, ${timeInWords(act.at)}${act.reason === null ? '' : `: "${act.reason}"`}`,
    ),
    ...(run.supersededBy === null ? [] : [`  out of date: ${run.supersededBy} has planned anew`]),
    ...(run.since
      ? [`  the last of ${run.times} that found the same, one after the other since ${timeInWords(run.since)}`]
      : []),
    ...(run.report
      ? [
          `  ${countsInWords(run.report, run.state)}; ${run.report.requests} requests${answeredInWords(run)}, ${run.report.writes} writes`,
        ]
      : []),
    ...why.map((sentence) => `  ${sentence}`),
    ...batches.flatMap(({ items, outcomes }) =>
      items.map(({ action }, index) => `  ${actionInWords(action)}${outcomeInWords(outcomes[index] ?? null)}`),
    ),
    ...(held ? planInWords({ ...held, held: null, conflicts: [] }).map((line) => `  ${line}`) : []),
    ...conflictsInWords({ conflicts }).map((line) => `  ${line}`),
    ...(conflicts.length > 0 ? ['    npm run -s calsyncd -- settle   lists what is still open, and settles it'] : []),
    ...(run.report?.problems ?? []).map((problem) => `  ! ${problemInWords(problem)}`),
    ...(run.state === 'held' ? [`  ${nextInWords(run.run)}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function answeredInWords({ statuses }: RunRecord): string {
  const answers = statusesInWords(statuses);
  return answers === '' ? '' : ` (${answers})`;
}

/** What a person has to know of a plan that is or was held. */
const reviewInWords = (review: Review, reader: Reader): readonly string[] =>
  [whyHeld(review, reader), ...whatVisitorsNotice(review, reader)].map(plainText).filter((sentence) => sentence !== '');

const SIGNS = { create: '+', update: '~', remove: '-' } as const;

function actionInWords(action: Action): string {
  if ('ref' in action) return `${SIGNS[action.kind]} ${linkedInWords(action.ref)}`;
  const changes = action.kind === 'update' ? ` (${Object.keys(action.changes).join(', ')})` : '';
  return `${SIGNS[action.kind]} ${action.slug}  ${action.title}${changes}: ${action.because}`;
}

function outcomeInWords(outcome: Outcome | null): string {
  if (outcome === null) return '  … not written yet';
  return outcome.kind === 'done' ? `  → ${outcome.id}` : `  ! ${outcome.problem.message}`;
}
