import { createHash } from 'node:crypto';
import type { AlertKind } from '../../config/alerts/alert-kinds.ts';
import { wallFromInstant } from '../../time.ts';
import { sourceKeyOf, type Episode, type Told, type Watched } from '../model/episode.ts';
import type { Receiver } from '../model/receiver.ts';
import { episodesOf, isOver, isReminded, isTheSame } from './episodes.ts';
import { stageAfter } from './reminders.ts';

/** All that decides what is sent now. */
export interface Situation {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The zone of the receivers' hours. */
  readonly zone: string;
  readonly watched: readonly Watched[];
  readonly receivers: readonly Receiver[];
  readonly told: readonly Told[];
  /** Since when this process has been looking; epoch milliseconds. */
  readonly lookingSince: number;
  /** The day of the last digest of each receiver, as `2027-01-10`. */
  readonly digested: ReadonlyMap<string, string>;
}

/** A message that is due. */
export interface Due {
  readonly receiver: Receiver;
  readonly kind: AlertKind;
  /** Makes it one message: whatever has the same receiver and key is sent once. */
  readonly key: string;
  /** What it tells of: several sources at once where many have the same. Empty in a digest. */
  readonly episodes: readonly DueEpisode[];
}

export interface DueEpisode extends Episode {
  readonly stage: number;
  /** What the receiver was told of it before. */
  readonly told: Told | undefined;
}

export interface Decision {
  readonly due: readonly Due[];
  /** What is over and need not be told: to be forgotten. */
  readonly forgotten: readonly Told[];
}

/** So many sources with the same are told in one message, where a person reads it. */
const TOGETHER_FROM = 4;
/** After a start, what became due meanwhile is read first. */
const CATCHING_UP_MS = 600_000;
/** A digest that could not come at its time comes within so many minutes, or not at all. */
const DIGEST_MINUTES = 240;

/** What is sent now: a pure function of what is, what was sent before, and the clock. */
export function dueMessages(situation: Situation): Decision {
  const bySource = new Map(situation.watched.map((each) => [sourceKeyOf(each.facts), each]));
  const decisions = situation.receivers.map((receiver) => {
    const told = situation.told.filter((each) => each.receiver === receiver.name);
    return decisionFor({ ...situation, receiver, told, bySource });
  });
  const named = new Set(situation.receivers.map(({ name }) => name));
  const orphans = situation.told.filter(({ receiver }) => !named.has(receiver));
  return {
    due: decisions.flatMap(({ due }) => due),
    forgotten: [...orphans, ...decisions.flatMap(({ forgotten }) => forgotten)],
  };
}

interface OfReceiver extends Situation {
  readonly receiver: Receiver;
  readonly bySource: ReadonlyMap<string, Watched>;
}

function decisionFor(all: OfReceiver): Decision {
  const { receiver, now, zone } = all;
  const { ended, forgotten } = endsFor(all);
  // Whatever is still so in the morning is told then.
  if (isQuiet(receiver, minuteOfDay(now, zone))) return { due: [], forgotten };
  const due = [
    ...grouped(receiver, 'recovered', ended),
    ...[...Map.groupBy(beginningsFor(all), ({ kind }) => kind)].flatMap(([kind, own]) => grouped(receiver, kind, own)),
    ...digestFor(all),
  ];
  return { due, forgotten };
}

function endsFor({ told, receiver, bySource, now }: OfReceiver): {
  readonly ended: readonly DueEpisode[];
  readonly forgotten: readonly Told[];
} {
  const over = told.filter((each) => {
    const watched = bySource.get(sourceKeyOf(each));
    return watched === undefined || isOver(watched, each, now);
  });
  const [ended, forgotten]: [DueEpisode[], Told[]] = [[], []];
  for (const each of over) {
    const watched = bySource.get(sourceKeyOf(each));
    // A source that is no more has not recovered; and one conflict of several is no end.
    const isNews = watched !== undefined && !(each.kind === 'conflict' && watched.conflicts.length > 0);
    if (isNews && receiver.hears.includes('recovered')) ended.push({ ...each, told: each });
    else forgotten.push(each);
  }
  return { ended, forgotten };
}

function beginningsFor({ watched, bySource, told, receiver, now, lookingSince }: OfReceiver): readonly DueEpisode[] {
  const isStill = (each: Told): boolean => {
    const known = bySource.get(sourceKeyOf(each));
    return known === undefined || isTheSame(known, each);
  };
  const before = new Map(told.filter(isStill).map((each) => [episodeKey(each), each]));
  return watched
    .filter(({ facts }) => receiver.sources.length === 0 || receiver.sources.includes(facts.source))
    .flatMap((each) => episodesOf(each, now))
    .filter(({ kind }) => kind !== 'late' || now - lookingSince >= CATCHING_UP_MS)
    .filter(({ kind, since }) => receiver.hears.includes(kind) && isOldEnough(now - since, receiver))
    .flatMap((episode) => {
      const former = before.get(episodeKey(episode));
      const since = former?.since ?? episode.since;
      const stage = isReminded(episode.kind) ? stageAfter(now - since) : 0;
      return former !== undefined && stage <= former.stage ? [] : [{ ...episode, since, stage, told: former }];
    });
}

// The database's clock, which wrote when a thing began, may be ahead of ours.
const isOldEnough = (ms: number, { afterMs }: Receiver): boolean => Math.max(0, ms) >= afterMs;

const episodeKey = ({ kind, site, source, about }: Episode): string =>
  `${kind} ${sourceKeyOf({ site, source })} ${about}`;

/** One message for each source; one for all of them where many have the same and a person reads it. */
function grouped(receiver: Receiver, kind: AlertKind, episodes: readonly DueEpisode[]): readonly Due[] {
  const bySource = [...Map.groupBy(episodes, sourceKeyOf).values()];
  const isTogether = bySource.length >= TOGETHER_FROM && receiver.channel !== 'webhook';
  const groups = isTogether ? [episodes] : bySource;
  return groups.map((own) => ({ receiver, kind, key: keyOf(kind, own), episodes: own }));
}

const keyOf = (kind: AlertKind, episodes: readonly DueEpisode[]): string => {
  const parts = episodes.map((each) => `${episodeKey(each)} ${each.since} ${each.stage}`);
  return `${kind} ${createHash('sha256').update(parts.toSorted().join('\n')).digest('base64url').slice(0, 22)}`;
};

function digestFor({ receiver, now, zone, digested }: OfReceiver): readonly Due[] {
  const day = wallFromInstant(now, zone).slice(0, 10);
  const minutes = minuteOfDay(now, zone) - receiver.digestAt;
  const isTime = minutes >= 0 && minutes < DIGEST_MINUTES && digested.get(receiver.name) !== day;
  return receiver.hears.includes('digest') && isTime
    ? [{ receiver, kind: 'digest', key: `digest ${day}`, episodes: [] }]
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
