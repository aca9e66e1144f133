import { inQuotes } from '../../look/words/in-quotes.ts';
import { countInWords, grouped } from '../../count-in-words.ts';
import { adviceFor } from '../../feed-codes.ts';
import { reviewTitle } from '../../sync/review/review-in-words.ts';
import { asPartOfSentence } from '../../problem.ts';
import { DAY_MS } from '../../time.ts';
import { atMoment, dayOfMoment, momentInWords, spanInWords } from './moments.ts';
import { isWorkerSilent, staleness, type SourceFacts, type SourceState, type StateWord } from './source-state.ts';
import type { MustAct } from './who-acts.ts';

/** A sentence about a source; `who` must act, if anybody must. */
export interface StateSentence {
  /** "You", "The publisher"; pages show it in bold. */
  readonly who: string | null;
  readonly text: string;
}

/** The context in which a sentence is read. */
export interface ReadAt {
  readonly now: number;
  /** The site's zone. */
  readonly zone: string;
}

/** The names of those who must act, for the beginning of a sentence. */
export const WHO_WORDS: Readonly<Record<Exclude<MustAct, 'nobody'>, string>> = {
  you: 'You',
  publisher: 'The publisher',
  developer: 'The developer',
  site: 'The site',
};

/** Whether somebody must act, and who: "The publisher must act", without a full stop. */
export const whoMustAct = (mustAct: MustAct): string =>
  mustAct === 'nobody' ? 'No action is needed' : `${WHO_WORDS[mustAct]} must act`;

type Sentence = (facts: SourceFacts, state: SourceState, read: ReadAt) => StateSentence;

const moment = (at: number, { now, zone }: ReadAt): string => momentInWords(at, now, zone);

const SENTENCES: Readonly<Record<StateWord, Sentence>> = {
  new: ({ isRunning }, { next }, read) => ({
    who: null,
    text: isRunning ? 'The first run is under way.' : newText(next, read),
  }),
  well: (facts, state, read) => ({ who: null, text: wellText(facts, state, read) }),
  late: (facts, _, read) => ({ who: WHO_WORDS.developer, text: `must act: ${lateText(facts, read)}` }),
  failing: ({ failures }, { mustAct, next }, read) => {
    const why = failures ? `${reasonOf(failures)}, since ${moment(failures.since, read)}` : 'the last run failed';
    const text = `${why}.${nextTry(next, read)}`;
    return mustAct === 'nobody'
      ? { who: null, text: `${whoMustAct(mustAct)}: ${text}` }
      : { who: WHO_WORDS[mustAct], text: `must act: ${text}` };
  },
  held: ({ held, source }, _, read) => ({
    who: WHO_WORDS.you,
    text: `must decide: ${lowerFirst(reviewTitle({ reasons: held?.reasons ?? [] }, { source, ...read, undoes: held?.undoes }))}.`,
  }),
  stale: (facts, _, read) => ({ who: null, text: staleText(facts, read) }),
  paused: ({ pause }, _, read) => ({ who: null, text: pause ? pausedText(pause, read) : 'Paused.' }),
};

const newText = (next: number | null, read: ReadAt): string =>
  next === null ? 'Not read yet.' : `Not read yet. First run ${onDay(next, read)}.`;

/** The sentence in a source's row. */
export const stateInWords = (facts: SourceFacts, state: SourceState, read: ReadAt): StateSentence =>
  SENTENCES[state.word](facts, state, read);

/** A sentence as the end of another one. */
export const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** The same as a single text. */
export function stateAsText(facts: SourceFacts, state: SourceState, read: ReadAt): string {
  const { who, text } = stateInWords(facts, state, read);
  return who === null ? text : `${who} ${text}`;
}

/** A moment with its day: "today at 14:20", "on Sunday at 08:15". */
function onDay(at: number, read: ReadAt): string {
  const day = dayOfMoment(at, read.now, read.zone);
  const said = moment(at, read);
  if (day === 'today') return `today at ${said}`;
  return said.includes(' ') && /\d\d:\d\d$/.test(said) ? said.replace(/ (?=\d\d:\d\d$)/, ' at ') : `on ${said}`;
}

function wellText({ coming, goodAt, conflicts, missing }: SourceFacts, { next }: SourceState, read: ReadAt): string {
  const parts = [
    countInWords(coming, 'coming event'),
    [
      ...(goodAt === null ? [] : [`${spanInWords(read.now - goodAt)} ago`]),
      ...(next === null ? [] : [`next ${moment(next, read)}`]),
    ].join(', '),
    ...(conflicts > 0 ? [countInWords(conflicts, 'conflict')] : []),
    ...(missing > 0 ? [`${grouped(missing)} missing from the feed`] : []),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function lateText({ dueAt, workerAt }: SourceFacts, read: ReadAt): string {
  const due = dueAt === null ? 'a run is due' : `a run was due ${atMoment(moment(dueAt, read))}`;
  if (!isWorkerSilent(workerAt, read.now)) return `${due}, but no worker has taken it.`;
  return `${due}, but no worker ${workerAt === null ? 'is running' : `has run since ${moment(workerAt, read)}`}.`;
}

const nextTry = (next: number | null, read: ReadAt): string =>
  next === null ? '' : ` Next try ${atMoment(moment(next, read))}.`;

/**
 * Why a source fails, as part of a sentence: the title of the advice on its problem, else the beginning of the message.
 */
export function reasonOf({ code, message }: Pick<NonNullable<SourceFacts['failures']>, 'code' | 'message'>): string {
  const title = code === null ? undefined : adviceFor(code)?.title;
  if (title !== undefined && code !== 'column-gone') return lowerFirst(title);
  return asPartOfSentence(message ?? 'no reason was given');
}

function staleText(facts: SourceFacts, read: ReadAt): string {
  const since = staleness(facts, read.now)?.quietSince ?? null;
  if (since === null) {
    const lacks = facts.kept === 0 ? 'Nothing of it is on the site' : 'No coming events';
    return facts.noEventsBecause ? `${lacks}: ${asPartOfSentence(facts.noEventsBecause)}.` : `${lacks}.`;
  }
  const usually = facts.usualGapMs === null ? '' : `; usually every ${gapInWords(facts.usualGapMs)}`;
  return `Reads well, but nothing new since ${dayOfMoment(since, read.now, read.zone)}${usually}.`;
}

const gapInWords = (ms: number): string => (ms < 1.5 * DAY_MS ? 'day' : `${Math.round(ms / DAY_MS)} days`);

function pausedText({ until, reason, by }: NonNullable<SourceFacts['pause']>, read: ReadAt): string {
  const end = until === null ? 'Until somebody resumes it' : `Until ${dayOrMoment(until, read)}`;
  const because = reason === null ? '' : `: ${inQuotes(reason.replace(/[.\s]+$/, ''))}`;
  return by === null ? `By the configuration file${because}.` : `${end}, by ${by}${because}.`;
}

/** Only the day if the moment is its beginning. */
function dayOrMoment(at: number, read: ReadAt): string {
  const said = moment(at, read);
  return said.endsWith(' 00:00') ? said.slice(0, -6) : said;
}
