import { PREPARED, rowOf, sql, type Queryable } from '../../db/database.ts';

/** What was written to the site between two revisions. */
export interface Changes {
  /** The later of the two. */
  readonly revision: number;
  /** The start days of the changed events, before and after the change, as `2027-01-10`. */
  readonly days: ReadonlySet<string>;
  /** Whether anything that events refer to was changed, or the number of events that refer to it. */
  readonly parts: boolean;
}

interface Step {
  readonly revision: number;
  readonly days: readonly string[];
}
/** What this process knows of the writes to the site. */
interface Noticed {
  /** All writes since this revision are known. */
  readonly since: number;
  readonly revision: number;
  /** The revision of the last write to anything but events. */
  readonly parts: number;
  /** The most recent writes, in order. */
  readonly steps: readonly Step[];
}

const STEPS_MAX = 100;
const DAYS_MAX = 20_000;

const noticed = new WeakMap<Queryable, Noticed>();

/** Reads the site's revision, and records what has changed since the last call. */
export async function noticeRevision(db: Queryable): Promise<string> {
  const known = noticed.get(db)?.revision ?? Number.MAX_SAFE_INTEGER;
  const { value, parts, days } = rowOf(
    await sql<{ value: number; parts: number; days: string[] | null }>`${PREPARED} select value, parts,
      case when value > ${known} then array(
        select to_char(day, 'YYYY-MM-DD') from site.event_days where revision > ${known}) end as days
      from site.revision`.execute(db),
  );
  const former = noticed.get(db);
  // A concurrent call may have recorded a later revision. A revision that went down means a restored backup.
  if (former === undefined || value < known) noticed.set(db, { since: value, revision: value, parts, steps: [] });
  else if (value > former.revision) noticed.set(db, withStep(former, parts, { revision: value, days: days ?? [] }));
  return String(value);
}

/** Appends a step, dropping the oldest beyond the limits. */
function withStep({ since, steps: former }: Noticed, parts: number, step: Step): Noticed {
  const steps = [...former, step];
  let forgotten = since;
  let days = steps.reduce((sum, { days: { length } }) => sum + length, 0);
  while (steps.length > STEPS_MAX || days > DAYS_MAX) {
    const oldest = steps.shift();
    if (!oldest) break;
    days -= oldest.days.length;
    forgotten = oldest.revision;
  }
  return { since: forgotten, revision: step.revision, parts, steps };
}

/** Returns what was changed after `revision`, up to the revision that a request has read; undefined if unknown. */
export function changesSince(db: Queryable, revision: number, asked: string | undefined): Changes | undefined {
  const known = noticed.get(db);
  if (!known || asked !== String(known.revision) || revision < known.since || revision > known.revision)
    return undefined;
  const days = known.steps.filter((step) => step.revision > revision).flatMap((step) => step.days);
  return { revision: known.revision, days: new Set(days), parts: known.parts > revision };
}

/** Whether a revision is older than `last`, which is the latest one that this process has read. */
export const isPast = (db: Queryable, revision: string, last: string): boolean =>
  Number(revision) < Number(last) && noticed.get(db)?.revision === Number(last);

/**
 * Returns a value that changes only when anything but events is written, or the number of events that refer to it. If
 * that is unknown, it changes with every write.
 */
export function partsRevision(db: Queryable, asked: string): string {
  const known = noticed.get(db);
  return known && asked === String(known.revision) ? `parts ${known.parts}` : asked;
}
