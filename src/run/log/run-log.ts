import { sql, type Queryable, type Sql } from '../../db/database.ts';
import { jsonb } from '../../db/jsonb.ts';
import type { Logger } from '../../log.ts';
import { whereInWords, type Problem } from '../../problem.ts';
import { redact } from '../../redact.ts';
import type { Plan, Report } from '../../sync/model/plan.ts';
import { shortened } from '../../html/shortened.ts';

type Facts = Readonly<Record<string, string | number>>;

/** What was worth a line: a constant text, with the facts beside it. */
export interface Said {
  readonly level: 'debug' | 'warn';
  readonly text: string;
  readonly facts: Facts;
}

/** A line of the log of a run; `at` in ISO form. */
export interface LogLine extends Said {
  readonly at: string;
}

interface Log {
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Says something of a run in the log of the process; gives it as lines that are kept with the run. */
export function tellOf(
  { log, now }: Log,
  of: { readonly run: string; readonly source: string },
  said: readonly Said[],
): readonly LogLine[] {
  const at = new Date(now()).toISOString();
  for (const { level, text, facts } of said) log[level]({ run: of.run, source: of.source, ...facts }, text);
  return said.map(({ facts, ...line }) => ({ at, ...line, facts: withoutSecrets(facts) }));
}

const FACT_MAX = 500;
const withoutSecrets = (facts: Facts): Facts =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      typeof value === 'string' ? shortened(redact(value), FACT_MAX) : value,
    ]),
  );

/** The assignments of an update of `calsync.runs` that adds lines to the log. */
export const addingLines = (lines: readonly LogLine[]): Sql =>
  sql`log = calsync.with_lines(runs.log, ${jsonb(lines)}), log_lines = runs.log_lines + ${lines.length}`;

/** Adds lines to the log of a run. */
export async function noteLines(query: Queryable, run: string, lines: readonly LogLine[]): Promise<void> {
  await sql`update calsync.runs set ${addingLines(lines)} where run = ${run}`.execute(query);
}

/** The log of a run, and how many lines of it gave way to later ones. */
export async function loadLog(
  query: Queryable,
  run: string,
): Promise<{ readonly lines: readonly LogLine[]; readonly leftOut: number }> {
  const { rows } = await sql<{ lines: readonly LogLine[]; count: number }>`
    select log as lines, log_lines as count from calsync.runs where run = ${run}`.execute(query);
  const { lines, count } = rows[0] ?? { lines: [], count: 0 };
  return { lines, leftOut: Math.max(0, count - lines.length) };
}

// PostgreSQL keeps the names of facts in an order of its own.
const FACTS = 'status bytes stage batch attempt done open refused state created updated removed code'.split(' ');
const placeOf = (name: string): number => (FACTS.includes(name) ? FACTS.indexOf(name) : FACTS.length);

/** A line as one text, without its time. */
export const lineInWords = ({ text, facts }: Said): string =>
  [
    text,
    ...Object.entries(facts)
      .toSorted(([one], [other]) => placeOf(one) - placeOf(other) || (one < other ? -1 : 1))
      .map(([name, value]) => `${name}=${quoted(value)}`),
  ].join(' ');

const quoted = (value: string | number): string =>
  typeof value === 'number' || /^[^\s"=]+$/.test(value) ? String(value) : JSON.stringify(value);

const known = (facts: Readonly<Record<string, string | number | null | undefined>>): Facts =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) =>
      value === null || value === undefined || value === '' ? [] : [[name, value] as const],
    ),
  );

interface Fetched {
  readonly ms: number;
  readonly status: number | null;
  readonly bytes: number | null;
  readonly from?: string;
}

export const fetchedLine = ({ status, bytes, ms, from }: Fetched): Said => ({
  level: 'debug',
  text: 'the feed was fetched',
  facts: known({ status, bytes, ms, from }),
});

interface Read {
  readonly read?: { readonly ms: number; readonly events: number; readonly coming: number; readonly problems: number };
  readonly compare?: { readonly ms: number };
}

/** What a reading has found, and how long it was compared. */
export const readLines = ({ read, compare }: Read): readonly Said[] => [
  ...(read
    ? [
        {
          level: 'debug',
          text: 'it was read',
          facts: known({ events: read.events, coming: read.coming, problems: read.problems, ms: read.ms }),
        } as const,
      ]
    : []),
  ...(compare ? [{ level: 'debug', text: 'it was compared with the site', facts: { ms: compare.ms } } as const] : []),
];

/** What a plan has to write, and in how many batches. */
export const plannedLine = ({ actions }: Pick<Plan, 'actions'>, batches: number): Said => ({
  level: 'debug',
  text: 'the plan was stored',
  facts: { actions: actions.length, batches },
});

/** An attempt at a batch. */
export interface BatchTried {
  readonly stage: string;
  readonly batch: number;
  readonly attempt: number;
  /** Of its writes: those that are done, those that have to be tried again, and those that the site will not have. */
  readonly done: number;
  readonly open: number;
  readonly refused: number;
  readonly because: string | undefined;
}

export const batchLine = ({ because, ...facts }: BatchTried): Said => ({
  level: facts.open + facts.refused > 0 ? 'warn' : 'debug',
  text: 'a batch was written',
  facts: known({ ...facts, because }),
});

export const RESUMED: Said = { level: 'debug', text: 'the run was carried on after it had been cut off', facts: {} };

const PROBLEMS_MAX = 20;

/** How a run has ended, and what there is to say of it. */
export function endLines({ state, created, updated, removed, problems }: Report): readonly Said[] {
  const level = state === 'failed' ? 'warn' : 'debug';
  const told = problems.slice(0, PROBLEMS_MAX).map(({ code, message, where }: Problem): Said => ({
    level,
    text: 'a problem',
    facts: known({ code, message, where: whereInWords(where) }),
  }));
  const more = problems.length - told.length;
  const ended = { state, created, updated, removed, ...(more > 0 ? { 'further problems': more } : {}) };
  return [...told, { level: 'debug', text: 'the run has ended', facts: ended }];
}
