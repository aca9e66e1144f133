import { inQuotes } from '../../look/words/in-quotes.ts';
import type { AlertKind, SubmissionKind } from '../../config/alerts/alert-kinds.ts';
import { countInWords } from '../../count-in-words.ts';
import { stateAsText } from '../../run/watch/state-in-words.ts';
import type { BackupTrouble, DueMessage, DueEpisode } from '../decide/due-messages.ts';
import { isSubmission, sourceKeyOf, type Submissions, type SourceWithState } from '../model/episode.ts';
import { oneLine, type Message, type Paragraph } from '../model/message.ts';
import { backupEndWords, backupWords } from './backup-words.ts';
import { digestWords, type DigestFacts } from './digest-words.ts';
import { submissionEndWords, submissionWords } from './submitted-words.ts';
import { BEGIN_WORDS, endWords, type SourceMessage, type WordingContext } from './episode-words.ts';

/** What messages are written from. */
export interface MessageFacts {
  readonly wording: WordingContext;
  readonly watched: readonly SourceWithState[];
  /** What waits for editors. */
  readonly submissions: Submissions;
  /** What a digest reports besides. */
  readonly digest: DigestFacts;
  readonly backup: BackupTrouble | null;
}

const LISTED_MAX = 20;

/** Writes a due message. */
export function writeMessage(due: DueMessage, written: MessageFacts): Message {
  const telling = tellingOf(due, written);
  return {
    kind: due.kind,
    ...telling,
    subject: oneLine(telling.subject),
    foot: `This opens a page; nothing is decided by opening it. You get this as ${inQuotes(due.receiver.name)} under alerts in the configuration of calsyncd.`,
  };
}

function tellingOf(
  { kind, episodes }: DueMessage,
  { wording, watched, submissions, digest, backup }: MessageFacts,
): SourceMessage {
  if (kind === 'digest') return digestWords(watched, submissions, digest, wording);
  if (kind === 'backup') return backupWords(backup, digest.title, wording);
  if (kind === 'recovered' && episodes.length === 0) return backupEndWords(digest.title, wording);
  if (kind !== 'recovered' && isSubmission(kind)) return submissionWords(kind, episodes, submissions, wording);
  if (episodes.some((each) => isSubmission(each.kind))) return submissionEndWords(episodes, wording);
  const bySource = new Map(watched.map((each) => [sourceKeyOf(each.facts), each]));
  const tellings = [...Map.groupBy(episodes, sourceKeyOf)].flatMap(([key, own]) => {
    const source = bySource.get(key);
    return source === undefined ? [] : [{ source, telling: tellOne(kind, source, own, wording) }];
  });
  const [first, ...others] = tellings;
  if (first === undefined) throw new TypeError(`nothing is known of what a message tells of: ${kind}`);
  return others.length === 0 ? first.telling : together(kind, tellings, wording);
}

type OfSources = Exclude<AlertKind, 'digest' | 'backup' | SubmissionKind>;

function tellOne(
  kind: OfSources,
  source: SourceWithState,
  own: readonly DueEpisode[],
  wording: WordingContext,
): SourceMessage {
  const [first] = own;
  return kind === 'recovered' || first === undefined || isSubmission(first.kind)
    ? endWords(source, own, wording)
    : BEGIN_WORDS[first.kind](source, own, wording);
}

const TOGETHER: Readonly<Record<OfSources, string>> = {
  failing: 'are failing',
  held: 'wait for you',
  late: 'were not read when they were due',
  stale: 'have had nothing new for a long time',
  conflict: 'have events that changed both in the feed and on the site',
  recovered: 'work again, or are settled',
};

/** A single message for many sources. */
function together(
  kind: OfSources,
  tellings: readonly { readonly source: SourceWithState; readonly telling: SourceMessage }[],
  { now, zoneOf, places }: WordingContext,
): SourceMessage {
  const lines = tellings
    .slice(0, LISTED_MAX)
    .map(({ source: { facts, state } }) =>
      oneLine(`${facts.source}: ${stateAsText(facts, state, { now, zone: zoneOf(facts.site) })}`),
    );
  const more = tellings.length - lines.length;
  const allWork = tellings.every(({ telling }) => telling.subject.endsWith('works again'));
  const sources = `${countInWords(tellings.length, 'source')} ${allWork ? 'work again' : TOGETHER[kind]}`;
  const paragraphs: readonly Paragraph[] = [
    { text: `${sources}:\n${lines.join('\n')}${more > 0 ? `\nand ${more} more.` : ''}` },
    ...(kind === 'recovered'
      ? []
      : [{ text: 'Visitors see their events as they were. If nothing is done, nothing changes.' }]),
  ];
  return { subject: sources, paragraphs, links: [{ words: 'Look at them', href: places.sources }] };
}
