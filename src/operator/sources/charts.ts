import { html, type Html } from '../../html/template.ts';
import { spanInWords } from '../../run/watch/moments.ts';
import type { DayInNumbers } from '../../run/watch/history.ts';
import { dayAfter } from '../../time.ts';
import { row, table } from '../frame/table.ts';

const [WIDTH, HEIGHT] = [300, 62];
const DAYS = 90;

/** One day of the chart; null if there were no runs. */
type Point = number | null;

/** Charts and a table of the last 90 days. `today` is a date such as `2027-01-10`. */
export function charts(days: readonly DayInNumbers[], today: string): Html {
  const byDay = new Map(days.map((each) => [each.day, each]));
  const all = Array.from({ length: DAYS }, (_, index) => byDay.get(dayAfter(today, index - DAYS + 1)));
  const events = all.map((day) => day?.events ?? null);
  const took = all.map((day) => (day ? day.tookMs : null));
  const failed = days.filter((day) => day.failed > 0).length;
  return html`<div class="box stack-4">
    <h2>90 days</h2>
    ${figure('Events in the feed', eventsInWords(events), line(events))}
    ${figure(
      'Changes per day',
      failed === 0 ? 'none failed' : `${failed} ${failed === 1 ? 'day' : 'days'} with failures`,
      bars(all),
    )}
    ${figure('Time of a run', tookInWords(took), line(took))}
    ${
      days.length > 0 &&
      html`<details>
        <summary class="small">As a table</summary>
        ${table('Each day', COLUMNS, days.toReversed().map(dayRow), 'small num narrow')}
      </details>`
    }
  </div>`;
}

const known = (points: readonly Point[]): readonly number[] => points.filter((point) => point !== null);

function eventsInWords(events: readonly Point[]): string {
  const values = known(events);
  const now = values.at(-1);
  if (now === undefined) return 'not read yet';
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? String(now) : `${now} now, between ${least} and ${most}`;
}

function tookInWords(took: readonly Point[]): string {
  const sorted = known(took).toSorted((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) return 'not read yet';
  return `${middle < 10_000 ? `${(middle / 1000).toFixed(1)} s` : spanInWords(middle)} as a rule`;
}

const figure = (name: string, words: string, picture: (label: string) => Html): Html =>
  html`<figure>
    <figcaption class="small row between"><b>${name}</b><span class="dim">${words}</span></figcaption>
    ${picture(`${name}: ${words}`)}
  </figure>`;

const svg = (label: string, content: Html): Html =>
  html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
    ${content}
  </svg>`;

const short = (value: number): string => String(Math.round(value * 10) / 10);
const xOf = (index: number): number => (index / (DAYS - 1)) * WIDTH;

/** Days without runs have no point. */
const line =
  (points: readonly Point[]) =>
  (label: string): Html => {
    const most = Math.max(1, ...known(points));
    const corners = points.flatMap((point, index) =>
      point === null ? [] : [{ x: short(xOf(index)), y: short(60 - (point / most) * 52) }],
    );
    const [first] = corners;
    const last = corners.at(-1);
    const path = corners.map(({ x, y }) => `${x} ${y}`).join('L');
    const axis = html`<line class="ax" x1="0" x2="${WIDTH}" y1="60.5" y2="60.5" />`;
    if (!first || !last) return svg(label, axis);
    return svg(
      label,
      html`<path class="ar" d="M${first.x} 60L${path}L${last.x} 60z" /><path
          class="l"
          d="M${corners.length === 1 ? `${path}h2` : path}"
          vector-effect="non-scaling-stroke"
        />${axis}`,
    );
  };

const bars =
  (days: readonly (DayInNumbers | undefined)[]) =>
  (label: string): Html => {
    const most = Math.max(1, ...days.map((day) => day?.changes ?? 0));
    const width = WIDTH / DAYS;
    const bar = (index: number, y: number, height: number): string =>
      `M${short(index * width)} ${short(y)}h${short(width - 0.8)}v${short(height)}h-${short(width - 0.8)}z`;
    const ups = days.map((day, index) => {
      if (!day) return '';
      const height = day.changes === 0 ? 1 : 3 + (day.changes / most) * 38;
      return bar(index, 43 - height, height);
    });
    const downs = days.map((day, index) => (day && day.failed > 0 ? bar(index, 44, 14) : ''));
    return svg(
      label,
      html`<path class="u" d="${ups.join('')}" /><path class="f" d="${downs.join('')}" /><line
          class="ax"
          x1="0"
          x2="${WIDTH}"
          y1="43.5"
          y2="43.5"
        />`,
    );
  };

const COLUMNS = ['Day', 'Events', 'Changes', 'Failed', 'A run'];

const dayRow = ({ day, events, changes, failed, tookMs }: DayInNumbers): Html =>
  row(COLUMNS, [day, events ?? '–', changes, failed, `${(tookMs / 1000).toFixed(1)} s`]);
