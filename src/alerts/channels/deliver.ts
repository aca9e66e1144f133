import type { AlertChannel } from '../../config/alerts/alert-kinds.ts';
import type { Http } from '../../client/http.ts';
import { htmlText, plainText, type Message } from '../model/message.ts';
import type { WebhookBody } from '../words/webhook-body.ts';
import type { DeliveryResult } from './delivery-result.ts';
import { deliveryResult } from './delivery-result.ts';
import { ntfyRequest, slackBody, teamsBody } from './chat-bodies.ts';
import { post } from './post.ts';
import { sendMail, type MailServer } from './send-mail.ts';

/** How to reach a receiver. Its secrets are revealed only when something is sent. */
export interface Destination {
  readonly channel: AlertChannel;
  readonly address: () => string;
  /** For ntfy. */
  readonly token: (() => string) | undefined;
}

/** Everything needed to send a message; it can be stored, to send the same message again. */
export interface DeliveryContent {
  readonly message: Message;
  /** The Message-IDs of its thread, for mails. */
  readonly references: readonly string[];
  /** The body for webhooks. */
  readonly body: WebhookBody | null;
}

/** What all deliveries share. */
export interface Transports {
  readonly http: Http;
  readonly mail: MailServer | undefined;
}

type Send = (to: Destination, content: DeliveryContent, id: string, transports: Transports) => Promise<DeliveryResult>;

const CHANNELS: Readonly<Record<AlertChannel, Send>> = {
  mail: async (to, { message, references }, id, { mail }) =>
    mail === undefined
      ? deliveryResult(false, 'the configuration does not say how mails are sent')
      : sendMail(mail, {
          to: to.address(),
          subject: message.subject,
          text: plainText(message),
          html: htmlText(message),
          id,
          references,
        }),
  ntfy: async (to, { message }, id, { http }) => {
    const token = to.token?.();
    const hidden = token === undefined ? [] : [token];
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return post(http, { ...ntfyRequest(new URL(to.address()), message), address: to.address(), headers, id, hidden });
  },
  webhook: async (to, { message, body }, id, { http }) =>
    post(http, { url: new URL(to.address()), body: body ?? ownBody(message), id, address: to.address() }),
  slack: async (to, { message }, id, { http }) =>
    post(http, { url: new URL(to.address()), body: slackBody(message), id, address: to.address() }),
  teams: async (to, { message }, id, { http }) =>
    post(http, { url: new URL(to.address()), body: teamsBody(message), id, address: to.address() }),
};

const ownBody = (message: Message): object => ({ event: message.kind, text: plainText(message) });

/** Sends a message to a receiver; never throws. `id` is the same each time the message is sent. */
export const deliver: Send = (to, content, id, transports) => CHANNELS[to.channel](to, content, id, transports);

/** A destination in a form that may be shown: a mail address, or the host of a secret address. */
export function shownAddress({ channel, address }: Pick<Destination, 'channel' | 'address'>): string {
  return channel === 'mail' ? address() : (URL.parse(address())?.host ?? channel);
}
