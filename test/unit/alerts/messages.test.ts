import { expect, test } from 'vitest';
import type { DueMessage, DueEpisode } from '../../../src/alerts/decide/due-messages.ts';
import type { Submissions } from '../../../src/alerts/model/episode.ts';
import { places } from '../../../src/alerts/words/places.ts';
import type { WordingContext } from '../../../src/alerts/words/episode-words.ts';
import { writeMessage, type MessageFacts } from '../../../src/alerts/words/write-message.ts';
import { failuresSince, watchedSource } from '../../support/watched-source.ts';

const [HOUR, DAY] = [3_600_000, 86_400_000];
/** A Monday, at noon in Warsaw. */
const NOON = Date.parse('2027-01-11T11:00:00Z');

const NOTHING: Submissions = { items: [], counts: { 'handed-in': 0, suggestions: 0 } };
const wording: WordingContext = {
  now: NOON,
  zoneOf: () => 'Europe/Warsaw',
  places: places('https://town.example'),
  reviews: new Map([
    ['cinema-held', { subject: 'would remove 17', why: 'The feed has lost 17.', visitors: '3 stay.' }],
  ]),
  decisions: new Map(),
};
const episode = (kind: DueEpisode['kind'], given: Partial<DueEpisode> = {}): DueEpisode =>
  ({ kind, site: 'builtin', source: 'cinema', about: '', since: NOON - HOUR, stage: 0, ...given }) as DueEpisode;

function textOf(
  kind: DueMessage['kind'],
  episodes: readonly DueEpisode[],
  given: Partial<MessageFacts> = {},
): readonly string[] {
  const due = { kind, episodes, receiver: { name: 'clerk' } } as unknown as DueMessage;
  const written = {
    wording,
    watched: [],
    submissions: NOTHING,
    digest: { title: 'Town calendar' },
    backup: null,
    ...given,
  } as unknown as MessageFacts;
  const { subject, paragraphs } = writeMessage(due, written);
  return [subject, ...paragraphs.map(({ strong = '', text }) => `${strong} ${text}`.trim())].flatMap((text) =>
    text.split('\n'),
  );
}

const cinema = watchedSource('cinema', NOON);
const FAILING = watchedSource('cinema', NOON, { failures: failuresSince(NOON - HOUR, 1) });
const HELD = watchedSource('cinema', NOON, { held: { run: 'cinema-held', since: NOON - 2 * DAY, why: 'x' } });
const submitted = (given: Partial<Submissions['counts']>): Submissions => ({
  items: [{ kind: 'handed-in', about: '1', title: 'Choir night', since: NOON }],
  counts: { 'handed-in': 0, suggestions: 0, ...given },
});

test.each<[string, readonly string[], string]>([
  [
    'a source that fails',
    textOf('failing', [episode('failing')], { watched: [FAILING] }),
    `cinema: failing (the address may not be read)
cinema has not been read since 11:00: the address may not be read. It was tried once.`,
  ],
  [
    'several sources that fail',
    textOf(
      'failing',
      ['cinema', 'opera'].map((source) => episode('failing', { source })),
      { watched: [cinema, watchedSource('opera', NOON)] },
    ),
    `2 sources are failing
2 sources are failing:
cinema: 38 coming events · 10 min ago, next 13:00
opera: 38 coming events · 10 min ago, next 13:00
Visitors see their events as they were. If nothing is done, nothing changes.`,
  ],
  [
    'a plan that waits',
    textOf('held', [episode('held', { since: NOON - 2 * DAY, stage: 1 })], { watched: [HELD] }),
    `cinema still waits for you, day 3: would remove 17
The feed has lost 17.
Nothing is written until a person approves it. Visitors still see its 38 coming events. If it were approved: 3 stay.`,
  ],
  [
    'an event in conflict',
    textOf('conflict', [episode('conflict', { about: 'jazz' })], { watched: [cinema] }),
    `cinema: 1 event changed both in the feed and on the site
“jazz” of cinema was changed both in the feed and on the site, and not alike.`,
  ],
  [
    'many in conflict',
    textOf(
      'conflict',
      Array.from({ length: 7 }, (_, index) => episode('conflict', { about: `e${index}` })),
      { watched: [cinema] },
    ),
    `cinema: 7 events changed both in the feed and on the site
“e0”, “e1”, “e2”, “e3”, “e4” and 2 more of cinema were changed both in the feed and on the site, and not alike.`,
  ],
  [
    'the end of several problems',
    textOf('recovered', [episode('failing', { since: NOON - 2 * DAY }), episode('stale')], { watched: [cinema] }),
    `cinema works again
cinema works again, since 11:50, after 2 days. cinema has something new again.
Visitors see its 38 coming events, as of 11:50.`,
  ],
  [
    'an event that was handed in while another waits',
    textOf('handed-in', [episode('handed-in', { about: '1' })], { submissions: submitted({ 'handed-in': 2 }) }),
    `1 event submitted
An author has submitted “Choir night”. 1 more has been waiting already.
Visitors do not see it until an editor publishes it.`,
  ],
  [
    'suggestions',
    textOf(
      'suggestions',
      ['1', '2'].map((about) => episode('suggestions', { about })),
      { submissions: submitted({ suggestions: 2 }) },
    ),
    `2 suggestions from visitors
Visitors have suggested 2 events.
Visitors do not see it until an editor publishes it.`,
  ],
  [
    'the end of events handed in and of suggestions',
    textOf('recovered', [episode('handed-in'), episode('suggestions')]),
    `Submitted events: settled; Suggestions: settled
No submitted event is waiting any more.
No suggestion is waiting any more.`,
  ],
  [
    'backups that fail',
    textOf('backup', [], { backup: { since: NOON - HOUR, problem: 'the disk is full', lastGood: NOON - DAY } }),
    `Town calendar: the backup has failed
Backups have failed since 11:00: the disk is full
The last good one, made yesterday 12:00, is kept. The calendar itself has not changed.`,
  ],
])('a message tells of %s', (_, lines, begins) => {
  expect(lines.slice(0, begins.split('\n').length)).toEqual(begins.split('\n'));
});
