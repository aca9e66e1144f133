import { atMoment, momentInWords } from '../../run/watch/moments.ts';
import type { BackupTrouble } from '../decide/due-messages.ts';
import { dayNumber } from '../decide/reminders.ts';
import { oneLine } from '../model/message.ts';
import type { SourceMessage, WordingContext } from './episode-words.ts';

const PROBLEM_MAX = 500;

/** The message that backups succeed again. */
export const backupEndWords = (title: string, { places }: WordingContext): SourceMessage => ({
  subject: `${title}: backups work again`,
  paragraphs: [{ text: 'A backup was made, and can be read back. The calendar itself has not changed.' }],
  links: [{ words: 'Look at the backups', href: places.backups }],
});

/** The message about failing backups: since when, why, and what the last good one is. */
export function backupWords(
  trouble: BackupTrouble | null,
  title: string,
  { now, zoneOf, places }: WordingContext,
): SourceMessage {
  if (!trouble) throw new TypeError('nothing is known of the backups that a message tells of');
  const { since, problem, lastGood } = trouble;
  const at = (moment: number): string => momentInWords(moment, now, zoneOf('builtin'));
  const day = dayNumber(now - since);
  return {
    subject: `${title}: ${day === 1 ? 'the backup has failed' : `backups still fail, day ${day}`}`,
    paragraphs: [
      { text: `Backups have failed since ${at(since)}: ${oneLine(problem, PROBLEM_MAX)}` },
      {
        text:
          lastGood === null
            ? 'There is no good backup. The calendar itself has not changed.'
            : `The last good one, made ${atMoment(at(lastGood))}, is kept. The calendar itself has not changed.`,
      },
      { strong: 'The developer must act.', text: 'It is tried again automatically until it succeeds.' },
    ],
    links: [{ words: 'Look at the backups', href: places.backups }],
  };
}
