import { countInWords } from '../../count-in-words.ts';
import type { HoldKind } from '../model/plan.ts';
import { dayInWords, dayOf } from './days.ts';
import { wallFromInstant } from '../../time.ts';
import type { RemovalPattern } from './removal-pattern.ts';
import type { Reader } from './review-in-words.ts';
import type { Review } from './review.ts';

/** One of the possible answers to a held plan. */
export interface Answer {
  /** `adopt` lets the source take over events made by others. */
  readonly act: 'reject' | 'approve' | 'later' | 'adopt';
  readonly isLikely: boolean;
  /** The person's view of the matter that leads to this answer. */
  readonly title: string;
  readonly text: string;
}

type Likely = Exclude<Answer['act'], 'later'> | null;

/** The likely answer to each kind of held plan, and why. */
const LIKELY: Readonly<Record<HoldKind, (review: Review) => { readonly act: Likely; readonly because: string }>> = {
  emptied: () => ({
    act: 'reject',
    because: 'An empty feed is usually one that was not generated in time: nothing has come instead.',
  }),
  'site-lost': () => ({
    act: 'approve',
    because: 'They are still in the feed, and not even in the trash of the site.',
  }),
  removals: (review) => {
    if (isRenewed(review))
      return { act: 'approve', because: 'The same events are in the feed again, under new names.' };
    const { gone, counts } = review;
    const isCut = !SCATTERED.has(gone.pattern.kind) && counts.new < gone.count / 2;
    return isCut
      ? {
          act: 'reject',
          because: `They have something in common, and ${counts.new === 0 ? 'nothing' : 'little'} has come instead: that is what a truncated feed looks like.`,
        }
      : { act: null, because: 'They have nothing in common that would explain what happened.' };
  },
  zone: () => ({ act: 'reject', because: 'When all times move with the zone, they have usually been misread.' }),
  shift: ({ changes }) =>
    changes.some((each) => (each.kind === 'shift' && Math.abs(each.minutes) < DAY) || each.kind === 'shifts')
      ? { act: 'reject', because: 'When all times move by hours, the time zone has usually been misread.' }
      : { act: null, because: 'A programme may well be postponed by whole days.' },
  titles: ({ changes }) =>
    changes.some(({ kind }) => kind === 'prefix' || kind === 'suffix')
      ? { act: 'approve', because: 'The same words in all titles are usually intended.' }
      : { act: 'reject', because: 'Titles that all change at once have usually been hidden or mixed up.' },
  hidden: () => ({ act: null, because: 'It may be intended, or a setting that was meant only for new events.' }),
  replacement: (review) =>
    isRenewed(review)
      ? { act: 'approve', because: 'They are the same events under new names.' }
      : { act: null, because: 'It may be the next programme, or another calendar.' },
  flood: () => ({ act: 'reject', because: 'So many at once usually come from another calendar.' }),
  'made-by-others': () => ({
    act: 'adopt',
    because: 'What was entered by hand is often in a feed that is added later.',
  }),
  'other-name': () => ({
    act: 'reject',
    because: 'A name is easily changed without adding a line that says what it was.',
  }),
  'ledger-lost': () => ({ act: null, because: 'Only a person can tell what was changed on the site.' }),
  'first-run': () => ({ act: 'approve', because: 'You have added this source, and this is what it brings.' }),
};

/** Removal patterns that do not look like a feed that was cut off. */
const SCATTERED: ReadonlySet<RemovalPattern['kind']> = new Set(['part', 'none']);
const DAY = 1_440;
const isRenewed = ({ renewed, gone }: Review): boolean => renewed.elsewhere + renewed.renamed > gone.count / 2;

/** The possible answers, the likely one first. */
export function answersTo(review: Review, reader: Reader): readonly Answer[] {
  const kind = review.reasons[0]?.kind;
  const likely = kind === undefined ? { act: null, because: '' } : LIKELY[kind](review);
  const answer = (act: Answer['act'], title: string, text: string): Answer => ({
    act,
    isLikely: act === likely.act,
    title,
    text: act === likely.act ? `${likely.because} ${text}` : text,
  });
  const answers = [
    answer('reject', REJECTED[kind ?? 'removals'](reader), 'Nothing is written.'),
    answer('approve', approvedTitle(review, reader), `Approve. ${wayBack(review)}`),
    kind === 'made-by-others'
      ? answer('adopt', 'They are the same events', TAKEN_OVER)
      : answer(
          'later',
          'I cannot tell yet',
          `${likely.act === null && likely.because !== '' ? `${likely.because} ` : ''}Look at the events one by one, or decide later: the held plan can wait.`,
        ),
  ];
  return answers.toSorted((one, other) => Number(other.isLikely) - Number(one.isLikely));
}

const TAKEN_OVER =
  'Take them over: they keep their pages, and what was typed stays. After that, a new plan is made for the rest.';

const keepAndAsk = ({ source }: Reader): string => `Keep them, and ask ${source}`;

const REJECTED: Readonly<Record<HoldKind, (reader: Reader) => string>> = {
  emptied: keepAndAsk,
  'site-lost': () => 'They were deleted on purpose',
  removals: keepAndAsk,
  zone: ({ source }) => `Keep the times, and ask ${source}`,
  shift: ({ source }) => `Keep the times, and ask ${source}`,
  titles: ({ source }) => `Keep the titles, and ask ${source}`,
  hidden: () => 'Keep them public',
  replacement: keepAndAsk,
  flood: ({ source }) => `Keep them out, and ask ${source}`,
  'made-by-others': () => 'Leave everything on the site as it is',
  'other-name': () => 'It has another name now: its settings will say so',
  'ledger-lost': () => 'Leave everything on the site as it is',
  'first-run': () => 'Not like this: change its settings first',
};

function approvedTitle({ reasons, gone }: Review, { now, zone }: Reader): string {
  const kind = reasons[0]?.kind ?? 'removals';
  if (kind === 'removals' && gone.pattern.kind === 'after')
    return `It does end on ${dayInWords(gone.pattern.day, dayOf(wallFromInstant(now, zone)))}`;
  return APPROVED[kind];
}

const APPROVED: Readonly<Record<HoldKind, string>> = {
  emptied: 'There really are no events any more',
  'site-lost': 'Create them again',
  removals: 'They do not take place',
  zone: 'The times are right now',
  shift: 'They were moved',
  titles: 'The titles are right now',
  hidden: 'Visitors should not see them',
  replacement: 'The others are right',
  flood: 'They all belong here',
  'made-by-others': 'They are other events',
  'other-name': 'They are other events',
  'ledger-lost': 'Take them over as listed',
  'first-run': 'Put them on the site',
};

function wayBack({ counts, gone }: Review): string {
  return counts.remove > 0 && gone.how === 'trash'
    ? `${countInWords(counts.remove, 'event')} ${counts.remove === 1 ? 'goes' : 'go'} to the trash; ` +
        'that can be taken back with one click as long as they are there.'
    : 'It can be taken back with one click.';
}
