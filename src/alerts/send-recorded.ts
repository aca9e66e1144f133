import { randomUUID } from 'node:crypto';
import type { Http } from '../client/http.ts';
import type { Database } from '../db/database.ts';
import { claimDelivery, refuseDelivery, settleDelivery, type NewDelivery } from '../run/deliveries/deliveries.ts';
import { recordAct, type ActAbout, type Actor } from '../run/watch/acts.ts';
import type { DeliveryResult } from './channels/delivery-result.ts';
import { messageIdOf } from './message-ids.ts';
import type { Message } from './model/message.ts';
import type { AlertSettings } from './settings.ts';

/** What sending needs. */
export interface SendingContext {
  readonly database: Database;
  readonly http: Http;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly settings: AlertSettings;
}

/** The recipient of a message, and its sender. */
export interface Recipient extends Pick<NewDelivery, 'receiver' | 'channel' | 'address'> {
  readonly by: Actor;
}

/**
 * Sends what a person asked for, once, and records it with its result and the person. `about` adds details to the act.
 */
export async function sendRecorded(
  { database, now, settings }: SendingContext,
  { by, ...to }: Recipient,
  message: Message,
  send: (messageId: string) => Promise<DeliveryResult>,
  about: (answer: DeliveryResult) => Omit<ActAbout, 'kind'>,
): Promise<DeliveryResult> {
  const { kind, subject } = message;
  const key = `${kind} ${randomUUID()}`;
  const messageId = messageIdOf(to.receiver, key, settings.mail?.from);
  const delivery = { ...to, key, kind, subject, messageId, content: null, episodes: [], sentBy: by.name };
  const id = await claimDelivery(database.query(), delivery, now);
  if (id === undefined) throw new TypeError('a new key is nobody else’s');
  const answer = await send(messageId);
  await database.query().transaction(async (transaction) => {
    if (answer.isAccepted) await settleDelivery(transaction, id, answer.words, { told: [], over: [] }, now);
    else await refuseDelivery(transaction, id, answer.words, null, now);
    await recordAct(transaction, by, { kind: 'alert', ...about(answer) });
  });
  return answer;
}
