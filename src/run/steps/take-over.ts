import type { Problem } from '../../problem.ts';
import { causeInWords, isAskedFor, type Cause } from '../state/causes.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { endShort } from './end-run.ts';
import { noteFailure } from '../state/fetch-times.ts';
import {
  holdsLease,
  leasesToLeave,
  NO_OWNER,
  takeOverDeadLeases,
  type Lease,
  type TakenLease,
} from '../state/lease.ts';
import { endSilentProcesses } from '../state/process.ts';
import { loadRun, type RunRecord } from '../state/records.ts';
import { setupOfRun } from './setup-of-run.ts';
import { DAY_MS } from '../../time.ts';

export interface Abandoned {
  readonly run: RunRecord;
  readonly setup: SourceSetup;
}

/**
 * Takes over the runs of dead processes, and returns those to continue. Runs that were writing a source unknown to this
 * configuration are left alone (`leftRuns`), unless a person decided about what the source has left. Three kinds end as
 * failed, with everything that they have done: runs on a site that is no longer their source's; runs without a plan
 * that a person asked for, because their cause alone does not say what to plan (except to forget a former source); and
 * readings that were repeatedly cut off. The latter may be what ends the program, so the source is then left alone.
 */
export async function takeOverRuns(context: RunContext): Promise<readonly Abandoned[]> {
  await endSilentProcesses(context.database);
  const decided = (await cutOffElsewhere(context)).flatMap(({ lease, setup }) => (setup ? [lease.run] : []));
  return toCarryOn(
    context,
    await takeOverDeadLeases(context.database, context.member.id(), [...context.sources.keys()], decided),
  );
}

/**
 * Runs that were cut off while writing sources unknown to this configuration, and that it cannot carry out either. A
 * program that has those sources must continue them.
 */
export const runsToLeave = async (context: Knowing): Promise<readonly Lease[]> =>
  (await cutOffElsewhere(context)).flatMap(({ lease, setup }) => (setup ? [] : [lease]));

/** What decides which runs a process can carry out. */
type Knowing = Parameters<typeof setupOfRun>[0];

/**
 * Runs that were cut off while writing sources that are not configured, with the setup in which they can be continued,
 * if any.
 */
async function cutOffElsewhere(
  context: Knowing,
): Promise<readonly { readonly lease: Lease; readonly setup: SourceSetup | undefined }[]> {
  const { database, sources } = context;
  const cutOffs: { readonly lease: Lease; readonly setup: SourceSetup | undefined }[] = [];
  for (const lease of await leasesToLeave(database, [...sources.keys()])) {
    const run = await loadRun(database.query(), lease.run);
    cutOffs.push({ lease, setup: run && (await setupOfRun(context, run)) });
  }
  return cutOffs;
}

/** What to say about such a run: how it continues, and how to end it. */
export const leftRunInWords = ({ run, source }: Lease): string =>
  `The run ${run} of "${source}" was interrupted, and this configuration does not have that source: ` +
  `it is left to a process whose configuration does. "npm run -s calsyncd -- forget ${source}" ends it.`;

/** The same for runs of this process that nothing is working on any more. */
export async function takeUpRuns(context: RunContext, unattended: readonly Lease[]): Promise<readonly Abandoned[]> {
  const still: Lease[] = [];
  // Each may have ended in the meantime, or belong to another process now.
  for (const lease of unattended)
    if (await holdsLease(context.database, lease.run, context.member.id())) still.push(lease);
  return toCarryOn(context, still);
}

async function toCarryOn(
  context: RunContext,
  leases: readonly (Lease & Partial<TakenLease>)[],
): Promise<readonly Abandoned[]> {
  const abandoned: Abandoned[] = [];
  for (const lease of leases) {
    const run = await loadRun(context.database.query(), lease.run);
    const setup = run && (await setupToCarryOn(context, run));
    const why = whyItEnds(lease, run, setup, hasEnded(context, lease.formerOwner));
    // Must come before its source is free for another run.
    if (why?.code === READING_CUT_OFF) await leaveAlone(context, lease);
    if (why) await endShort(context, lease, why);
    else if (run && setup) {
      // What was read during planning may be out of date, so it is read again.
      context.planned.forget(run.run);
      context.listed.forget(run.run);
      abandoned.push({ run, setup });
    }
  }
  return abandoned;
}

/**
 * A run without a plan is only read again if its source is configured as before, or, to forget a source, if it is not.
 */
async function setupToCarryOn(context: RunContext, run: RunRecord): Promise<SourceSetup | undefined> {
  const setup = await setupOfRun(context, run);
  const isConfigured = setup === context.sources.get(run.source);
  return run.state === 'reading' && isConfigured === (run.cause.kind === 'forget') ? undefined : setup;
}

/**
 * Whether the program that had a run has ended. A program that only lost its database, or could not store what it had
 * read, is still there.
 */
const hasEnded = ({ member }: RunContext, formerOwner = NO_OWNER): boolean =>
  formerOwner !== NO_OWNER && !member.hadId(formerOwner);

/**
 * Why a run that was cut off does not continue; undefined if it does. `ended` says whether the program that had it has
 * ended.
 */
function whyItEnds(
  lease: Lease,
  run: RunRecord | undefined,
  setup: SourceSetup | undefined,
  ended: boolean,
): Problem | undefined {
  if (run?.state === 'reading') return whyReadingEnds(lease, run, setup, ended);
  return run?.state === 'writing' && setup ? undefined : sourceGoneProblem(lease);
}

/** The same for a run that has no plan yet. */
function whyReadingEnds(
  lease: Lease,
  { cause, cutOffs }: RunRecord,
  setup: SourceSetup | undefined,
  ended: boolean,
): Problem | undefined {
  const isOften = cutOffs >= CUT_OFFS_MAX;
  if (isAskedFor(cause)) {
    // The person who stopped it by hand may not want it any more.
    const goesOn = cause.kind === 'forget' && setup !== undefined && ended && !isOften;
    return goesOn ? undefined : cutOff(cause);
  }
  if (isOften) return ended ? cutOffAgain(lease) : DATABASE_FAILED;
  return setup ? undefined : sourceGoneProblem(lease);
}

const CUT_OFFS_MAX = 3;
const LEFT_ALONE_MS = DAY_MS / 4;

/** Until then, a start of the program does not read the feed either. */
const leaveAlone = ({ database, now }: RunContext, { site, source }: Lease): Promise<void> =>
  noteFailure(database.query(), site, source, LEFT_ALONE_MS, now(), Math.random());

const READING_CUT_OFF = 'reading-cut-off';

const cutOffAgain = ({ source }: Lease): Problem => ({
  code: READING_CUT_OFF,
  message:
    `The program ended ${CUT_OFFS_MAX} times while it read this feed, so it is left alone for six hours. ` +
    'If there is too little memory for it, give the program more, or ask for a smaller feed: ' +
    `"npm run -s calsyncd -- sync ${source}" tries it at once.`,
  where: {},
});

/** The feed has not failed, so it is read again when it is due. */
const DATABASE_FAILED: Problem = {
  code: 'database-failed',
  message:
    `The database failed ${CUT_OFFS_MAX} times while this feed was read, so nothing was changed; ` +
    'usually its disk is full, and the log has its messages. The next run reads the feed again.',
  where: {},
};

const cutOff = (cause: Cause): Problem => ({
  code: 'cut-off',
  message: `The run (${causeInWords(cause)}) was interrupted before it had planned: nothing was written. Run the command again.`,
  where: {},
});

/** Why a run that was cut off ends: its source is no longer configured on that site. */
export const sourceGoneProblem = ({ site, source }: Lease): Problem => ({
  code: 'source-gone',
  message: `The run was interrupted, and the configuration no longer has the source "${source}" on ${site}: nothing more is written.`,
  where: {},
});
