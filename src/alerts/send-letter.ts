import { randomUUID } from 'node:crypto';
import { claimDelivery, lettersOfDay, refuseDelivery, settleDelivery } from '../run/deliveries/deliveries.ts';
import { recordAct, type Actor } from '../run/watch/acts.ts';
import { answered, type Answer } from './channels/answer.ts';
import { sendMail } from './channels/send-mail.ts';
import { messageIdOf } from './message-ids.ts';
import { htmlText, oneLine, plainText, type Message } from './model/message.ts';
import type { Sending } from './send-test.ts';

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
  /** Where one asks for no more letters. */
  readonly unsubscribe: string;
}

const LETTERS_A_DAY = 20;
const ADDRESS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/;

/** Whether a text is one mail address, and nothing else. */
export const isAddress = (text: string): boolean => ADDRESS.test(text) && text.length <= 254;

/** Sends a letter to a publisher, and records it and its answer. Says why it did not, if so; never throws because of it. */
export async function sendLetter(sending: Sending, letter: Letter, by: Actor): Promise<Answer> {
  const { database, now, settings } = sending;
  const { mail } = settings;
  const query = database.query();
  if (mail === undefined) return answered(false, 'the configuration does not say how mails are sent (alerts.mail)');
  if (!isAddress(letter.to)) return answered(false, 'that is not one mail address');
  if ((await lettersOfDay(query, now)) >= LETTERS_A_DAY)
    return answered(
      false,
      `${LETTERS_A_DAY} letters were sent in the last 24 hours; write the others from your own mailbox`,
    );
  const key = `letter ${randomUUID()}`;
  const receiver = `publisher of ${letter.source}`;
  const messageId = messageIdOf(receiver, key, mail.from);
  const message = messageOf(letter, settings.title);
  const id = await claimDelivery(
    query,
    {
      receiver,
      key,
      kind: 'letter',
      channel: 'mail',
      address: letter.to,
      subject: message.subject,
      messageId,
      content: null,
      episodes: [],
      sentBy: by.name,
    },
    now,
  );
  if (id === undefined) throw new TypeError('a new key is nobody else’s');
  const answer = await sendMail(mail, {
    to: letter.to,
    subject: message.subject,
    text: plainText(message),
    html: htmlText(message),
    id: messageId,
    references: [],
    unsubscribe: letter.unsubscribe,
  });
  await query.transaction(async (transaction) => {
    if (answer.isTaken) await settleDelivery(transaction, id, answer.words, { told: [], over: [] }, now);
    else await refuseDelivery(transaction, id, answer.words, null, now);
    const details = { to: letter.to, subject: message.subject, answer: answer.words };
    await recordAct(transaction, by, { kind: 'alert', site: letter.site, source: letter.source, details });
  });
  return answer;
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
