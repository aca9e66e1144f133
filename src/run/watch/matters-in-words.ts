import { inQuotes } from '../../look/words/in-quotes.ts';
import type { HoldKind } from '../../sync/model/plan.ts';
import { removalPatternInWords } from '../../sync/review/removal-pattern.ts';
import { reviewTitle } from '../../sync/review/review-in-words.ts';
import { wallFromInstant } from '../../time.ts';
import { atMoment, dayOfMoment, momentInWords, spanInWords } from './moments.ts';
import type { Matter, MatterKind } from './matters.ts';
import { staleness } from './source-state.ts';
import { reasonOf, stateInWords, type ReadAt } from './state-in-words.ts';

/** What a matter is, and what it means for visitors. */
export interface MatterSentences {
  readonly title: string;
  readonly consequence: string;
}

/** A matter in words. */
export const matterInWords = (matter: Matter, read: ReadAt): MatterSentences => WORDS[matter.kind](matter, read);

const WORDS: Readonly<Record<MatterKind, (matter: Matter, read: ReadAt) => MatterSentences>> = {
  held: heldWords,
  failing: failingWords,
  conflicts: conflictWords,
  late: ({ source, facts, state }, read) => ({
    title: `${source} should have been read${facts.dueAt === null ? '' : ` ${atMoment(momentInWords(facts.dueAt, read.now, read.zone))}`}`,
    consequence: `What is on the site may be out of date. The developer ${stateInWords(facts, state, read).text}`,
  }),
  dropped: ({ source, message }) => ({
    title: `Events of ${source} are on the site that its feed does not show any more`,
    consequence: message ?? '',
  }),
  moved: ({ source, message }) => ({ title: `The feed of ${source} has moved`, consequence: message ?? '' }),
  empty: ({ source, facts: { noEventsBecause } }) => ({
    title: `Nothing of ${source} is on the site`,
    consequence: noEventsBecause ?? 'It has no event in its window, or its rules leave all of them out.',
  }),
  'near-match': ({ source, events, message }) => ({
    title:
      events === 1
        ? `A name in ${source} may be another one, written differently`
        : `${events} names in ${source} may be others, written differently`,
    consequence: message ?? '',
  }),
  stale: staleWords,
};

const todayIn = ({ now, zone }: ReadAt): string => wallFromInstant(now, zone).slice(0, 10);

const TAKES_OFF: ReadonlySet<HoldKind> = new Set(['emptied', 'removals', 'hidden', 'replacement']);

function heldWords({ source, gone, facts: { held } }: Matter, read: ReadAt): MatterSentences {
  const reasons = held?.reasons ?? [];
  const [first] = reasons;
  const others = reasons.length - 1;
  return {
    title: reviewTitle({ reasons }, { source, ...read, undoes: held?.undoes }),
    consequence: [
      ...(gone && gone.count > 1
        ? [`${held?.undoes ? 'They' : 'The missing ones'} are ${removalPatternInWords(gone.pattern, todayIn(read))}.`]
        : []),
      first && TAKES_OFF.has(first.kind)
        ? 'Nothing has been taken off the site yet.'
        : 'None of these changes is on the site yet.',
      ...(others > 0 ? [`There ${others === 1 ? 'is one more reason' : `are ${others} more reasons`} to look.`] : []),
    ].join(' '),
  };
}

function failingWords({ source, facts, mustAct }: Matter, read: ReadAt): MatterSentences {
  const { failures, coming, goodAt } = facts;
  const reason = failures ? reasonOf(failures) : 'no reason was given';
  const lasting = failures ? read.now - failures.since : 0;
  const shown =
    coming === 0
      ? 'Nothing new comes in.'
      : `Its ${coming === 1 ? 'one coming event stays' : `${coming} coming events stay`} on the ` +
        `site${goodAt === null ? '' : `, as of ${dayOfMoment(goodAt, read.now, read.zone)}`}; ` +
        'nothing new comes in.';
  return {
    title: mustAct === 'you' ? `${source}: ${reason}` : `${source} has failed for ${spanInWords(lasting)}: ${reason}`,
    consequence: shown,
  };
}

function conflictWords({ source, events, titles = [], more = 0 }: Matter): MatterSentences {
  const named = titles.map(inQuotes).join(', ');
  return {
    title:
      events === 1 ? `${named} was changed here and in the feed` : `${events} events were changed here and in the feed`,
    consequence:
      `${events === 1 ? `It is an event of ${source}.` : `${named}${more > 0 ? ` and ${more} more` : ''}.`} ` +
      'The site shows what was typed here until you decide.',
  };
}

function staleWords({ source, facts }: Matter, read: ReadAt): MatterSentences {
  const since = staleness(facts, read.now)?.quietSince ?? null;
  if (since === null)
    return {
      title: `${source} has no coming events`,
      consequence: 'Its feed can be read, but visitors find no events of it.',
    };
  return {
    title: `${source} has brought nothing new since ${dayOfMoment(since, read.now, read.zone)}`,
    consequence: 'Its feed can be read. Perhaps nobody updates it any more.',
  };
}
