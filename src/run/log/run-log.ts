import { sql, type Queryable, type Sql } from '../../db/database.ts';
import { jsonb } from '../../db/jsonb.ts';
import type { Logger } from '../../log.ts';
import { whereInWords, type Problem } from '../../problem.ts';
import { redact } from '../../redact.ts';
import type { Plan, Report } from '../../sync/model/plan.ts';
import { shortened } from '../../html/shortened.ts';

type Facts = Readonly<Record<string, string | number>>;

/** A log message: a constant text with its facts. */
export interface LogMessage {
  readonly level: 'debug' | 'warn';
  readonly text: string;
  readonly facts: Facts;
}

/** A line in the log of a run; `at` is in ISO 8601. */
export interface LogLine extends LogMessage {
  readonly at: string;
}

interface Log {
  readonly log: Logger;
  /** In epoch milliseconds. */
  readonly now: () => number;
}

/** Writes messages about a run to the process's log, and returns them as lines to store with the run. */
export function logAndKeep(
  { log, now }: Log,
  of: { readonly run: string; readonly source: string },
  said: readonly LogMessage[],
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

/** SQL assignments for an update of `calsync.runs` that append lines to the log. */
export const addingLines = (lines: readonly LogLine[]): Sql =>
  sql`log = calsync.with_lines(runs.log, ${jsonb(lines)}), log_lines = runs.log_lines + ${lines.length}`;

/** Appends lines to the log of a run. */
export async function noteLines(query: Queryable, run: string, lines: readonly LogLine[]): Promise<void> {
  await sql`update calsync.runs set ${addingLines(lines)} where run = ${run}`.execute(query);
}

/** The log of a run, and the number of its lines that were dropped in favour of later ones. */
export async function loadLog(
  query: Queryable,
  run: string,
): Promise<{ readonly lines: readonly LogLine[]; readonly leftOut: number }> {
  const { rows } = await sql<{ lines: readonly LogLine[]; count: number }>`
    select log as lines, log_lines as count from calsync.runs where run = ${run}`.execute(query);
  const { lines, count } = rows[0] ?? { lines: [], count: 0 };
  return { lines, leftOut: Math.max(0, count - lines.length) };
}

// PostgreSQL does not keep the order of facts.
const FACTS = 'status bytes stage batch attempt done open refused state created updated removed code'.split(' ');
const placeOf = (name: string): number => (FACTS.includes(name) ? FACTS.indexOf(name) : FACTS.length);

/** A line as one text, without its time. */
export const lineInWords = ({ text, facts }: LogMessage): string =>
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

export const fetchedLine = ({ status, bytes, ms, from }: Fetched): LogMessage => ({
  level: 'debug',
  text: 'the feed was fetched',
  facts: known({ status, bytes, ms, from }),
});

interface Read {
  readonly read?: { readonly ms: number; readonly events: number; readonly coming: number; readonly problems: number };
  readonly compare?: { readonly ms: number };
}

/** Lines about what a reading found, and how long the comparison took. */
export const readLines = ({ read, compare }: Read): readonly LogMessage[] => [
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

/** A line about what a plan has to write, and in how many batches. */
export const plannedLine = ({ actions }: Pick<Plan, 'actions'>, batches: number): LogMessage => ({
  level: 'debug',
  text: 'the plan was stored',
  facts: { actions: actions.length, batches },
});

/** An attempt at a batch. */
export interface BatchAttempt {
  readonly stage: string;
  readonly batch: number;
  readonly attempt: number;
  /** The numbers of its writes that are done, have to be retried, or were refused by the site. */
  readonly done: number;
  readonly open: number;
  readonly refused: number;
  readonly because: string | undefined;
}

export const batchLine = ({ because, ...facts }: BatchAttempt): LogMessage => ({
  level: facts.open + facts.refused > 0 ? 'warn' : 'debug',
  text: 'a batch was written',
  facts: known({ ...facts, because }),
});

export const RESUMED: LogMessage = {
  level: 'debug',
  text: 'the run was continued after an interruption',
  facts: {},
};

const PROBLEMS_MAX = 20;

/** Lines about how a run ended, and its problems. */
export function endLines({ state, created, updated, removed, problems }: Report): readonly LogMessage[] {
  const level = state === 'failed' ? 'warn' : 'debug';
  const told = problems.slice(0, PROBLEMS_MAX).map(({ code, message, where }: Problem): LogMessage => ({
    level,
    text: 'a problem',
    facts: known({ code, message, where: whereInWords(where) }),
  }));
  const more = problems.length - told.length;
  const ended = { state, created, updated, removed, ...(more > 0 ? { 'further problems': more } : {}) };
  return [...told, { level: 'debug', text: 'the run has ended', facts: ended }];
}
