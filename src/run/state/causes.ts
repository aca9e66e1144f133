import { countInWords } from '../../count-in-words.ts';
import { sql } from '../../db/database.ts';
import type { FieldName } from '../../sync/model/fields.ts';

/** Why a sync runs: it is due, the program has started, its settings have changed, or a person asked for it. */
export type SyncCause = 'schedule' | 'start' | 'settings' | 'command';

/** A run with a plan that a person asked for. `of`: the run to undo, or the event that was decided about. */
export type DecidedCause =
  | { readonly kind: 'adopt' | 'forget' }
  | { readonly kind: 'undo' | EventCause; readonly of: string }
  /** Without a field, of all of them. */
  | { readonly kind: 'lock' | 'unlock'; readonly of: string; readonly field?: FieldName }
  | { readonly kind: 'settle'; readonly of: string; readonly winner: 'feed' | 'site' }
  /** Several events at a time, each for one or the other. */
  | { readonly kind: 'settle'; readonly events: number };

/** What is decided about a single event. */
type EventCause = 'restore' | 'retry' | 'dismiss' | 'detach' | 'attach';

/** Why a run exists. */
export type Cause = { readonly kind: SyncCause } | DecidedCause;

type Kind = Cause['kind'];

/** The run that a run takes back, if that is what it is for. */
export const undoneBy = (cause: Cause): string | null => (cause.kind === 'undo' ? cause.of : null);

interface KindOfRun {
  /** Whether it reads the feed and plans everything; other runs only carry out what a person asked for. */
  readonly isSync: boolean;
  /**
   * Which held plans of its source it closes, because it has planned the same things again; none if it is about a
   * single event.
   */
  readonly closes: 'undo' | 'others' | 'none';
}

const SYNC: KindOfRun = { isSync: true, closes: 'others' };

const KINDS: Readonly<Record<Kind, KindOfRun>> = {
  schedule: SYNC,
  start: SYNC,
  settings: SYNC,
  command: SYNC,
  undo: { isSync: false, closes: 'undo' },
  settle: { isSync: false, closes: 'none' },
  restore: { isSync: false, closes: 'none' },
  retry: { isSync: false, closes: 'none' },
  lock: { isSync: false, closes: 'none' },
  unlock: { isSync: false, closes: 'none' },
  dismiss: { isSync: false, closes: 'none' },
  detach: { isSync: false, closes: 'none' },
  attach: { isSync: false, closes: 'none' },
  // Adopting changes the identity of events, so other plans are outdated.
  adopt: { isSync: false, closes: 'others' },
  forget: { isSync: false, closes: 'others' },
};

// An older version may have stored a kind that no longer exists.
const kindOf = ({ kind }: Cause): KindOfRun => (KINDS as Readonly<Partial<Record<string, KindOfRun>>>)[kind] ?? SYNC;

/** Whether a run, as its row in the database, is a sync of its source. */
export const isSyncSql = sql<boolean>`cause->>'kind' in (${sql.join(
  Object.entries(KINDS).flatMap(([kind, { isSync }]) => (isSync ? [sql.lit(kind)] : [])),
)})`;

/** Whether a run, as its row in the database, has read its source without a fault. */
export const hasReadWellSql = sql<boolean>`(state in ('done', 'unchanged', 'held', 'rejected', 'superseded') and ${isSyncSql})`;

/** Whether a person asked for a run with a plan of its own: it is not a sync of its source. */
export const isAskedFor = (cause: Cause): boolean => !kindOf(cause).isSync;

/** Whether a later run closes a held plan of the same source. */
export const closesHeld = (later: Cause, held: Cause): boolean =>
  kindOf(later).closes === (held.kind === 'undo' ? 'undo' : 'others');

/** A cause as it is displayed, and printed with --json. */
export function causeInWords(cause: Cause): string {
  if (cause.kind === 'undo') return `undo of ${cause.of}`;
  if (cause.kind === 'settle')
    return 'of' in cause
      ? `settle ${cause.of} for the ${cause.winner}`
      : `settle ${countInWords(cause.events, 'event')}`;
  return 'of' in cause ? `${cause.kind} ${cause.of}` : cause.kind;
}
