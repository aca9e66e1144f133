import { inQuotes } from '../../look/words/in-quotes.ts';
import { countInWords } from '../../count-in-words.ts';
import { IF_NOTHING_IS_DONE } from '../../sync/review/review-in-words.ts';
import { atMoment, momentInWords, spanInWords } from '../../run/watch/moments.ts';
import { lowerFirst, reasonOf, stateInWords, whoMustAct } from '../../run/watch/state-in-words.ts';
import { mustActOn } from '../../run/watch/who-acts.ts';
import { dayNumber, nextStageAfter } from '../decide/reminders.ts';
import type { DueEpisode } from '../decide/due-messages.ts';
import { isReminded } from '../decide/episodes.ts';
import { sourceKeyOf, type EpisodeKind, type SourceEpisodeKind, type SourceWithState } from '../model/episode.ts';
import type { MessageLink, Paragraph } from '../model/message.ts';
import type { HeldInWords } from './held-words.ts';
import type { Places } from './places.ts';

/** What messages need besides the episodes. */
export interface WordingContext {
  readonly now: number;
  /** The zone of a site, by its key. */
  readonly zoneOf: (site: string) => string;
  readonly places: Places;
  /** The reviews of held plans in words, by run. */
  readonly reviews: ReadonlyMap<string, HeldInWords>;
  /** Who decided on held plans, and why, by source. */
  readonly decisions: ReadonlyMap<string, string>;
}

/** The message about one source. */
export interface SourceMessage {
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
  readonly links: readonly MessageLink[];
}

type Words = (watched: SourceWithState, episodes: readonly DueEpisode[], wording: WordingContext) => SourceMessage;

/** The texts for the beginning of each kind of episode. */
export const BEGIN_WORDS: Readonly<Record<SourceEpisodeKind, Words>> = {
  failing: failingWords,
  held: heldWords,
  late: lateWords,
  stale: staleWords,
  conflict: conflictWords,
};

const momentAt = (at: number, { facts }: SourceWithState, { now, zoneOf }: WordingContext): string =>
  momentInWords(at, now, zoneOf(facts.site));

const sinceOf = (episodes: readonly DueEpisode[], now: number): number => episodes[0]?.since ?? now;

/** "still failing, day 3", from the second day on. */
function lasting(verb: string, since: number, now: number): string {
  const day = dayNumber(now - since);
  return day === 1 ? verb : `still ${verb}, day ${day}`;
}

function failingWords(
  watched: SourceWithState,
  episodes: readonly DueEpisode[],
  wording: WordingContext,
): SourceMessage {
  const { facts, state, note } = watched;
  const { failures, source } = facts;
  const since = sinceOf(episodes, wording.now);
  const reason = failures ? reasonOf(failures) : 'the last run failed';
  const turn = failures ? mustActOn(failures.code, wording.now - failures.since) : 'nobody';
  const count = failures?.count ?? 1;
  return {
    subject: `${source}: ${lasting('failing', since, wording.now)} (${reason})`,
    paragraphs: [
      {
        text:
          `${source} has not been read since ${momentAt(since, watched, wording)}: ` +
          `${sentence(reason)} It was tried ${count === 1 ? 'once' : `${count} times`}.`,
      },
      { text: shownText(watched, wording) },
      {
        strong: `${whoMustAct(turn)}.`,
        text: [failures?.message, noteText(note)].filter(Boolean).join(' '),
      },
      {
        text:
          `${state.next === null ? '' : `We try again ${atMoment(momentAt(state.next, watched, wording))}. `}If ` +
          `nothing is done, nothing changes. ${reminderText(episodes, watched, wording)}`,
      },
    ],
    links: [{ words: 'See why', href: wording.places.source(source) }],
  };
}

function heldWords(watched: SourceWithState, episodes: readonly DueEpisode[], wording: WordingContext): SourceMessage {
  const { held, source } = watched.facts;
  const run = held?.run ?? '';
  const day = dayNumber(wording.now - sinceOf(episodes, wording.now));
  const review = wording.reviews.get(run) ?? plainReview(held?.why ?? 'A plan waits.');
  return {
    subject: `${source}${day === 1 ? '' : ` still waits for you, day ${day}`}: ${review.subject}`,
    paragraphs: [
      { text: review.why },
      {
        strong: 'Nothing is written until a person approves it.',
        text: `Visitors still see ${shownBefore(watched)}.${review.visitors === '' ? '' : ` If it were approved: ${review.visitors}`}`,
      },
      {
        text: `If you do nothing, ${IF_NOTHING_IS_DONE} ${reminderText(episodes, watched, wording)}${prefixed(noteText(watched.note))}`,
      },
    ],
    links: [{ words: 'Look at the plan', href: wording.places.review(run) }],
  };
}

const plainReview = (why: string): HeldInWords => ({ subject: firstClause(why), why, visitors: '' });

const shownBefore = ({ facts: { coming } }: SourceWithState): string =>
  coming === 0 ? 'what was there before' : `its ${countInWords(coming, 'coming event')}`;

function lateWords(watched: SourceWithState, episodes: readonly DueEpisode[], wording: WordingContext): SourceMessage {
  const { source } = watched.facts;
  const since = sinceOf(episodes, wording.now);
  const said = stateInWords(watched.facts, watched.state, {
    now: wording.now,
    zone: wording.zoneOf(watched.facts.site),
  });
  return {
    subject: `${source}: ${lasting('not read', since, wording.now)}, due ${atMoment(momentAt(since, watched, wording))}`,
    paragraphs: [
      { text: `${source} was due ${atMoment(momentAt(since, watched, wording))} and has not been read since.` },
      { text: shownText(watched, wording) },
      { strong: 'The developer must act:', text: said.text.replace(/^must act: /, '') },
      { text: `If nothing is done, nothing changes. ${reminderText(episodes, watched, wording)}` },
    ],
    links: [{ words: 'See why', href: wording.places.source(source) }],
  };
}

function staleWords(watched: SourceWithState, _: readonly DueEpisode[], wording: WordingContext): SourceMessage {
  const { facts, state, note } = watched;
  const { text } = stateInWords(facts, state, { now: wording.now, zone: wording.zoneOf(facts.site) });
  const why = lowerFirst(text.replace(/^Reads well, but /, '').replace(/(?:[.;]|: ).*$/, ''));
  return {
    subject: `${facts.source}: ${why}`,
    paragraphs: [
      { text: `${facts.source}: ${text}` },
      {
        text:
          facts.coming === 0
            ? 'Visitors no longer find any of its events.'
            : `Visitors see its ${countInWords(facts.coming, 'coming event')}, which may no longer be right.`,
      },
      {
        strong: 'You may ask the publisher',
        text: `whether it is still right. If nothing is done, nothing changes; there is no further reminder.${prefixed(noteText(note))}`,
      },
    ],
    links: [{ words: 'Look at it', href: wording.places.source(facts.source) }],
  };
}

const TITLES_MAX = 5;

function conflictWords(
  watched: SourceWithState,
  episodes: readonly DueEpisode[],
  wording: WordingContext,
): SourceMessage {
  const { source } = watched.facts;
  const titles = new Map(watched.conflicts.map(({ slug, title }) => [slug, title]));
  const named = episodes.slice(0, TITLES_MAX).map(({ about }) => inQuotes(titles.get(about) ?? about));
  const more = episodes.length - named.length;
  const events = countInWords(episodes.length, 'event');
  return {
    subject: `${source}: ${events} changed both in the feed and on the site`,
    paragraphs: [
      {
        text:
          `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''} of ${source} ` +
          `${episodes.length === 1 ? 'was' : 'were'} changed both in the feed and on the site, and not alike.`,
      },
      { text: 'Visitors see what was written on the site.' },
      { text: 'If you do nothing, it stays so; there is no further reminder.' },
    ],
    links: [{ words: 'Settle', href: wording.places.conflicts(source) }],
  };
}

/** The message that episodes are over, in the thread of the earlier messages. */
export function endWords(
  watched: SourceWithState,
  episodes: readonly DueEpisode[],
  wording: WordingContext,
): SourceMessage {
  const { facts } = watched;
  const kinds = new Set(episodes.map(({ kind }) => kind));
  const isRead = kinds.has('failing') || kinds.has('late');
  return {
    subject: isRead ? `${facts.source} works again` : `${facts.source}: settled`,
    paragraphs: [
      {
        text: (isRead
          ? [readAgain(watched, episodes, wording), ...settled(watched, kinds, wording)]
          : settled(watched, kinds, wording)
        ).join(' '),
      },
      { text: shownText(watched, wording) },
    ],
    links: [{ words: 'Look at it', href: wording.places.source(facts.source) }],
  };
}

function readAgain(watched: SourceWithState, episodes: readonly DueEpisode[], wording: WordingContext): string {
  const { source, goodAt } = watched.facts;
  const since = Math.min(...episodes.map((each) => each.since));
  const when = goodAt === null ? '' : `, since ${momentAt(goodAt, watched, wording)}`;
  return `${source} works again${when}, after ${spanInWords(wording.now - since)}.`;
}

function settled(
  watched: SourceWithState,
  kinds: ReadonlySet<EpisodeKind>,
  { decisions }: WordingContext,
): readonly string[] {
  const { source } = watched.facts;
  return [
    ...(kinds.has('held')
      ? [
          decisions.get(sourceKeyOf(watched.facts)) ??
            `No plan of ${source} is waiting any more: its feed was read again, and the new plan needs no approval.`,
        ]
      : []),
    ...(kinds.has('conflict') ? [`No event of ${source} is in conflict any more.`] : []),
    ...(kinds.has('stale') ? [`${source} has something new again.`] : []),
  ];
}

function shownText(watched: SourceWithState, wording: WordingContext): string {
  const { coming, goodAt, source } = watched.facts;
  if (goodAt === null) return `Visitors do not see any events of ${source} yet.`;
  const events = coming === 0 ? 'no coming event' : countInWords(coming, 'coming event');
  return `Visitors see its ${events}, as of ${momentAt(goodAt, watched, wording)}.`.replace('its no', 'no');
}

function reminderText(episodes: readonly DueEpisode[], watched: SourceWithState, wording: WordingContext): string {
  const [first] = episodes;
  if (first === undefined || !isReminded(first.kind)) return '';
  const after = nextStageAfter(first.stage);
  return `The next reminder comes ${atMoment(momentAt(first.since + after, watched, wording))}, on day ${dayNumber(after)}.`;
}

const noteText = (note: string | null): string => (note === null ? '' : `Your note says: ${inQuotes(note)}`);
const prefixed = (text: string): string => (text === '' ? '' : ` ${text}`);
const sentence = (text: string): string => `${text.replace(/\.$/, '')}.`;

/** The beginning of a sentence, before its details. */
function firstClause(text: string): string {
  const clause = /^[^;(.]*/.exec(text)?.[0].trim() ?? text;
  return clause.charAt(0).toLowerCase() + clause.slice(1);
}
