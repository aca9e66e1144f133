import { lettersOfDay } from '../run/deliveries/deliveries.ts';
import type { Actor } from '../run/watch/acts.ts';
import { deliveryResult, type DeliveryResult } from './channels/delivery-result.ts';
import { sendMail } from './channels/send-mail.ts';
import { htmlText, oneLine, plainText, type Message } from './model/message.ts';
import { sendRecorded, type SendingContext } from './send-recorded.ts';

/** A letter that a person has read and sends. */
export interface Letter {
  readonly site: string;
  readonly source: string;
  /** One mail address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The publisher's page. */
  readonly page: string;
  /** The address to unsubscribe from further letters. */
  readonly unsubscribe: string;
}

const LETTERS_A_DAY = 20;
const ADDRESS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/;

/** Whether a text is exactly one mail address. */
export const isAddress = (text: string): boolean => ADDRESS.test(text) && text.length <= 254;

/**
 * Sends a letter to a publisher, and records it with its result. Returns the reason if it was not sent, and never
 * throws because of it.
 */
export async function sendLetter(sending: SendingContext, letter: Letter, by: Actor): Promise<DeliveryResult> {
  const { database, now, settings } = sending;
  const { mail } = settings;
  if (mail === undefined)
    return deliveryResult(false, 'the configuration does not say how mails are sent (alerts.mail)');
  if (!isAddress(letter.to)) return deliveryResult(false, 'that is not one mail address');
  if ((await lettersOfDay(database.query(), now)) >= LETTERS_A_DAY)
    return deliveryResult(
      false,
      `${LETTERS_A_DAY} letters were sent in the last 24 hours; write the others from your own mailbox`,
    );
  const message = messageOf(letter, settings.title);
  const { to, site, source, unsubscribe } = letter;
  return sendRecorded(
    sending,
    { receiver: `publisher of ${source}`, channel: 'mail', address: to, by },
    message,
    (id) => {
      const { subject } = message;
      return sendMail(mail, {
        to,
        subject,
        text: plainText(message),
        html: htmlText(message),
        id,
        references: [],
        unsubscribe,
      });
    },
    ({ words }) => ({ site, source, details: { to, subject: message.subject, answer: words } }),
  );
}

function messageOf({ subject, text, page, unsubscribe }: Letter, title: string): Message {
  const paragraphs = text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
  return {
    kind: 'letter',
    subject: oneLine(subject),
    paragraphs: paragraphs.map((paragraph) => ({ text: paragraph })),
    links: [{ words: 'How your calendar is read', href: page }],
    foot: `Sent for ${title}. No more letters about this feed: ${unsubscribe}`,
  };
}
