import type { AlertKind } from '../../config/alerts/alert-kinds.ts';
import type { OpenMatter } from '../../run/state/open-matters.ts';
import type { SourceFacts, SourceState } from '../../run/watch/source-state.ts';

/** What lasts: people are told when it begins, while it lasts, and when it is over. */
export type EpisodeKind = Exclude<AlertKind, 'recovered' | 'digest'>;

export interface Episode {
  readonly kind: EpisodeKind;
  /** The key of the site. */
  readonly site: string;
  readonly source: string;
  /** The slug of the event in conflict; '' where it is about the whole source. */
  readonly about: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** What a receiver was told of an episode, until it is told of the end. */
export interface Told extends Episode {
  readonly receiver: string;
  /** How far its reminders have come: 0 is the first message. */
  readonly stage: number;
  /** The Message-ID of the first message. */
  readonly messageId: string;
}

/** A source with all that is known of it now. */
export interface Watched {
  readonly facts: SourceFacts;
  readonly state: SourceState;
  readonly conflicts: readonly OpenMatter[];
  /** What people noted about it; null if they did not. */
  readonly note: string | null;
}

/** A source by its name, which only a site makes unique. */
export const sourceKeyOf = ({ site, source }: Pick<Episode, 'site' | 'source'>): string => `${source} ${site}`;
