import { setTimeout } from 'node:timers/promises';
import { sql, type Queryable } from '../../db/database.ts';
import { DAY_MS } from '../../time.ts';

/** The address to which a submitted form redirected. */
interface LedTo {
  readonly to: string;
}

/**
 * How often to check for the outcome of the first submission. By then, a process that has not finished it must have
 * died.
 */
const WAIT = { ms: 100, times: 100 };

/**
 * Runs `carryOut` once for a form, however often it is sent and whichever process gets it: a double click is redirected
 * to where the first click led. A form that redirects nowhere, for example because it was refused, can be sent again.
 */
export async function carriedOutOnce<T extends object>(
  db: Queryable,
  key: string,
  now: number,
  carryOut: () => Promise<T>,
): Promise<T | LedTo> {
  for (let waited = 0; waited < WAIT.times; waited += 1) {
    if (await isFirst(db, key, now)) break;
    const to = await whereLed(db, key);
    if (to !== undefined) return { to };
    await setTimeout(WAIT.ms);
  }
  let to: string | undefined;
  try {
    const done = await carryOut();
    if (isLed(done)) ({ to } = done);
    return done;
  } finally {
    await (
      to === undefined
        ? sql`delete from site.sent_forms where key = ${key}`
        : sql`update site.sent_forms set led_to = ${to} where key = ${key}`
    ).execute(db);
  }
}

const isLed = (done: object): done is LedTo => 'to' in done;

async function isFirst(db: Queryable, key: string, now: number): Promise<boolean> {
  const { rowCount } = await sql`insert into site.sent_forms (key, sent_at) values (${key}, ${new Date(now)})
    on conflict do nothing`.execute(db);
  return rowCount === 1;
}

/** Undefined while the first submission is being handled. */
const whereLed = async (db: Queryable, key: string): Promise<string | undefined> =>
  (await sql<{ led_to: string | null }>`select led_to from site.sent_forms where key = ${key}`.execute(db)).rows[0]
    ?.led_to ?? undefined;

/** Forgets forms older than a day: nobody sends them again. */
export const forgetSentForms = (db: Queryable, now: number): Promise<unknown> =>
  sql`delete from site.sent_forms where sent_at < ${new Date(now - DAY_MS)}`.execute(db);
