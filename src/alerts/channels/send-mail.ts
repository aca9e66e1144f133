import type { SMTPTransportOptions } from 'nodemailer';
import { oneLine } from '../model/message.ts';
import { deliveryResult, type DeliveryResult } from './delivery-result.ts';

/** The mail server. Its secrets are revealed only when a mail is sent. */
export interface MailServer {
  /** An smtp: or smtps: URL. */
  readonly server: string;
  readonly username: string | undefined;
  readonly password: (() => string) | undefined;
  readonly from: string;
  /** The sender's name as people see it. */
  readonly fromName: string;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** With angle brackets. */
  readonly id: string;
  /** The Message-IDs of earlier mails in the thread, the first one first. */
  readonly references: readonly string[];
  /** The address of a one-click unsubscribe request; for mails to people who did not ask for them. */
  readonly unsubscribe?: string;
}

const CONNECT_MS_MAX = 10_000;
const SILENCE_MS_MAX = 20_000;
const WHOLE_MS_MAX = 60_000;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };
const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** Hands a mail to the server; never throws. nodemailer is loaded with the first mail. */
export async function sendMail(server: MailServer, mail: Mail): Promise<DeliveryResult> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(optionsOf(server));
  const timer = setTimeout(() => transport.close(), WHOLE_MS_MAX);
  try {
    const sent = await transport.sendMail({
      from: { name: oneLine(server.fromName), address: server.from },
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      messageId: mail.id,
      references: [...mail.references],
      ...(mail.references.length > 0 && { inReplyTo: mail.references.at(-1) }),
      headers: headersOf(mail),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return deliveryResult(true, sent.response);
  } catch (error) {
    return deliveryResult(false, reasonOf(error), server.password === undefined ? [] : [server.password()]);
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

function headersOf({ unsubscribe }: Mail): Record<string, string> {
  return {
    // Keeps automatic replies from answering each other for ever.
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    ...(unsubscribe !== undefined && {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  };
}

function optionsOf({ server, username, password }: MailServer): SMTPTransportOptions {
  const url = new URL(server);
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    secure,
    port: Number(url.port || DEFAULT_PORTS[url.protocol]),
    // A password is never sent unencrypted over the network.
    requireTLS: username !== undefined && !LOCAL.test(host),
    ...(username !== undefined && password !== undefined && { auth: { user: username, pass: password() } }),
    connectionTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENCE_MS_MAX,
    dnsTimeout: CONNECT_MS_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function reasonOf(error: unknown): string {
  const { response, code, message } = error as { response?: string; code?: string; message?: string };
  if (response !== undefined && response !== '') return `answered ${response}`;
  return `no connection: ${message ?? code ?? String(error)}`;
}
