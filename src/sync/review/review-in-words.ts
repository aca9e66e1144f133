import { countInWords, grouped } from '../../count-in-words.ts';
import { wallFromInstant } from '../../time.ts';
import type { HoldKind, HoldReason, RemoveEvent } from '../model/plan.ts';
import { changePatternInWords } from './change-pattern.ts';
import { dayInWords, dayOf, daysBetween } from './days.ts';
import { removalPatternInWords } from './removal-pattern.ts';
import type { Review } from './review.ts';
import { joinedSentences, type EmphasizedText } from './emphasized-text.ts';

/** The context in which a review is read. */
export interface Reader {
  /** The source's name. */
  readonly source: string;
  /** In epoch milliseconds. */
  readonly now: number;
  /** The site's zone. */
  readonly zone: string;
  /** The run that the held plan undoes, if any; the feed is then not mentioned. */
  readonly undoes?: string | null | undefined;
}

const todayOf = ({ now, zone }: Reader): string => dayOf(wallFromInstant(now, zone));

/** The review in one line, such as "The feed of theatre has lost 17 of its 70 coming events". */
export function reviewTitle({ reasons }: Pick<Review, 'reasons'>, reader: Reader): string {
  const [reason] = reasons;
  if (reader.undoes) return undoTitle(reason, reader.undoes);
  return reason === undefined ? `A run of ${reader.source} waits for a decision` : TITLES[reason.kind](reason, reader);
}

function undoTitle(reason: HoldReason | undefined, undone: string): string {
  const does = reason && UNDO_DOES[reason.kind]?.(reason);
  return `Taking back ${undone} ${does ?? 'waits for a decision'}`;
}

const ofComing = ({ count, all }: HoldReason): string => `${grouped(count)} of ${countInWords(all, 'coming event')}`;

const TITLES: Readonly<Record<HoldKind, (reason: HoldReason, reader: Reader) => string>> = {
  emptied: ({ all }, { source }) => `The feed of ${source} is whole, but empty: ${countInWords(all, 'event')} would go`,
  'site-lost': (reason) => `The site has lost ${ofComing(reason)}`,
  removals: ({ count, all }, { source }) =>
    `The feed of ${source} has lost ${grouped(count)} of its ${grouped(all)} coming events`,
  zone: (reason, { source }) => `The feed of ${source} has another time zone for ${ofComing(reason)}`,
  shift: (reason, { source }) => `The feed of ${source} has moved ${ofComing(reason)}`,
  titles: (reason, { source }) => `The feed of ${source} has other titles for ${ofComing(reason)}`,
  hidden: (reason, { source }) => `${ofComing(reason)} of ${source} would no longer be public`,
  replacement: (reason, { source }) => `The feed of ${source} has other events instead of ${ofComing(reason)}`,
  flood: ({ count }, { source }) => `The feed of ${source} has ${grouped(count)} new events at once`,
  'made-by-others': ({ count }, { source }) =>
    `${countInWords(count, 'event')} of ${source} ${count === 1 ? 'seems' : 'seem'} to be on the site already`,
  'other-name': ({ count }, { source }) =>
    `${countInWords(count, 'event')} of ${source} ${count === 1 ? 'is' : 'are'} on the site already, from a source of another name`,
  'ledger-lost': (_, { source }) => `What was known of ${source} is lost, and has to be compared by a person`,
  'first-run': ({ count }, { source }) => `The first run of ${source} would bring ${countInWords(count, 'event')}`,
};

/** What an undo would do that needs a review. */
const UNDO_DOES: Readonly<Partial<Record<HoldKind, (reason: HoldReason) => string>>> = {
  emptied: (reason) => `would remove ${ofComing(reason)}`,
  removals: (reason) => `would remove ${ofComing(reason)}`,
  hidden: (reason) => `would hide ${ofComing(reason)}`,
};

/** Why a run is held, with numbers and what the events have in common. */
export const whyHeld = (review: Review, reader: Reader): EmphasizedText =>
  joinedSentences(review.reasons.map((reason) => WHY[reason.kind](reason, review, reader)));

type Why = (reason: HoldReason, review: Review, reader: Reader) => EmphasizedText;

const moved: Why = (reason, review) => [
  'This run would move ',
  { strong: `${grouped(reason.count)} of ${grouped(reason.all)}` },
  ' coming events',
  ...patternOf(review, ['shift', 'shifts'], reason),
];

const WHY: Readonly<Record<HoldKind, Why>> = {
  emptied: (_, { gone }) => [
    'The feed is whole, but ',
    { strong: 'empty' },
    `. This run would remove all ${countInWords(gone.count, 'coming event')} of it.`,
  ],
  'site-lost': (reason) => [
    { strong: `${grouped(reason.count)} of ${grouped(reason.all)}` },
    ' coming events that were written before are not on the site any more, not even in its trash. Approving creates them again.',
  ],
  removals: (reason, review, reader) => [
    'This run would remove ',
    { strong: `${grouped(reason.count)} of ${grouped(reason.all)}` },
    ` coming events (${percent(reason.count / reason.all)}${reason.limit ? `; you allow ${percent(reason.limit.share)}` : ''}).`,
    ...feedCounts(review, reader),
    ...missingOnes(review, reader),
  ],
  zone: moved,
  shift: moved,
  titles: (reason, review) => [
    'This run would give ',
    { strong: `${grouped(reason.count)} of ${grouped(reason.all)}` },
    ' coming events another title',
    ...patternOf(review, ['prefix', 'suffix', 'titles'], reason),
  ],
  hidden: (reason) => [
    { strong: `${grouped(reason.count)} of ${grouped(reason.all)}` },
    ' coming events are public and would not be any more: their source, a rule or their feed says another status now.',
  ],
  replacement: (reason, review, reader) => [
    { strong: `${grouped(reason.count)} events are gone and ${grouped(review.counts.new)} others have come.` },
    ...feedCounts(review, reader),
    ...missingOnes(review, reader),
  ],
  flood: (reason) => [
    'This run would add ',
    { strong: countInWords(reason.count, 'event') },
    ` at once, beside ${countInWords(reason.all, 'coming one')}.`,
  ],
  'made-by-others': ({ count, all }) => [
    { strong: `${grouped(count)} of ${countInWords(all, 'event')}` },
    ` ${count === 1 ? 'looks like one' : 'look like ones'} that others made: same title, start and place. ` +
      `Approving makes ${count === 1 ? 'it' : 'them'} a second time.`,
  ],
  'other-name': (reason) => [reason.message],
  'ledger-lost': (reason) => [reason.message],
  'first-run': (reason) => [
    'This source has just been added. Its first run would bring ',
    { strong: countInWords(reason.count, 'event') },
    ' to the site, and nothing is there until you approve.',
  ],
};

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function patternOf({ changes }: Review, kinds: readonly string[], { message }: HoldReason): EmphasizedText {
  const pattern = changes.find(({ kind }) => kinds.includes(kind));
  // For a zone, the guard's message names the old and the new one.
  return pattern ? [': ', { strong: changePatternInWords(pattern) }, '.'] : [`. ${message}`];
}

function feedCounts({ feed }: Review, reader: Reader): EmphasizedText {
  if (feed?.before === null || feed === null) return [];
  const { now, before } = feed;
  return now === before.count
    ? []
    : [` ${timeInWords(before.at, reader)} the feed had ${before.count}, now it has ${now || 'none'}.`];
}

/** A time in words: "At 13:20", "Yesterday", "On 3 November". */
function timeInWords(at: number, reader: Reader): string {
  const wall = wallFromInstant(at, reader.zone);
  const today = todayOf(reader);
  const days = daysBetween(dayOf(wall), today);
  if (days <= 0) return `At ${wall.slice(11, 16)}`;
  return days === 1 ? 'Yesterday' : `On ${dayInWords(dayOf(wall), today)}`;
}

function missingOnes({ gone, renewed }: Review, reader: Reader): EmphasizedText {
  // A single event trivially shares everything with itself.
  if (gone.count < 2) return [];
  const words = removalPatternInWords(gone.pattern, todayOf(reader));
  return [
    reader.undoes ? ' They are ' : ' The missing ones are ',
    { strong: words },
    '.',
    ...renewedOnes(renewed, gone.count),
  ];
}

function renewedOnes({ elsewhere, renamed }: Review['renewed'], gone: number): EmphasizedText {
  const all = elsewhere + renamed;
  if (all <= gone / 2) return [];
  const how = [
    ...(renamed > 0 ? [`${renamed} with the same start under another title`] : []),
    ...(elsewhere > 0 ? [`${elsewhere} with the same title and start at another place`] : []),
  ].join(', ');
  return [' They may be ', { strong: 'the same events under new names' }, `: there are again ${how}.`];
}

/** "it" or "them". */
const objectOf = (count: number): string => (count === 1 ? 'it' : 'them');

const FATES: Readonly<Record<RemoveEvent['how'], (pages: string, them: string) => string>> = {
  trash: (pages, them) =>
    `${pages} would say “no longer available”. Subscribed calendars would show ${them} as cancelled, for 30 days.`,
  draft: (pages, them) =>
    `${pages} would no longer be public. Subscribed calendars would show ${them} as cancelled, for 30 days.`,
  cancel: (pages) =>
    `${pages} would stay and say that the event is cancelled. Subscribed calendars would show that, too.`,
};

/** What visitors and subscribers would notice, one sentence for each effect. */
export function whatVisitorsNotice(review: Review, reader: Reader): readonly EmphasizedText[] {
  const { counts, gone } = review;
  const sentences: EmphasizedText[] = [];
  if (counts.remove > 0 && gone.how !== null)
    sentences.push([FATES[gone.how](countInWords(counts.remove, 'page'), objectOf(counts.remove))]);
  if (gone.isLater)
    sentences.push([
      `${countInWords(gone.count, 'page')} would stay for now: ${gone.count === 1 ? 'it goes' : 'they go'} once ` +
        `the feed has lacked ${objectOf(gone.count)} often enough.`,
    ]);
  if (counts.move > 0)
    sentences.push([
      `${countInWords(counts.move, 'event')} would have another date or place. Subscribed calendars move ${objectOf(counts.move)}.`,
    ]);
  if (review.reasons.some(({ kind }) => kind === 'hidden')) sentences.push([FATES.draft('Their pages', 'them')]);
  else if (counts.change > 0) sentences.push([`${countInWords(counts.change, 'page')} would read otherwise.`]);
  if (counts.new > 0) sentences.push([`${countInWords(counts.new, 'new page')} would be public at once.`]);
  return [...sentences, ...timeLeft(review, reader)];
}

const SOON_DAYS = 7;

function timeLeft({ gone: { first, count } }: Review, reader: Reader): readonly EmphasizedText[] {
  if (first === null || count === 0) return [];
  const days = daysBetween(todayOf(reader), dayOf(first));
  if (days <= 0) return [['The first of what is gone is ', { strong: 'today' }, '.']];
  const said = ['The first of what is gone is in ', { strong: countInWords(days, 'day') }];
  return [days > SOON_DAYS ? [...said, ': there is time to ask.'] : [...said, '.']];
}

/** What happens if nobody decides. */
export const IF_NOTHING_IS_DONE = 'nothing changes. A new plan is made each time the feed is read.';
