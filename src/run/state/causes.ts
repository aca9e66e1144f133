import { countInWords } from '../../count-in-words.ts';
import { sql } from '../../db/database.ts';
import type { FieldName } from '../../sync/model/fields.ts';

/** Why a sync runs: it is due, the program has started, its settings have changed, or a person asked for it. */
export type SyncCause = 'schedule' | 'start' | 'settings' | 'command';

/** A run with a plan that a person asked for. `of` is the run to undo, or the event that was decided on. */
export type DecidedCause =
  | { readonly kind: 'adopt' | 'forget' }
  | { readonly kind: 'undo' | EventCause; readonly of: string }
  /** Without `field`, all fields. */
  | { readonly kind: 'lock' | 'unlock'; readonly of: string; readonly field?: FieldName }
  | { readonly kind: 'settle'; readonly of: string; readonly winner: 'feed' | 'site' }
  /** Several events at once, each for the feed or the site. */
  | { readonly kind: 'settle'; readonly events: number };

/** Decisions about a single event. */
type EventCause = 'restore' | 'retry' | 'dismiss' | 'detach' | 'attach';

/** Why a run exists. */
export type Cause = { readonly kind: SyncCause } | DecidedCause;

type Kind = Cause['kind'];

/** The run that a run undoes; null if it is not an undo. */
export const undoneBy = (cause: Cause): string | null => (cause.kind === 'undo' ? cause.of : null);

interface KindOfRun {
  /** Whether it reads the feed and plans everything; other runs only do what a person asked for. */
  readonly isSync: boolean;
  /**
   * Which held plans of its source it closes because it has planned the same things again; none if it concerns a single
   * event.
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

/** SQL condition on a row of `runs`: the run is a sync of its source. */
export const isSyncSql = sql<boolean>`cause->>'kind' in (${sql.join(
  Object.entries(KINDS).flatMap(([kind, { isSync }]) => (isSync ? [sql.lit(kind)] : [])),
)})`;

/** SQL condition on a row of `runs`: the run has read its source successfully. */
export const hasReadWellSql = sql<boolean>`(state in ('done', 'unchanged', 'held', 'rejected', 'superseded') and ${isSyncSql})`;

/** Whether a person asked for a run's plan; such a run is not a sync of its source. */
export const isAskedFor = (cause: Cause): boolean => !kindOf(cause).isSync;

/** Whether a later run closes a held plan of the same source. */
export const closesHeld = (later: Cause, held: Cause): boolean =>
  kindOf(later).closes === (held.kind === 'undo' ? 'undo' : 'others');

/** A cause as it is shown, and printed with --json. */
export function causeInWords(cause: Cause): string {
  if (cause.kind === 'undo') return `undo of ${cause.of}`;
  if (cause.kind === 'settle')
    return 'of' in cause
      ? `settle ${cause.of} for the ${cause.winner}`
      : `settle ${countInWords(cause.events, 'event')}`;
  return 'of' in cause ? `${cause.kind} ${cause.of}` : cause.kind;
}
