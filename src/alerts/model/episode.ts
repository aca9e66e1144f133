import { SUBMISSION_KINDS, type AlertKind, type SubmissionKind } from '../../config/alerts/alert-kinds.ts';
import type { OpenMatter } from '../../run/state/open-matters.ts';
import type { SourceFacts, SourceState } from '../../run/watch/source-state.ts';

/** What lasts: people are told when it begins, while it lasts, and when it is over. */
export type EpisodeKind = Exclude<AlertKind, 'recovered' | 'digest' | 'backup'>;

/** What lasts with a source. */
export type SourceEpisodeKind = Exclude<EpisodeKind, SubmissionKind>;

export interface Episode {
  readonly kind: EpisodeKind;
  /** The key of the site. */
  readonly site: string;
  readonly source: string;
  /** The event in conflict by its slug, or what was submitted; '' where it is about the whole source. */
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

export const isSubmission = (kind: EpisodeKind): kind is SubmissionKind =>
  SUBMISSION_KINDS.some((name) => name === kind);

/** Something that waits for an editor. */
export interface Submission {
  readonly kind: SubmissionKind;
  /** What it is, by its number. */
  readonly about: string;
  /** Of an event that an author has handed in; null for what strangers write, which is in no message. */
  readonly title: string | null;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** All that waits for editors: the first ones, and how many there are. */
export interface Submissions {
  readonly items: readonly Submission[];
  readonly counts: Readonly<Record<SubmissionKind, number>>;
}

/** The site whose editors decide, and no source. */
export const OF_NO_SOURCE = { site: 'builtin', source: '' } as const;
