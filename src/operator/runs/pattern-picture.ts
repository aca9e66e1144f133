import { isolated } from '../../look/words/in-quotes.ts';
import { foldedWords } from '../../ascii.ts';
import { html, type Html } from '../../html/template.ts';
import { countInWords } from '../../count-in-words.ts';
import type { ChangedFacts, EventFacts, PlanFacts } from '../../sync/review/event-facts.ts';
import type { RemovalPattern } from '../../sync/review/removal-pattern.ts';
import { hides } from '../../sync/model/publishing.ts';
import { dayInWords, dayOf, daysBetween, monthOf, shortMonth, weekdayOf } from '../../sync/review/days.ts';
import { shortened } from '../../html/shortened.ts';

// One dot for each event, a row for each frequent title, and time from left to right. Shapes repeat what colours say.

const WIDTH = 632;
const LEFT = 8;
const SPAN = 609;
const ROW = 42;
const FIRST_ROW = 54;
/** How many days the picture covers; what lies beyond is described below it. */
const DAYS_MAX = 243;
const TITLES_MAX = 6;
const OFTEN = 5;
const DOTS_MAX = 500;
/** What fits on a phone, with the day of the week. */
const LABEL_MAX = 40;

type Fate = 'keep' | 'gone' | 'moved' | 'new';
interface Dot {
  readonly fate: Fate;
  readonly facts: EventFacts;
}

/** A picture of a plan's events and those that stay, with a key; false if there is nothing to show. */
export function patternPicture(
  facts: PlanFacts,
  pattern: RemovalPattern,
  today: string,
  sentence: string,
  rowsMax = TITLES_MAX + 1,
): Html | false {
  const all = dotsOf(facts).filter(({ facts: { start } }) => daysBetween(today, dayOf(start)) >= 0);
  const shown = all.filter(({ facts: { start } }) => daysBetween(today, dayOf(start)) <= DAYS_MAX).slice(0, DOTS_MAX);
  if (shown.length === 0) return false;
  const last = Math.max(28, ...shown.map(({ facts: { start } }) => daysBetween(today, dayOf(start))));
  const xOf = (day: string): number => LEFT + (daysBetween(today, day) / last) * SPAN;
  const rows = rowsOf(shown).slice(0, rowsMax);
  const drawn = rows.flatMap(({ dots }) => dots);
  const height = FIRST_ROW - 6 + ROW * rows.length;
  const cut = cutOf(pattern, today);
  return html`<svg class="ptn" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${sentence}">
      ${months(today, last, xOf, height - 24)}${rows.map(({ dots }, index) =>
        dots.map((dot) => mark(dot, xOf(dayOf(dot.facts.start)), FIRST_ROW + ROW * index)),
      )}${cut && cutLine(cut, xOf, height, last, today)}${rows.map(
        ({ label }, index) => html`<text class="tt" x="0" y="${FIRST_ROW - 12 + ROW * index}">${label}</text>`,
      )}</svg
    >${keyOf(drawn, shown.length - drawn.length, all.length - shown.length)}`;
}

const dotsIn = (fate: Fate, list: readonly EventFacts[]): readonly Dot[] => list.map((facts) => ({ fate, facts }));

const dotsOf = ({ gone, leaving, changed, added, stays }: PlanFacts): readonly Dot[] => [
  ...dotsIn('gone', [...gone, ...leaving]),
  ...changed.map((each) => ({ fate: fateOf(each), facts: each.before })),
  ...dotsIn('new', added),
  ...dotsIn('keep', stays),
];

function fateOf({ before, after, action }: ChangedFacts): Fate {
  if (hides(action)) return 'gone';
  return before.start !== after.start || before.venue !== after.venue ? 'moved' : 'keep';
}

interface Row {
  readonly label: string;
  readonly dots: readonly Dot[];
}

function rowsOf(dots: readonly Dot[]): readonly Row[] {
  const byTitle = [...Map.groupBy(dots, ({ facts }) => foldedWords(facts.title)).values()].toSorted(
    (one, other) => interest(other) - interest(one),
  );
  const often = byTitle.filter((own) => own.length >= OFTEN).slice(0, TITLES_MAX);
  const rest = byTitle.filter((own) => !often.includes(own)).flat();
  const rows = often.map((own): Row => ({ label: labelOf(own), dots: own }));
  return rest.length === 0
    ? rows
    : [...rows, { label: often.length === 0 ? 'All events' : 'Other events', dots: rest }];
}

/** Rows with changes come first, then frequent ones. */
const interest = (dots: readonly Dot[]): number =>
  dots.reduce((sum, { fate }) => sum + (fate === 'keep' ? 1 : 1_000), 0);

function labelOf(dots: readonly Dot[]): string {
  const days = new Set(dots.map(({ facts: { start } }) => weekdayOf(dayOf(start))));
  const [day] = days;
  const title = dots[0]?.facts.title ?? '';
  return `${isolated(shortened(title, LABEL_MAX))}${days.size === 1 && day ? `, ${day}s` : ''}`;
}

const short = (value: number): string => String(Math.round(value * 10) / 10);

function mark({ fate }: Dot, x: number, y: number): Html {
  const [left, top] = [short(x), short(y)];
  switch (fate) {
    case 'keep':
      return html`<circle class="keep" cx="${left}" cy="${top}" r="5" />`;
    case 'gone':
      return html`<circle class="gone" cx="${left}" cy="${top}" r="5" /><path
          class="x"
          d="M${short(x - 6)} ${short(y + 6)}l12-12"
        />`;
    case 'moved':
      return html`<path class="mv" d="M${left} ${short(y - 7)}l7 7-7 7-7-7z" />`;
    case 'new':
      return html`<path
        class="add"
        d="M${short(x - 6)} ${short(y - 1.8)}h4.2v-4.2h3.6v4.2h4.2v3.6h-4.2v4.2h-3.6v-4.2h-4.2z"
      />`;
  }
}

function months(today: string, last: number, xOf: (day: string) => number, bottom: number): readonly Html[] {
  const lines: Html[] = [];
  let [year = 0, month = 0] = monthOf(today).split('-').map(Number);
  for (let count = 0; count < 12; count += 1) {
    month += 1;
    if (month > 12) [year, month] = [year + 1, 1];
    const name = `${year}-${String(month).padStart(2, '0')}`;
    if (daysBetween(today, `${name}-01`) > last) break;
    const x = xOf(`${name}-01`);
    lines.push(
      html`<line class="ax" x1="${short(x)}" x2="${short(x)}" y1="4" y2="${bottom}" /><text x="${short(x + 4)}" y="14"
          >${shortMonth(name)}</text
        >`,
    );
  }
  return lines;
}

interface Cut {
  readonly day: string;
  readonly words: string;
}

/** The day that bounds the removed events, if all are on one side of it. */
function cutOf(pattern: RemovalPattern, today: string): Cut | undefined {
  if (pattern.kind === 'after') return { day: pattern.day, words: `nothing after ${dayInWords(pattern.day, today)}` };
  if (pattern.kind === 'before') return { day: pattern.day, words: `nothing before ${dayInWords(pattern.day, today)}` };
  return pattern.kind === 'title' && pattern.from !== undefined
    ? { day: pattern.from, words: `gone from ${dayInWords(pattern.from, today)} on` }
    : undefined;
}

function cutLine(
  { day, words }: Cut,
  xOf: (day: string) => number,
  height: number,
  last: number,
  today: string,
): Html | false {
  const days = daysBetween(today, day);
  if (days < 0 || days > last) return false;
  const x = xOf(day) - 4;
  const isLeft = x > WIDTH / 2;
  return html`<line class="cut" x1="${short(x)}" x2="${short(x)}" y1="4" y2="${height - 18}" /><text
      class="em"
      x="${short(isLeft ? x - 6 : x + 6)}"
      y="${height - 4}"
      ${isLeft && html` text-anchor="end"`}
      >${words}</text
    >`;
}

const KEY: readonly (readonly [fate: Fate, word: string])[] = [
  ['keep', 'stays'],
  ['gone', 'would go'],
  ['moved', 'moved'],
  ['new', 'new'],
];

function keyOf(dots: readonly Dot[], others: number, beyond: number): Html {
  const there = new Set(dots.map(({ fate }) => fate));
  const entries = KEY.filter(([fate]) => there.has(fate)).map(
    ([fate, word]) =>
      html`<span
        ><svg class="ptn" viewBox="0 0 16 16" aria-hidden="true">${mark({ fate, facts: NOBODY }, 8, 8)}</svg>
        ${word}</span
      >`,
  );
  const notDrawn = [
    ...(others > 0 ? [`${countInWords(others, 'other event')} not drawn`] : []),
    ...(beyond > 0 ? [`${countInWords(beyond, 'event')} more, later, not drawn`] : []),
  ];
  return html`<p class="key">${entries}${notDrawn.map((words) => html`<span>${words}</span>`)}</p>`;
}

const NOBODY: EventFacts = { slug: '', title: '', start: '', startsAt: 0, venue: '', categories: [] };
