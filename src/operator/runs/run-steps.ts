import { messageHtml } from '../sources/message-html.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { countInWords, grouped } from '../../count-in-words.ts';
import type { BatchTally } from '../../run/state/batches.ts';
import type { RunRecord } from '../../run/state/records.ts';
import type { ReadingSteps } from '../../run/state/progress.ts';
import { isAskedFor } from '../../run/state/causes.ts';
import type { Asked } from '../frame/operator.ts';
import { sign, type Sign } from '../frame/sprite.ts';
import { spanInWords } from '../../run/watch/moments.ts';

/** What the steps of a run are derived from. */
export interface StepsOf extends Pick<Asked, 'base' | 'operator'> {
  readonly run: RunRecord;
  readonly batches: readonly BatchTally[];
  /** Epoch milliseconds. */
  readonly now: number;
}

interface Step {
  readonly title: string;
  readonly sign: Sign;
  readonly took: string;
  readonly text: HtmlPart;
}

/** The progress of a run in five steps, without those that it does not need. */
export function stepsList(of: StepsOf, isBoxed = false): Html {
  const page = { base: of.base, operator: of.operator, params: { run: of.run.run } };
  const told = (text: HtmlPart): HtmlPart => (typeof text === 'string' ? messageHtml(page, text, of.run.site) : text);
  const steps = [...readingSteps(of), ...writingSteps(of), ...lastStep(of)];
  return html`<ol class="steps${isBoxed && ' box'}">
    ${steps.map(
      ({ title, sign: own, took, text }) =>
        html`<li>${sign(own)}<h2${
          own === 'new' && html` class="todo"`
        }><span>${title}</span><small class="num dim">${took}</small></h2><div class="dim">${told(text)}</div></li>`,
    )}
  </ol>`;
}

const tookMs = (ms: number | undefined): string => {
  if (ms === undefined) return '';
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : spanInWords(ms);
};

/** "48 kB". */
const size = (bytes: number): string => (bytes < 1_000 ? `${bytes} bytes` : `${grouped(Math.round(bytes / 1_000))} kB`);

function readingSteps({ run, batches }: StepsOf): readonly Step[] {
  // A run that a person asked for has its plan already and does not read the feed.
  if (isAskedFor(run.cause)) return [];
  const { steps } = run;
  if (!steps) return [{ title: 'Asking for the feed', sign: firstSign(run), took: '', text: firstText(run) }];
  const { read, compare } = steps;
  const asked = askedStep(run, steps);
  if (!read) return asked.sign === 'failing' ? [asked] : [asked, ...unreadSteps(run)];
  const remarks = read.problems > 0 ? ` ${countInWords(read.problems, 'remark')}.` : '';
  return [
    asked,
    {
      title: 'Read it',
      sign: 'well',
      took: tookMs(read.ms),
      text: `${countInWords(read.events, 'event')}, ${read.coming} still to come.${remarks}`,
    },
    {
      title: 'Compared with the site',
      sign: 'well',
      took: tookMs(compare?.ms),
      text: comparedText(run, writtenOf(batches).of),
    },
  ];
}

function askedStep({ state, report }: RunRecord, { fetch }: ReadingSteps): Step {
  const hasAnswer = fetch.bytes !== null || fetch.status === 304 || fetch.from !== undefined;
  return {
    title: 'Asked for the feed',
    sign: state === 'failed' && !hasAnswer ? 'failing' : 'well',
    took: tookMs(fetch.ms),
    text: fetchText(fetch, report?.problems[0]?.message),
  };
}

/** The step after fetching a feed that has not been read: it is being read, cannot be, or has not changed. */
function unreadSteps({ state, report }: RunRecord): readonly Step[] {
  if (state === 'reading') return [{ title: 'Reading it', sign: 'live', took: '', text: '' }];
  return state === 'failed'
    ? [{ title: 'Could not read it', sign: 'failing', took: '', text: report?.problems[0]?.message ?? '' }]
    : [];
}

const firstSign = ({ state }: RunRecord): Sign => {
  if (state === 'reading') return 'live';
  return state === 'failed' ? 'failing' : 'well';
};
const firstText = ({ state, report }: RunRecord): string =>
  state === 'failed' ? (report?.problems[0]?.message ?? '') : '';

function fetchText(fetch: ReadingSteps['fetch'], problem: string | undefined): string {
  if (fetch.status === 304) return 'It has not changed (304).';
  if (fetch.bytes === null && fetch.from !== undefined) return 'The file has not changed.';
  if (fetch.bytes === null) return problem ?? 'It gave no answer.';
  return fetch.status === null
    ? `A file of ${size(fetch.bytes)}.`
    : `It answered ${fetch.status} with ${size(fetch.bytes)}.`;
}

function comparedText({ report }: RunRecord, writes: number): string {
  if (writes > 0) return `${countInWords(writes, 'thing')} to write.`;
  if (!report?.planned) return 'Nothing had to be written.';
  const events = report.created + report.updated + report.removed;
  return `${countInWords(events, 'event')} to write, which ${events === 1 ? 'waits' : 'wait'} for a person.`;
}

/** How many of a run's writes are done. */
function writtenOf(batches: readonly BatchTally[]): { readonly done: number; readonly of: number } {
  return {
    done: batches.reduce((sum, { tally }) => sum + tally.writes - tally.open, 0),
    of: batches.reduce((sum, { tally }) => sum + tally.writes, 0),
  };
}

function writingSteps({ run, batches, now }: StepsOf): readonly Step[] {
  const { done, of } = writtenOf(batches);
  if (of === 0) return [];
  const since = run.writingAt?.getTime() ?? run.startedAt.getTime();
  const until = run.finishedAt?.getTime() ?? now;
  const inBatches = countInWords(batches.length, 'batch', 'batches');
  if (run.state !== 'writing')
    return [
      {
        title: done === of ? 'Wrote' : 'Wrote a part',
        sign: done === of ? 'well' : 'failing',
        took: tookMs(Math.max(0, until - since)),
        text: `${grouped(done)} of ${grouped(of)}, in ${inBatches}.`,
      },
    ];
  const left = done === 0 ? '' : `about ${spanInWords(((of - done) / done) * (now - since))} left`;
  return [
    {
      title: 'Writing',
      sign: 'live',
      took: left,
      text: html`<p>
          <b>${grouped(done)} of ${grouped(of)}</b> are written, in ${inBatches}. Each batch is recorded before the next
          one starts.
        </p>
        <p class="stack">
          <progress max="${of}" value="${done}" aria-label="Written">${grouped(done)} of ${grouped(of)}</progress
          >${batchPicture(batches)}
        </p>`,
    },
  ];
}

/** More batches than this are not drawn individually. */
const DRAWN_MAX = 40;
const IN_ROW = 20;
const SQUARE = 15;

/** A square for each batch: written, in progress, or to come. */
function batchPicture(batches: readonly BatchTally[]): Html | false {
  if (batches.length < 2 || batches.length > DRAWN_MAX) return false;
  const kinds = batches.map(({ tally }) => kindOf(tally.open, tally.writes));
  // The first unwritten one is in progress.
  const next = kinds.indexOf('p');
  const drawn = kinds.map((kind, index) => (kind === 'p' && index === next ? 'w' : kind));
  const count = (kind: string): number => drawn.filter((each) => each === kind).length;
  const rows = Math.ceil(drawn.length / IN_ROW);
  return html`<svg
    class="batches"
    viewBox="0 0 ${IN_ROW * SQUARE} ${rows * SQUARE}"
    role="img"
    aria-label="${drawn.length} batches: ${count('d')} written, ${count('w')} on the way, ${count('p')} to come"
  >
    ${drawn.map(
      (kind, index) =>
        html`<rect
          class="${kind}"
          x="${(index % IN_ROW) * SQUARE + 0.5}"
          y="${Math.floor(index / IN_ROW) * SQUARE + 0.5}"
          width="11"
          height="11"
          rx="2"
        />`,
    )}
  </svg>`;
}

const kindOf = (open: number, writes: number): 'd' | 'w' | 'p' => {
  if (open === 0) return 'd';
  return open < writes ? 'w' : 'p';
};

function lastStep({ run }: StepsOf): readonly Step[] {
  if (run.state === 'writing')
    return [{ title: 'Done', sign: 'new', took: '', text: 'Then the outgoing feeds are updated.' }];
  const ends: Readonly<Partial<Record<RunRecord['state'], readonly [string, Sign]>>> = {
    done: ['Done', 'well'],
    unchanged: ['Done', 'well'],
    held: ['Waits for a person', 'held'],
    rejected: ['Rejected by a person', 'held'],
    superseded: ['Overtaken by a later run', 'held'],
    failed: ['Failed', 'failing'],
  };
  const [title, own] = ends[run.state] ?? ['', 'new'];
  return title === '' ? [] : [{ title, sign: own, took: '', text: '' }];
}
