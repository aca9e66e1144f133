import { inQuotes } from '../../look/words/in-quotes.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { countInWords } from '../../count-in-words.ts';
import type { Cause } from '../../run/state/causes.ts';
import type { RunRecord, RunState } from '../../run/state/records.ts';
import type { Act } from '../../run/watch/acts.ts';
import { crumbs, delta, linkTo, state } from '../frame/parts.ts';
import { icon, type Sign } from '../frame/sprite.ts';
import { moment } from '../frame/times.ts';
import { spanInWords } from '../../run/watch/moments.ts';
import type { Asked } from '../frame/operator.ts';
import { runPath, sourcePath } from '../sources/paths.ts';
import { shortened } from '../../html/shortened.ts';

/** Breadcrumbs of a page about a held run's plan. */
export const crumbsOfPlan = (asked: Asked, { run, source }: Pick<RunRecord, 'run' | 'source'>): Html =>
  crumbs(asked, [
    ['/', 'To do'],
    [sourcePath(source), source],
    [runPath(run), 'the plan'],
  ]);

/** A note that a held run was compared with a feed other than the last one. */
export const formerFeedNote = (at: number, zone: string, now: number): Html =>
  html`Compared with the feed of ${moment(at, zone, now)}, the last from which no event was missing.`;

const SIGNS: Readonly<Record<RunState, readonly [sign: Sign, word: string]>> = {
  reading: ['live', 'reading'],
  writing: ['live', 'writing'],
  done: ['well', 'done'],
  unchanged: ['well', 'unchanged'],
  held: ['held', 'held'],
  rejected: ['held', 'rejected'],
  superseded: ['held', 'replaced'],
  failed: ['failing', 'failed'],
};

/** The sign and word of a run's state. */
function runState({ state: own }: Pick<RunRecord, 'state'>): Html {
  const [name, word] = SIGNS[own];
  return state(name, { word });
}

const SCHEDULED: Readonly<Record<string, string>> = {
  schedule: 'schedule',
  start: 'the program started',
  settings: 'its settings changed',
};

const ASKED: Readonly<Record<string, string>> = {
  command: 'Check now',
  undo: 'Take back',
  settle: 'settled',
  restore: 'brought back',
  adopt: 'adopted',
  forget: 'dropped',
  lock: 'locked',
  unlock: 'unlocked',
  dismiss: 'taken off',
  detach: 'made somebody’s own',
  attach: 'given back to its source',
};

const causeKind = ({ kind }: Cause): string => kind;

/** Who asked for a run, and what it was about (`of`), followed by those who decided about it. */
export function runCause(cause: Cause, acts: readonly Act[], of: HtmlPart = ''): HtmlPart {
  const scheduled = SCHEDULED[causeKind(cause)];
  const asked = acts.find(({ kind }) => kind !== 'approve' && kind !== 'reject' && kind !== 'stop');
  const words = ASKED[causeKind(cause)] ?? causeKind(cause);
  const first = scheduled ?? html`${icon('person')} ${asked ? `${asked.by.name}: ` : ''}${inQuotes(words)}`;
  const decided = acts.filter(({ kind }) => kind === 'approve' || kind === 'reject' || kind === 'stop');
  return html`${first}${of}${decided.map(
    ({ by, kind }) => html`<br /><span class="small dim">${icon('person')} ${by.name}: ${DECIDED[kind]}</span>`,
  )}`;
}

const DECIDED: Readonly<Partial<Record<Act['kind'], string>>> = {
  approve: 'approved',
  reject: 'rejected',
  stop: 'stopped it',
};

const NOT_WRITTEN: ReadonlySet<RunRecord['state']> = new Set(['held', 'rejected', 'superseded']);

/** The result of a run, in a line or two. */
export function runResult(asked: Asked, run: RunRecord): Html {
  const { report, cause } = run;
  const counts = report ? delta(report.created, report.updated, report.removed) : '';
  const first = report?.problems[0]?.message;
  const isTelling = run.state === 'failed' || run.state === 'held' || report?.state === 'failed';
  const of =
    cause.kind === 'undo'
      ? html`${icon('undo')} <b>${NOT_WRITTEN.has(run.state) ? 'to take back' : 'taken back'}</b>
          <a href="${linkTo(asked, runPath(cause.of))}">an earlier run</a>: `
      : '';
  return html`<a href="${linkTo(asked, runPath(run.run))}">${runState(run)}</a> ${of}${counts}${
      isTelling && first !== undefined && html`<br /><span class="small dim">${shortened(first, 140)}</span>`
    }${run.times > 1 && html`<br /><span class="small dim">${countInWords(run.times, 'time')} the same</span>`}`;
}

/** How long a run took, or has taken so far. */
export function runDuration(run: RunRecord, now: number): string {
  if (run.state === 'reading' || run.state === 'writing') return `${spanInWords(now - run.startedAt.getTime())} so far`;
  const ms = run.tookMs;
  if (ms === null) return '';
  return ms < 1_000 ? `${(ms / 1_000).toFixed(1)} s` : spanInWords(ms);
}
