import { countInWords } from '../../count-in-words.ts';
import { stateAsText } from '../../run/watch/state-in-words.ts';
import type { StateWord } from '../../run/watch/source-state.ts';
import type { Submissions, SourceWithState } from '../model/episode.ts';
import { oneLine } from '../model/message.ts';
import type { SourceMessage, WordingContext } from './episode-words.ts';

/** What has happened to a source within a day. */
export interface DayOfSource {
  readonly site: string;
  readonly source: string;
  readonly created: number;
  readonly updated: number;
  readonly removed: number;
  readonly failedRuns: number;
}

export interface DigestFacts {
  /** The name of the calendar. */
  readonly title: string;
  /** Sources to which anything happened in the last 24 hours. */
  readonly days: readonly DayOfSource[];
}

const LISTED_MAX = 20;
const NEEDS_PERSON: ReadonlySet<StateWord> = new Set(['held', 'failing', 'late', 'stale']);

/** The digest: what waits, and what has happened since yesterday. */
export function digestWords(
  watched: readonly SourceWithState[],
  { counts }: Pick<Submissions, 'counts'>,
  { title, days }: DigestFacts,
  wording: WordingContext,
): SourceMessage {
  const waiting = watched.filter(
    ({ state, conflicts }) => NEEDS_PERSON.has(state.word) || (state.word !== 'paused' && conflicts.length > 0),
  );
  const changed = days.filter(({ created, updated, removed }) => created + updated + removed > 0);
  const events = changed.reduce((sum, { created, updated, removed }) => sum + created + updated + removed, 0);
  const submitted = submittedText(counts);
  const needs = [
    ...(waiting.length > 0
      ? [`${countInWords(waiting.length, 'source')} ${waiting.length === 1 ? 'needs' : 'need'} a look`]
      : []),
    ...(submitted === '' ? [] : [`${submitted} to review`]),
  ];
  const need = needs.length === 0 ? 'nothing needs you' : needs.join(', ');
  return {
    subject: `${title}: ${need}, ${events === 0 ? 'nothing has changed' : `${countInWords(events, 'event')} changed`}`,
    paragraphs: [
      {
        text:
          waiting.length === 0 && submitted !== ''
            ? `No source needs a look: ${watchedText(watched)}`
            : waitingText(watched, waiting, wording),
      },
      ...(submitted === '' ? [] : [{ text: `For editors: ${submitted}. ${wording.places.submissions}` }]),
      {
        text:
          changed.length === 0
            ? 'In the last 24 hours no sync has changed the site.'
            : `In the last 24 hours:\n${listed(changed.map(changesText))}`,
      },
      ...passedText(watched, days),
    ],
    links: [{ words: 'Open the console', href: wording.places.toDo }],
  };
}

const watchedText = (watched: readonly SourceWithState[]): string =>
  `${countInWords(watched.length, 'source is', 'sources are')} watched.`;

/** "2 submitted events and 1 suggestion"; '' for none. */
const submittedText = (counts: Submissions['counts']): string =>
  [
    ...(counts['handed-in'] > 0 ? [countInWords(counts['handed-in'], 'submitted event')] : []),
    ...(counts.suggestions > 0 ? [countInWords(counts.suggestions, 'suggestion')] : []),
  ].join(' and ');

function waitingText(
  watched: readonly SourceWithState[],
  waiting: readonly SourceWithState[],
  { now, zoneOf }: WordingContext,
): string {
  if (waiting.length === 0) return `Nothing needs you. ${watchedText(watched)}`;
  const lines = waiting.map(({ facts, state, conflicts }) => {
    const said = `${facts.source}: ${stateAsText(facts, state, { now, zone: zoneOf(facts.site) })}`;
    const open = NEEDS_PERSON.has(state.word) && conflicts.length > 0;
    return open ? `${said} ${countInWords(conflicts.length, 'event is', 'events are')} in conflict.` : said;
  });
  return `Of ${countInWords(watched.length, 'source')}, ${waiting.length} ${waiting.length === 1 ? 'needs' : 'need'} a look:\n${listed(lines)}`;
}

function changesText({ source, created, updated, removed }: DayOfSource): string {
  const counts = [`${created} new`, `${updated} changed`, `${removed} removed`].filter(
    (text) => !text.startsWith('0 '),
  );
  return `${source}: ${counts.join(', ')}`;
}

/** What failed and works again, which may not have been reported, for instance at night. */
function passedText(
  watched: readonly SourceWithState[],
  days: readonly DayOfSource[],
): readonly { readonly text: string }[] {
  const failing = new Set(watched.filter(({ facts }) => facts.failures !== null).map(({ facts }) => facts.source));
  const passed = days.filter(({ source, failedRuns }) => failedRuns > 1 && !failing.has(source));
  return passed.length === 0
    ? []
    : [
        {
          text:
            `Failed for a while, and ${passed.length === 1 ? 'works' : 'work'} again:\n` +
            `${listed(passed.map(({ source, failedRuns }) => `${source}, ${failedRuns} times`))}`,
        },
      ];
}

function listed(lines: readonly string[]): string {
  const more = lines.length - LISTED_MAX;
  return [...lines.slice(0, LISTED_MAX).map((line) => oneLine(line)), ...(more > 0 ? [`and ${more} more.`] : [])].join(
    '\n',
  );
}
