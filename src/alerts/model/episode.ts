import { SUBMISSION_KINDS, type AlertKind, type SubmissionKind } from '../../config/alerts/alert-kinds.ts';
import type { OpenMatter } from '../../run/state/open-matters.ts';
import type { SourceFacts, SourceState } from '../../run/watch/source-state.ts';

/** Lasting matters: people are told when they begin, while they last, and when they are over. */
export type EpisodeKind = Exclude<AlertKind, 'recovered' | 'digest' | 'backup'>;

/** Lasting matters of a source. */
export type SourceEpisodeKind = Exclude<EpisodeKind, SubmissionKind>;

export interface Episode {
  readonly kind: EpisodeKind;
  /** The key of the site. */
  readonly site: string;
  readonly source: string;
  /** The slug of the event in conflict, or the submission; '' if it is about the whole source. */
  readonly about: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** An episode that a receiver was told about, kept until it is told about the end. */
export interface ReportedEpisode extends Episode {
  readonly receiver: string;
  /** The number of reminders sent; 0 after the first message. */
  readonly stage: number;
  /** The Message-ID of the first message. */
  readonly messageId: string;
}

/** A source with its current state. */
export interface SourceWithState {
  readonly facts: SourceFacts;
  readonly state: SourceState;
  readonly conflicts: readonly OpenMatter[];
  /** The note that people wrote about it, if any. */
  readonly note: string | null;
}

/** Identifies a source, whose name is unique only together with its site. */
export const sourceKeyOf = ({ site, source }: Pick<Episode, 'site' | 'source'>): string => `${source} ${site}`;

export const isSubmission = (kind: EpisodeKind): kind is SubmissionKind =>
  SUBMISSION_KINDS.some((name) => name === kind);

/** Something that waits for an editor. */
export interface Submission {
  readonly kind: SubmissionKind;
  /** Its number. */
  readonly about: string;
  /** The title of an event that an author submitted; null for what strangers write, which no message shows. */
  readonly title: string | null;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** What waits for editors: the first items, and how many there are. */
export interface Submissions {
  readonly items: readonly Submission[];
  readonly counts: Readonly<Record<SubmissionKind, number>>;
}

/** Submissions belong to a site, and to no source. */
export const NO_SOURCE = { site: 'builtin', source: '' } as const;
