import { randomUUID } from 'node:crypto';
import type { Http } from '../client/http.ts';
import type { Database } from '../db/database.ts';
import { claimDelivery, refuseDelivery, settleDelivery } from '../run/deliveries/deliveries.ts';
import { recordAct, type Actor } from '../run/watch/acts.ts';
import type { Answer } from './channels/answer.ts';
import { deliver, shownAddress } from './channels/deliver.ts';
import { messageIdOf } from './message-ids.ts';
import type { Message } from './model/message.ts';
import type { AlertSettings, ReceiverSetup } from './settings.ts';
import { places } from './words/places.ts';

/** What sending takes. */
export interface Sending {
  readonly database: Database;
  readonly http: Http;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly settings: AlertSettings;
}

/** Sends a test message to a receiver, and records it and its answer. Never throws because of the receiver. */
export async function sendTest(sending: Sending, receiver: ReceiverSetup, by: Actor): Promise<Answer> {
  const { database, http, now, settings } = sending;
  const [query, key] = [database.query(), `test ${randomUUID()}`];
  const message = testMessage(receiver, settings, by);
  const messageId = messageIdOf(receiver.name, key, settings.mail?.from);
  const id = await claimDelivery(
    query,
    {
      receiver: receiver.name,
      key,
      kind: 'test',
      channel: receiver.channel,
      address: shownAddress(receiver),
      subject: message.subject,
      messageId,
      content: null,
      episodes: [],
      sentBy: by.name,
    },
    now,
  );
  if (id === undefined) throw new TypeError('a new key is nobody else’s');
  const answer = await deliver(receiver, { message, references: [], body: null }, messageId, {
    http,
    mail: settings.mail,
  });
  await query.transaction(async (transaction) => {
    if (answer.isTaken) await settleDelivery(transaction, id, answer.words, { told: [], over: [] }, now);
    else await refuseDelivery(transaction, id, answer.words, null, now);
    await recordAct(transaction, by, { kind: 'alert', details: { test: receiver.name, answer: answer.words } });
  });
  return answer;
}

function testMessage({ name, hears }: ReceiverSetup, { title, base }: AlertSettings, by: Actor): Message {
  return {
    kind: 'test',
    subject: `${title}: this is a test`,
    paragraphs: [
      { text: 'This is how a message of calsyncd looks.' },
      { text: `${by.name} sent it to see whether “${name}” is reached, which hears ${hears.join(', ')}.` },
      { strong: 'Nobody must act.', text: 'Visitors see nothing of it.' },
    ],
    links: [{ words: 'Who is told what', href: places(base).alerts }],
    foot: `This opens a page; nothing is decided by opening it. You get this as “${name}” under alerts in the configuration of calsyncd.`,
  };
}
