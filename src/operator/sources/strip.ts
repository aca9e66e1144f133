import { countInWords } from '../../count-in-words.ts';
import { html, type Html } from '../../html/template.ts';
import { changesOf, type RunMark } from '../../run/watch/recent-runs.ts';
import { DAY_MS } from '../../time.ts';

// Bars up: read well, taller with more changes. Below the line: failed. Diamond: held. Ring: overdue.

const WIDTH = 208;
const LINE = 18.5;
const SLOTS = 30;

interface Mark {
  /** The x coordinate of its middle, from 0 to `WIDTH`. */
  readonly x: number;
  readonly width: number;
  readonly kind: 'up' | 'failed' | 'held';
  readonly changes: number;
}

const FAILED: ReadonlySet<RunMark['state']> = new Set(['failed']);
const HELD: ReadonlySet<RunMark['state']> = new Set(['held', 'rejected', 'superseded']);

function kindOf({ state }: RunMark): Mark['kind'] {
  if (FAILED.has(state)) return 'failed';
  return HELD.has(state) ? 'held' : 'up';
}

/** Splits marks that stand for several runs which found nothing to do, into at most as many as the strip can show. */
const oneByOne = (runs: readonly RunMark[]): readonly RunMark[] =>
  runs.flatMap((run) => {
    const times = Math.min(run.times, SLOTS);
    const from = run.since ?? run.at;
    const step = times > 1 ? (run.at - from) / (times - 1) : 0;
    const each = { ...run, since: null, times: 1 };
    return Array.from({ length: times }, (_, index) => ({ ...each, at: times > 1 ? from + index * step : run.at }));
  });

/** The part of a mark after a moment. Runs combined in one mark are taken to be evenly spaced. */
function partAfter(moment: number, run: RunMark): readonly RunMark[] {
  const { at, since, times } = run;
  if (at <= moment) return [];
  const step = times > 1 ? (at - (since ?? at)) / (times - 1) : 0;
  const left = step > 0 ? Math.min(times, Math.ceil((at - moment) / step)) : times;
  return [{ ...run, since: at - (left - 1) * step, times: left }];
}

/** The last 30 runs, at equal distances. */
export function stripOfLast(source: string, runs: readonly RunMark[], isLate: boolean): Html {
  const shown = oneByOne(runs).slice(isLate ? 1 - SLOTS : -SLOTS);
  const slot = WIDTH / SLOTS;
  const from = SLOTS - shown.length - (isLate ? 1 : 0);
  const marks = shown.map((run, index): Mark => ({
    x: (from + index + 0.5) * slot,
    width: slot - 2,
    kind: kindOf(run),
    changes: changesOf(run),
  }));
  return strip(`${source}: ${inWords(shown, 'last')}`, marks, isLate);
}

/** The runs of the last 24 hours, placed by time. */
export function stripOfDay(source: string, runs: readonly RunMark[], now: number): Html {
  const ofDay = runs.flatMap((run) => partAfter(now - DAY_MS, run));
  const shown = oneByOne(ofDay);
  const width = Math.min(5, Math.max(1.5, WIDTH / Math.max(1, shown.length) - 2));
  const marks = shown.map((run): Mark => ({
    x: Math.min(WIDTH - 3, Math.max(3, WIDTH * (1 - (now - run.at) / DAY_MS))),
    width,
    kind: kindOf(run),
    changes: changesOf(run),
  }));
  return strip(`${source}: ${inWords(ofDay, 'of 24 hours')}`, marks, false);
}

const timesOf = (runs: readonly RunMark[]): number => runs.reduce((sum, { times }) => sum + times, 0);

function inWords(runs: readonly RunMark[], which: 'last' | 'of 24 hours'): string {
  const count = (kind: Mark['kind']): number => timesOf(runs.filter((run) => kindOf(run) === kind));
  const [every, changed] = [timesOf(runs), timesOf(runs.filter((run) => changesOf(run) > 0))];
  const parts = [
    `${changed} changed something`,
    ...(count('failed') > 0 ? [`${count('failed')} failed`] : []),
    ...(count('held') > 0 ? [`${count('held')} held`] : []),
  ];
  const all = which === 'last' ? `last ${countInWords(every, 'run')}` : `${countInWords(every, 'run')} of 24 hours`;
  return every === 0 ? 'no run yet' : `${all}: ${parts.join(', ')}`;
}

function strip(label: string, marks: readonly Mark[], isLate: boolean): Html {
  const ups = marks
    .filter(({ kind }) => kind === 'up')
    .map((mark) => bar(mark, LINE - 0.5 - heightOf(mark), heightOf(mark)));
  const downs = marks.filter(({ kind }) => kind === 'failed').map((mark) => bar(mark, LINE + 0.5, 9));
  const diamonds = marks.filter(({ kind }) => kind === 'held').map(({ x }) => `M${short(x)} 5l4 6.5-4 6.5-4-6.5z`);
  return html`<svg class="strip" viewBox="0 0 ${WIDTH} 28" preserveAspectRatio="none" role="img" aria-label="${label}">
    <line class="ax" x1="0" x2="${WIDTH}" y1="${LINE}" y2="${LINE}" />
    ${path('u', ups)}${path('f', downs)}${path('h', diamonds)}${
      isLate && html`<circle class="o" cx="${short(WIDTH - 3.5)}" cy="16" r="2.6" />`
    }
  </svg>`;
}

const path = (kind: string, parts: readonly string[]): Html | false =>
  parts.length > 0 && html`<path class="${kind}" d="${parts.join('')}" />`;

const bar = ({ x, width }: Mark, y: number, height: number): string =>
  `M${short(x - width / 2)} ${short(y)}h${short(width)}v${short(height)}h-${short(width)}z`;

/** Logarithmic, so that a run with ten times the changes is not ten times as tall. */
const heightOf = ({ changes }: Mark): number =>
  changes === 0 ? 3.5 : Math.min(17.5, 5.5 + 2.2 * Math.log2(changes + 1));

const short = (value: number): string => String(Math.round(value * 10) / 10);
