/** Why there is a sync: it is time, the program has started, or a person asked for it. */
export type SyncCause = 'schedule' | 'start' | 'command';

/** Why there is a run. `of`: the run that is taken back, or the event that a person decides about. */
export type Cause =
  | { readonly kind: SyncCause | 'adopt' | 'forget' }
  | { readonly kind: 'undo' | 'restore'; readonly of: string }
  | { readonly kind: 'settle'; readonly of: string; readonly winner: 'feed' | 'site' };

type Kind = Cause['kind'];

interface KindOfRun {
  /**
   * Whether it reads the feed and plans all that follows; others have a plan of their own, which a person asked for.
   */
  readonly isSync: boolean;
  /**
   * Which held plans of its source it closes, because it has planned anew what they were about; none where it is about
   * one event only.
   */
  readonly closes: 'undo' | 'others' | 'none';
}

const SYNC: KindOfRun = { isSync: true, closes: 'others' };

const KINDS: Readonly<Record<Kind, KindOfRun>> = {
  schedule: SYNC,
  start: SYNC,
  command: SYNC,
  undo: { isSync: false, closes: 'undo' },
  settle: { isSync: false, closes: 'none' },
  restore: { isSync: false, closes: 'none' },
  // It gives events other identities.
  adopt: { isSync: false, closes: 'others' },
  forget: { isSync: false, closes: 'others' },
};

// What an older version has stored may be of a kind that there is no more.
const kindOf = ({ kind }: Cause): KindOfRun => (KINDS as Readonly<Partial<Record<string, KindOfRun>>>)[kind] ?? SYNC;

/** Whether a run has a plan of its own that a person asked for: it is no sync of its source. */
export const isAskedFor = (cause: Cause): boolean => !kindOf(cause).isSync;

/** Whether a run closes the held plan of another one of its source. */
export const closesHeld = (later: Cause, held: Cause): boolean =>
  kindOf(later).closes === (held.kind === 'undo' ? 'undo' : 'others');

/** A cause as it is shown, and printed with --json. */
export function causeInWords(cause: Cause): string {
  if (cause.kind === 'undo') return `undo of ${cause.of}`;
  if (cause.kind === 'restore') return `restore ${cause.of}`;
  return cause.kind === 'settle' ? `settle ${cause.of} for the ${cause.winner}` : cause.kind;
}
