import type { AlertSettings, ReceiverSetup } from './settings.ts';
import type { Config, MailConfig, ReceiverConfig } from '../config/config.ts';
import type { Secret } from '../config/secret.ts';
import type { ZoneOfSite } from '../run/state/site-zones.ts';

/** What alerts depend on besides the configuration. */
export interface AlertContext {
  /** The address of this program, without a trailing slash. */
  readonly base: string;
  readonly zoneOf: ZoneOfSite;
  /** The key of the site whose zone applies to the receivers' hours. */
  readonly firstSite: string;
}

/** The names of all receivers. */
export const receiverNames = ({ alerts: { webhook, receivers } }: Pick<Config, 'alerts'>): readonly string[] => [
  ...(webhook === undefined ? [] : [PLAIN_WEBHOOK]),
  ...receivers.map(({ name }) => name),
];

const PLAIN_WEBHOOK = 'alerts.webhook';

/** The alert settings of a configuration, with secrets behind functions. */
export function alertSettings(
  { alerts, builtin }: Pick<Config, 'alerts' | 'builtin'>,
  { base, zoneOf, firstSite }: AlertContext,
): AlertSettings {
  const webhook = alerts.webhook;
  return {
    receivers: [...(webhook === undefined ? [] : [plainWebhook(webhook)]), ...alerts.receivers.map(receiverOf)],
    mail: alerts.mail && mailServerOf(alerts.mail, builtin.title),
    zone: zoneOf(firstSite),
    zoneOf,
    title: builtin.title,
    base,
  };
}

const shown = (secret: Secret | undefined): (() => string) | undefined => secret && (() => secret.reveal());

const receiverOf = ({ address, token, code, ...receiver }: ReceiverConfig): ReceiverSetup => ({
  ...receiver,
  address: () => address.reveal(),
  token: shown(token),
  code: shown(code),
});

/** `alerts.webhook`: a program that gets the same alerts as ever. */
const plainWebhook = (address: Secret): ReceiverSetup => ({
  name: PLAIN_WEBHOOK,
  channel: 'webhook',
  address: () => address.reveal(),
  token: undefined,
  code: undefined,
  hears: ['failing', 'held', 'recovered'],
  sources: [],
  afterMs: 0,
  quiet: undefined,
  digestAt: 0,
});

const mailServerOf = ({ password, ...mail }: MailConfig, title: string): NonNullable<AlertSettings['mail']> => ({
  ...mail,
  password: shown(password),
  fromName: `calsyncd, ${title}`,
});
