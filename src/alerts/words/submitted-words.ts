import { inQuotes } from '../../look/words/in-quotes.ts';
import type { SubmissionKind } from '../../config/alerts/alert-kinds.ts';
import { countInWords } from '../../count-in-words.ts';
import type { DueEpisode } from '../decide/due-messages.ts';
import { isSubmission, type Submissions } from '../model/episode.ts';
import type { SourceMessage, WordingContext } from './episode-words.ts';

const TITLES_MAX = 5;

/** The message about new submissions. */
export function submissionWords(
  kind: SubmissionKind,
  episodes: readonly DueEpisode[],
  { items, counts }: Submissions,
  { places }: WordingContext,
): SourceMessage {
  const before = counts[kind] - episodes.length;
  const waiting = before > 0 ? ` ${before} more ${before === 1 ? 'has' : 'have'} been waiting already.` : '';
  const { subject, text, consequence } = SAID[kind](episodes, items);
  return {
    subject,
    paragraphs: [
      { text: `${text}${waiting}` },
      { strong: 'Visitors do not see it', text: 'until an editor publishes it.' },
      { text: consequence },
    ],
    links: [{ words: 'Review', href: places.submissions }],
  };
}

interface Said {
  readonly subject: string;
  readonly text: string;
  readonly consequence: string;
}

const SAID: Readonly<Record<SubmissionKind, (episodes: readonly DueEpisode[], items: Submissions['items']) => Said>> = {
  'handed-in': (episodes, items) => {
    const titles = new Map(items.map(({ kind, about, title }) => [`${kind} ${about}`, title]));
    const named = episodes
      .slice(0, TITLES_MAX)
      .map(({ kind, about }) => inQuotes(titles.get(`${kind} ${about}`) ?? ''));
    const more = episodes.length - named.length;
    const count = countInWords(episodes.length, 'event');
    return {
      subject: `${count} submitted`,
      text: `${episodes.length === 1 ? 'An author has' : 'Authors have'} submitted ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
      consequence: 'If you do nothing, it keeps waiting; there is no further reminder.',
    };
  },
  suggestions: (episodes) => ({
    subject: `${countInWords(episodes.length, 'suggestion')} from visitors`,
    // What strangers write is shown on the page, not in messages.
    text: `${episodes.length === 1 ? 'A visitor has suggested an event' : `Visitors have suggested ${episodes.length} events`}.`,
    consequence: 'If you do nothing, it is deleted after 90 days; there is no further reminder.',
  }),
};

const ENDS: Readonly<Record<SubmissionKind, { readonly subject: string; readonly text: string }>> = {
  'handed-in': { subject: 'Submitted events: settled', text: 'No submitted event is waiting any more.' },
  suggestions: { subject: 'Suggestions: settled', text: 'No suggestion is waiting any more.' },
};

/** Says that all have been decided. */
export function submissionEndWords(episodes: readonly DueEpisode[], { places }: WordingContext): SourceMessage {
  const kinds = [...new Set(episodes.map(({ kind }) => kind))].filter(isSubmission);
  return {
    subject: kinds.map((kind) => ENDS[kind].subject).join('; '),
    paragraphs: kinds.map((kind) => ({ text: ENDS[kind].text })),
    links: [{ words: 'Look at it', href: places.submissions }],
  };
}
