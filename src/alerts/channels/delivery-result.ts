import { isHtml } from '../../html/is-html.ts';
import { textFromHtml } from '../../html/text.ts';
import { oneLine } from '../model/message.ts';

/** The result of sending a message: whether it was accepted, and the answer in words, without secrets. */
export interface DeliveryResult {
  readonly isAccepted: boolean;
  readonly words: string;
}

const WORDS_MAX = 160;

/** `hidden` are texts to be removed if the answer contains them, such as the address. */
export function deliveryResult(isAccepted: boolean, words: string, hidden: readonly string[] = []): DeliveryResult {
  // Servers often explain errors with a web page.
  const plain = isHtml(words) ? textFromHtml(words).replace(/\s+/g, ' ') : words;
  const safe = hidden.filter((text) => text.length > 3).reduce((text, secret) => text.replaceAll(secret, '…'), plain);
  return { isAccepted, words: oneLine(safe, WORDS_MAX) };
}
