import { userInfo } from 'node:os';
import { sql, type Queryable, type Sql } from '../../db/database.ts';
import { jsonb } from '../../db/jsonb.ts';

type Query = Queryable;

/** Who decides something, and from where. `address` is that of a browser or a mail's receiver. */
export interface Actor {
  readonly name: string;
  readonly from: 'console' | 'command' | 'mail' | 'file';
  readonly address?: string;
}

/** Who asked for something, and why. */
export interface ActRequest {
  readonly by: Actor;
  readonly reason?: string | undefined;
}

/** What people do, for the history: "clerk approved the plan". */
const ACT_WORDS = {
  sync: 'asked for a run',
  approve: 'approved the plan',
  reject: 'rejected the plan',
  undo: 'took the run back',
  settle: 'decided between feed and site',
  restore: 'brought a removed event back',
  retry: 'had the picture tried again',
  lock: 'locked the event',
  unlock: 'unlocked the event',
  dismiss: 'took the event off, to stay off',
  detach: 'made the event their own',
  attach: 'gave the event back to its source',
  adopt: 'let the source take over events of others',
  forget: 'dropped the source',
  pause: 'paused the source',
  resume: 'resumed the source',
  note: 'changed the note',
  configure: 'changed the configuration',
  account: 'changed an account',
  alert: 'sent a message',
  stop: 'stopped the run',
} as const;

export type ActKind = keyof typeof ACT_WORDS;

/** What an act is about, and why it was done. */
export interface ActAbout {
  readonly kind: ActKind;
  readonly site?: string;
  readonly source?: string;
  readonly run?: string;
  /** The slug of an event. */
  readonly event?: string;
  readonly reason?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An entry in the history. */
export interface Act extends Required<Omit<ActAbout, 'site' | 'source' | 'run' | 'event' | 'reason'>> {
  readonly id: string;
  readonly at: Date;
  readonly by: Actor;
  readonly site: string | null;
  readonly source: string | null;
  readonly run: string | null;
  readonly event: string | null;
  readonly reason: string | null;
  /** The run that was to carry it out has failed. */
  readonly isFailed: boolean;
  /** The plan of that run is held, rejected or superseded. */
  readonly isOpen: boolean;
}

/** The user of this machine who gave a command. */
export function commandActor(): Actor {
  try {
    return { name: userInfo().username, from: 'command' };
  } catch {
    // A container may run as a number without a name.
    return { name: `user ${process.getuid?.() ?? '?'}`, from: 'command' };
  }
}

/** Records who did what. Given a transaction, it is recorded if and only if the act itself succeeds. */
export async function recordAct(query: Query, by: Actor, about: ActAbout): Promise<void> {
  const { kind, site = null, source = null, run = null, event = null, details = {} } = about;
  const reason = about.reason?.trim() || null;
  await sql`insert into calsync.acts (name, via, address, kind, site, source, run, event, reason, details)
    values (${by.name}, ${by.from}, ${by.address ?? null}, ${kind}, ${site}, ${source}, ${run}, ${event}, ${reason}, ${jsonb(details)})`.execute(
    query,
  );
}

/** Which acts to list. */
export interface ActFilter {
  /** Acts on this source, and changes of the configuration that name it. */
  readonly source?: string;
  readonly run?: string;
  readonly event?: string;
  /** Only older acts. */
  readonly before?: Date;
}

/** Acts on some runs (who asked for, approved or rejected them), earliest first. */
export async function actsOfRuns(query: Query, runs: readonly string[]): Promise<ReadonlyMap<string, readonly Act[]>> {
  const { rows } =
    await sql<StoredAct>`select ${COLUMNS} from calsync.acts where run = any(${[...runs]}::text[]) order by at, id`.execute(
      query,
    );
  return Map.groupBy(rows.map(actOfStored), ({ run }) => run ?? '');
}

/** Acts, latest first. */
export async function listActs(query: Query, filter: ActFilter, limit: number): Promise<readonly Act[]> {
  const { rows } = await sql<StoredAct>`select ${COLUMNS} from calsync.acts
    where ${whereOf(filter)} order by at desc, id desc limit ${limit}`.execute(query);
  return rows.map(actOfStored);
}

type StoredAct = Omit<Act, 'by'> & {
  readonly name: string;
  readonly via: Actor['from'];
  readonly address: string | null;
};
const COLUMNS = sql.raw(`id::text, at, name, via, address, kind, site, source, run, event, reason, details,
  exists (select from calsync.runs where runs.run = acts.run and runs.state = 'failed') as "isFailed",
  exists (select from calsync.runs
    where runs.run = acts.run and runs.state in ('held', 'rejected', 'superseded')) as "isOpen"`);

const actOfStored = ({ name, via, address, ...act }: StoredAct): Act => ({
  ...act,
  by: { name, from: via, ...(address === null ? {} : { address }) },
});

/** Matches the name unless it is part of a longer one. */
const isNamedIn = (source: string): Sql =>
  sql`details->>'changes' ~ ${`(^|[^\\w-])${source.replaceAll(/[^\w-]/g, '.')}($|[^\\w-])`}`;

function whereOf({ source, run, event, before }: ActFilter): Sql {
  const conditions = [
    ...(source === undefined ? [] : [sql`(source = ${source} or kind = 'configure' and ${isNamedIn(source)})`]),
    ...(run === undefined ? [] : [sql`run = ${run}`]),
    ...(event === undefined ? [] : [sql`event = ${event}`]),
    ...(before === undefined ? [] : [sql`at < ${before}`]),
  ];
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** Acts that only take effect when a run has carried them out. */
const BY_RUN: ReadonlySet<ActKind> = new Set([
  'undo',
  'settle',
  'restore',
  'retry',
  'lock',
  'unlock',
  'dismiss',
  'detach',
  'attach',
  'adopt',
]);

type Told = Pick<Act, 'by' | 'kind' | 'event' | 'details' | 'isFailed' | 'isOpen'>;

/** More specific words for acts with details; undefined if there are none. */
const MORE_WORDS: Readonly<Partial<Record<ActKind, (act: Told) => string | undefined>>> = {
  // `forget` applies to sources and to events.
  forget: ({ event }) => (event === null ? undefined : 'took the event back altogether'),
  // Without a winner, several events were settled, perhaps for different sides.
  lock: ({ details: { field } }) => (typeof field === 'string' ? `locked ${field} of the event` : undefined),
  unlock: ({ details: { field } }) => (typeof field === 'string' ? `unlocked ${field} of the event` : undefined),
  settle: ({ details: { winner } }) => (typeof winner === 'string' ? `decided for the ${winner}` : undefined),
};

/** An act in words: "clerk took the run back". */
export function actInWords(act: Told): string {
  const { by, kind, isFailed, isOpen } = act;
  const what = MORE_WORDS[kind]?.(act) ?? ACT_WORDS[kind] ?? kind;
  const isDone = !BY_RUN.has(kind) || !(isFailed || isOpen);
  return `${by.name} ${what}${isDone ? '' : ` (${isFailed ? 'failed' : 'not carried out'})`}`;
}

/** An act as --json prints it with its run. */
export const actAsJson = ({ at, by, kind, reason }: Act): object => ({
  at,
  act: kind,
  by: by.name,
  from: by.from,
  reason,
});
