import { inQuotes } from '../look/words/in-quotes.ts';
import type { Actor } from '../run/watch/acts.ts';
import type { DeliveryResult } from './channels/delivery-result.ts';
import { deliver, shownAddress } from './channels/deliver.ts';
import type { Message } from './model/message.ts';
import { sendRecorded, type SendingContext } from './send-recorded.ts';
import type { AlertSettings, ReceiverSetup } from './settings.ts';
import { places } from './words/places.ts';

/** Sends a test message to a receiver, and records it with its result. Never throws because of the receiver. */
export function sendTest(sending: SendingContext, receiver: ReceiverSetup, by: Actor): Promise<DeliveryResult> {
  const { http, settings } = sending;
  const { name, channel } = receiver;
  const message = testMessage(receiver, settings, by);
  return sendRecorded(
    sending,
    { receiver: name, channel, address: shownAddress(receiver), by },
    message,
    (id) => deliver(receiver, { message, references: [], body: null }, id, { http, mail: settings.mail }),
    ({ words }) => ({ details: { test: name, answer: words } }),
  );
}

function testMessage({ name, hears }: ReceiverSetup, { title, base }: AlertSettings, by: Actor): Message {
  return {
    kind: 'test',
    subject: `${title}: this is a test`,
    paragraphs: [
      { text: 'This is how a message of calsyncd looks.' },
      { text: `${by.name} sent it to check that messages reach ${inQuotes(name)}, which hears ${hears.join(', ')}.` },
      { strong: 'No action is needed.', text: 'Visitors do not see it.' },
    ],
    links: [{ words: 'Who is notified of what', href: places(base).alerts }],
    foot: `This opens a page; nothing is decided by opening it. You get this as ${inQuotes(name)} under alerts in the configuration of calsyncd.`,
  };
}
