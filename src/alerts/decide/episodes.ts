import { staleness } from '../../run/watch/source-state.ts';
import {
  isSubmission,
  type Episode,
  type EpisodeKind,
  type SourceEpisodeKind,
  type ReportedEpisode,
  type SourceWithState,
} from '../model/episode.ts';

const HOUR_MS = 3_600_000;

/** The rules for one kind of episode. */
interface KindOfEpisode {
  /** Whether reminders are sent while it lasts. */
  readonly reminds: boolean;
  readonly begins: (watched: SourceWithState, now: number) => readonly Pick<Episode, 'about' | 'since'>[];
  /** Whether the one reported earlier has ended without anyone noticing, and this is a new one. */
  readonly isAnother?: (watched: SourceWithState, told: Pick<ReportedEpisode, 'since'>) => boolean;
  /** Whether the reported episode is over. */
  readonly isOver: (watched: SourceWithState, told: Pick<ReportedEpisode, 'about'>, now: number) => boolean;
}

const whole = (since: number | null | undefined): readonly Pick<Episode, 'about' | 'since'>[] =>
  since === null || since === undefined ? [] : [{ about: '', since }];

// A source that is read late and then fails has not recovered in between.
const isRead = ({ facts, state }: SourceWithState): boolean => facts.failures === null && state.word !== 'late';

/** Every kind of episode of a source: when it begins and when it is over. */
const EPISODES: Readonly<Record<SourceEpisodeKind, KindOfEpisode>> = {
  failing: {
    reminds: true,
    // A single failure usually passes with the next run.
    begins: ({ facts: { failures } }, now) =>
      failures && (failures.count > 1 || now - failures.since >= HOUR_MS) ? whole(failures.since) : [],
    isOver: isRead,
  },
  held: {
    reminds: true,
    begins: ({ facts }) => whole(facts.held?.since),
    // A plan that is remade while nobody decides is still the same matter.
    isAnother: ({ facts }, { since }) => (facts.held?.decidedBefore ?? -Infinity) >= since,
    isOver: ({ facts }) => facts.held === null,
  },
  late: {
    reminds: true,
    begins: ({ facts, state }) => (state.word === 'late' ? whole(facts.dueAt) : []),
    isOver: isRead,
  },
  stale: {
    reminds: false,
    begins: ({ state }, now) => (state.word === 'stale' ? whole(state.since ?? now) : []),
    isOver: ({ facts }, _, now) => staleness(facts, now) === undefined,
  },
  conflict: {
    reminds: false,
    begins: ({ conflicts }) => conflicts.map(({ slug, since }) => ({ about: slug, since })),
    isOver: ({ conflicts }, { about }) => !conflicts.some(({ slug }) => slug === about),
  },
};

const KINDS = Object.keys(EPISODES) as readonly SourceEpisodeKind[];

/** The current episodes of a source; none while it is paused, because its silence is intended. */
export function episodesOf(watched: SourceWithState, now: number): readonly Episode[] {
  const { site, source, pause } = watched.facts;
  if (pause !== null) return [];
  return KINDS.flatMap((kind) => EPISODES[kind].begins(watched, now).map((one) => ({ kind, site, source, ...one })));
}

/** An episode of a source that a receiver was told about. */
export interface ReportedSourceEpisode extends ReportedEpisode {
  readonly kind: SourceEpisodeKind;
}

/** Whether an episode that was reported is over; never while the source is paused. */
export const isOver = (watched: SourceWithState, told: ReportedSourceEpisode, now: number): boolean =>
  watched.facts.pause === null && EPISODES[told.kind].isOver(watched, told, now);

/** Whether a receiver was told about this very episode, and not an earlier one of the same kind. */
export const isSameEpisode = (watched: SourceWithState, told: ReportedSourceEpisode): boolean =>
  EPISODES[told.kind].isAnother?.(watched, told) !== true;

export const isReminded = (kind: EpisodeKind): boolean => !isSubmission(kind) && EPISODES[kind].reminds;
