import { isHtml } from '../../html/is-html.ts';
import { textFromHtml } from '../../html/text.ts';
import { oneLine } from '../model/message.ts';

/** What became of a message: whether it was taken, and what was answered, in words that hold no secret. */
export interface Answer {
  readonly isTaken: boolean;
  readonly words: string;
}

const WORDS_MAX = 160;

/** `hidden`: texts that must not be repeated, such as the address, should the answer hold them. */
export function answered(isTaken: boolean, words: string, hidden: readonly string[] = []): Answer {
  // Servers explain themselves on web pages.
  const plain = isHtml(words) ? textFromHtml(words).replace(/\s+/g, ' ') : words;
  const safe = hidden.filter((text) => text.length > 3).reduce((text, secret) => text.replaceAll(secret, '…'), plain);
  return { isTaken, words: oneLine(safe, WORDS_MAX) };
}
