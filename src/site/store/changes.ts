import { PREPARED, rowOf, sql, type Queryable } from '../../db/database.ts';

/** What was written to the site between two revisions. */
export interface Changes {
  /** The later one. */
  readonly revision: number;
  /** The days of the events that were changed: where they start, and where they started before. `2027-01-10` */
  readonly days: ReadonlySet<string>;
  /** Whether anything was changed that events refer to, or how many refer to it. */
  readonly parts: boolean;
}

interface Step {
  readonly revision: number;
  readonly days: readonly string[];
}
/** What this process has noticed of the writes to the site. */
interface Noticed {
  /** Of what was written since this revision it knows all. */
  readonly since: number;
  readonly revision: number;
  /** The revision that last changed anything but events. */
  readonly parts: number;
  /** The last ones, in order. */
  readonly steps: readonly Step[];
}

const STEPS_MAX = 100;
const DAYS_MAX = 20_000;

const noticed = new WeakMap<Queryable, Noticed>();

/** Asks for the revision of the site, and for what was changed since it was asked for last. */
export async function noticeRevision(db: Queryable): Promise<string> {
  const known = noticed.get(db)?.revision ?? Number.MAX_SAFE_INTEGER;
  const { value, parts, days } = rowOf(
    await sql<{ value: number; parts: number; days: string[] | null }>`${PREPARED} select value, parts,
      case when value > ${known} then array(
        select to_char(day, 'YYYY-MM-DD') from site.event_days where revision > ${known}) end as days
      from site.revision`.execute(db),
  );
  const former = noticed.get(db);
  // Another answer may have come first. A site that is older than it was is another one: a backup.
  if (former === undefined || value < known) noticed.set(db, { since: value, revision: value, parts, steps: [] });
  else if (value > former.revision) noticed.set(db, withStep(former, parts, { revision: value, days: days ?? [] }));
  return String(value);
}

/** The oldest are forgotten first. */
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

/** What was changed after a revision, up to the one that a request has asked for; undefined where that is not known. */
export function changesSince(db: Queryable, revision: number, asked: string | undefined): Changes | undefined {
  const known = noticed.get(db);
  if (!known || asked !== String(known.revision) || revision < known.since || revision > known.revision)
    return undefined;
  const days = known.steps.filter((step) => step.revision > revision).flatMap((step) => step.days);
  return { revision: known.revision, days: new Set(days), parts: known.parts > revision };
}

/** Whether a revision is older than another one, which is the last that was noticed. */
export const isPast = (db: Queryable, revision: string, last: string): boolean =>
  Number(revision) < Number(last) && noticed.get(db)?.revision === Number(last);

/**
 * Changes only when anything but events is written, or how many of them refer to it; with every write where that is not
 * known.
 */
export function partsRevision(db: Queryable, asked: string): string {
  const known = noticed.get(db);
  return known && asked === String(known.revision) ? `parts ${known.parts}` : asked;
}
