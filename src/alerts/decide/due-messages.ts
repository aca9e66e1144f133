import { createHash } from 'node:crypto';
import type { AlertKind } from '../../config/alerts/alert-kinds.ts';
import { dayAfter, wallFromInstant } from '../../time.ts';
import {
  isSubmission,
  NO_SOURCE,
  sourceKeyOf,
  type Episode,
  type Submissions,
  type ReportedEpisode,
  type SourceWithState,
} from '../model/episode.ts';
import type { Receiver } from '../model/receiver.ts';
import { episodesOf, isOver, isReminded, isSameEpisode, type ReportedSourceEpisode } from './episodes.ts';
import { stageAfter } from './reminders.ts';

/** Everything that determines what is sent now. */
export interface Situation {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The zone that applies to the receivers' hours. */
  readonly zone: string;
  readonly watched: readonly SourceWithState[];
  /** What waits for editors. */
  readonly submissions: Submissions;
  readonly receivers: readonly Receiver[];
  readonly told: readonly ReportedEpisode[];
  /** What receivers have accepted within the last hour (`RATE_WINDOW_MS`). */
  readonly lately: readonly AcceptedMessage[];
  /** When this process began to check (epoch milliseconds). */
  readonly checkingSince: number;
  /** The day of each receiver's last digest, as `2027-01-10`. */
  readonly digested: ReadonlyMap<string, string>;
  /** Null while backups succeed or there are none. */
  readonly backup: BackupTrouble | null;
  /** By receiver: since when backups had been failing that it was told about, until it is told about their end. */
  readonly backupsTold: ReadonlyMap<string, number>;
}

/** A message that a receiver has accepted. */
export interface AcceptedMessage {
  readonly receiver: string;
  readonly kind: string;
}

/** Failing backups. */
export interface BackupTrouble {
  /** Epoch milliseconds. */
  readonly since: number;
  readonly problem: string;
  /** When the last good one was made; null if there is none. */
  readonly lastGood: number | null;
}

/** A message that is due. */
export interface DueMessage {
  readonly receiver: Receiver;
  readonly kind: AlertKind;
  /** Messages with the same receiver and key are sent only once. */
  readonly key: string;
  /**
   * The episodes that it reports: several sources if many have the same problem, or all new submissions. Empty in
   * digests and in messages about backups.
   */
  readonly episodes: readonly DueEpisode[];
}

export interface DueEpisode extends Episode {
  readonly stage: number;
  /** What the receiver was told about it before. */
  readonly told: ReportedEpisode | undefined;
}

export interface Decision {
  readonly due: readonly DueMessage[];
  /** Episodes that are over and need no message; to be forgotten. */
  readonly forgotten: readonly ReportedEpisode[];
}

/** From this many sources with the same problem on, people get a single message. */
const TOGETHER_FROM = 4;
/** People get at most this many messages of a kind within an hour; further episodes are gathered for later. */
const RATE_MAX = 3;
export const RATE_WINDOW_MS = 3_600_000;
/** Late sources are not reported until this long after a start, so that they can be read first. */
const CATCHING_UP_MS = 600_000;
/** A digest that could not be sent on time is sent within this many minutes, or not at all. */
const DIGEST_MINUTES = 240;
const DAY_MINUTES = 24 * 60;

/** The keys of messages about backups begin with these, followed by the time since which they had been failing. */
export const BACKUP_KEY = 'backup ';
export const BACKUP_END_KEY = 'recovered backup ';

/** Decides what is sent now; a pure function of the current state, earlier messages and the clock. */
export function dueMessages(situation: Situation): Decision {
  const bySource = new Map(situation.watched.map((each) => [sourceKeyOf(each.facts), each]));
  const decisions = situation.receivers.map((receiver) => {
    const own = situation.told.filter((each) => each.receiver === receiver.name);
    const [told, toldOfSubmissions] = [own.filter(isOfSource), own.filter(({ kind }) => isSubmission(kind))];
    return decisionFor({ ...situation, receiver, told, toldOfSubmissions, bySource });
  });
  const named = new Set(situation.receivers.map(({ name }) => name));
  const orphans = situation.told.filter(({ receiver }) => !named.has(receiver));
  return {
    due: decisions.flatMap(({ due }) => due),
    forgotten: [...orphans, ...decisions.flatMap(({ forgotten }) => forgotten)],
  };
}

const isOfSource = (told: ReportedEpisode): told is ReportedSourceEpisode => !isSubmission(told.kind);

interface OfReceiver extends Situation {
  readonly receiver: Receiver;
  readonly told: readonly ReportedSourceEpisode[];
  readonly toldOfSubmissions: readonly ReportedEpisode[];
  readonly bySource: ReadonlyMap<string, SourceWithState>;
}

function decisionFor(all: OfReceiver): Decision {
  const { receiver, now, zone } = all;
  const [ofSources, ofSubmissions] = [endsFor(all), submissionEndsFor(all)];
  const forgotten = [...ofSources.forgotten, ...ofSubmissions.forgotten];
  // What still lasts in the morning is reported then.
  if (isQuiet(receiver, minuteOfDay(now, zone))) return { due: [], forgotten };
  const ofEpisodes = [
    ...grouped(receiver, 'recovered', ofSources.ended),
    ...grouped(receiver, 'recovered', ofSubmissions.ended),
    ...[...Map.groupBy([...beginningsFor(all), ...submissionsFor(all)], ({ kind }) => kind)].flatMap(([kind, own]) =>
      grouped(receiver, kind, own),
    ),
  ];
  const due = [
    ...ofEpisodes.filter(({ kind }) => !isGathered(all, kind)),
    ...backupFor(all),
    ...backupEndFor(all),
    ...digestFor(all),
  ];
  return { due, forgotten };
}

interface Ends {
  readonly ended: readonly DueEpisode[];
  readonly forgotten: readonly ReportedEpisode[];
}

function endsFor({ told, receiver, bySource, now }: OfReceiver): Ends {
  const over = told.filter((each) => {
    const watched = bySource.get(sourceKeyOf(each));
    return watched === undefined || isOver(watched, each, now);
  });
  const [ended, forgotten]: [DueEpisode[], ReportedEpisode[]] = [[], []];
  for (const each of over) {
    const watched = bySource.get(sourceKeyOf(each));
    // The removal of a source is not a recovery, and settling one of several conflicts is not the end.
    const isNews = watched !== undefined && !(each.kind === 'conflict' && watched.conflicts.length > 0);
    if (isNews && receiver.hears.includes('recovered')) ended.push({ ...each, told: each });
    else forgotten.push(each);
  }
  return { ended, forgotten };
}

function beginningsFor({ watched, bySource, told, receiver, now, checkingSince }: OfReceiver): readonly DueEpisode[] {
  const isStill = (each: ReportedSourceEpisode): boolean => {
    const known = bySource.get(sourceKeyOf(each));
    return known === undefined || isSameEpisode(known, each);
  };
  const before = new Map(told.filter(isStill).map((each) => [episodeKey(each), each]));
  return watched
    .filter(({ facts }) => receiver.sources.length === 0 || receiver.sources.includes(facts.source))
    .flatMap((each) => episodesOf(each, now))
    .filter(({ kind }) => kind !== 'late' || now - checkingSince >= CATCHING_UP_MS)
    .filter(({ kind, since }) => receiver.hears.includes(kind) && isOldEnough(now - since, receiver))
    .flatMap((episode) => {
      const former = before.get(episodeKey(episode));
      const since = former?.since ?? episode.since;
      const stage = isReminded(episode.kind) ? stageAfter(now - since) : 0;
      return former !== undefined && stage <= former.stage ? [] : [{ ...episode, since, stage, told: former }];
    });
}

/** Submissions that editors have decided on. As with conflicts, one of several is not the end. */
function submissionEndsFor({ toldOfSubmissions, submissions, receiver }: OfReceiver): Ends {
  const waits = new Set(submissions.items.map(({ kind, about }) => `${kind} ${about}`));
  const over = toldOfSubmissions.filter(({ kind, about }) => !waits.has(`${kind} ${about}`));
  const isNews = ({ kind }: ReportedEpisode): boolean =>
    receiver.hears.includes('recovered') && isSubmission(kind) && submissions.counts[kind] === 0;
  return {
    ended: over.filter(isNews).map((each) => ({ ...each, told: each })),
    forgotten: over.filter((each) => !isNews(each)),
  };
}

/** Submissions that this receiver has not been told about. Receivers limited to some sources get none. */
function submissionsFor({ submissions, toldOfSubmissions, receiver, now }: OfReceiver): readonly DueEpisode[] {
  if (receiver.sources.length > 0) return [];
  const told = new Set(toldOfSubmissions.map(({ kind, about }) => `${kind} ${about}`));
  return submissions.items
    .filter(({ kind, about }) => receiver.hears.includes(kind) && !told.has(`${kind} ${about}`))
    .filter(({ since }) => isOldEnough(now - since, receiver))
    .map(({ kind, about, since }) => ({ ...NO_SOURCE, kind, about, since, stage: 0, told: undefined }));
}

// The start of an episode comes from the database's clock, which may be ahead of ours.
const isOldEnough = (ms: number, { afterMs }: Receiver): boolean => Math.max(0, ms) >= afterMs;

const episodeKey = ({ kind, site, source, about }: Episode): string =>
  `${kind} ${sourceKeyOf({ site, source })} ${about}`;

/** Sources are read at different times, so many failures with a common cause arrive one after the other. */
const isGathered = ({ receiver, lately }: OfReceiver, kind: AlertKind): boolean =>
  receiver.channel !== 'webhook' &&
  lately.filter((each) => each.receiver === receiver.name && each.kind === kind).length >= RATE_MAX;

/** One message for each source, or a single one if many have the same problem and a person reads it. */
function grouped(receiver: Receiver, kind: AlertKind, episodes: readonly DueEpisode[]): readonly DueMessage[] {
  const bySource = [...Map.groupBy(episodes, sourceKeyOf).values()];
  const isTogether = bySource.length >= TOGETHER_FROM && receiver.channel !== 'webhook';
  const groups = isTogether ? [episodes] : bySource;
  return groups.map((own) => ({ receiver, kind, key: keyOf(kind, own), episodes: own }));
}

const keyOf = (kind: AlertKind, episodes: readonly DueEpisode[]): string => {
  const parts = episodes.map((each) => `${episodeKey(each)} ${each.since} ${each.stage}`);
  return `${kind} ${createHash('sha256').update(parts.toSorted().join('\n')).digest('base64url').slice(0, 22)}`;
};

function digestFor({ receiver, now, zone, digested }: OfReceiver): readonly DueMessage[] {
  const since = minuteOfDay(now, zone) - receiver.digestAt;
  const today = wallFromInstant(now, zone).slice(0, 10);
  // After midnight, the digest is that of the evening before.
  const [day, minutes] = since < 0 ? [dayAfter(today, -1), since + DAY_MINUTES] : [today, since];
  const isTime = minutes < DIGEST_MINUTES && (digested.get(receiver.name) ?? '') < day;
  return receiver.hears.includes('digest') && isTime
    ? [{ receiver, kind: 'digest', key: `digest ${day}`, episodes: [] }]
    : [];
}

/** Receivers limited to some sources are not told about backups. */
function backupFor({ receiver, now, backup }: OfReceiver): readonly DueMessage[] {
  if (backup === null || receiver.sources.length > 0 || !receiver.hears.includes('backup')) return [];
  const lasts = now - backup.since;
  if (!isOldEnough(lasts, receiver)) return [];
  return [{ receiver, kind: 'backup', key: `${BACKUP_KEY}${backup.since} ${stageAfter(lasts)}`, episodes: [] }];
}

function backupEndFor({ receiver, backup, backupsTold }: OfReceiver): readonly DueMessage[] {
  const since = backupsTold.get(receiver.name);
  return backup === null && since !== undefined && receiver.hears.includes('recovered')
    ? [{ receiver, kind: 'recovered', key: `${BACKUP_END_KEY}${since}`, episodes: [] }]
    : [];
}

function minuteOfDay(now: number, zone: string): number {
  const [hour, minute] = wallFromInstant(now, zone).slice(11, 16).split(':').map(Number);
  return (hour ?? 0) * 60 + (minute ?? 0);
}

function isQuiet({ quiet }: Receiver, minute: number): boolean {
  if (quiet === undefined) return false;
  const { from, to } = quiet;
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}
