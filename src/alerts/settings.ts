import type { MailServer } from './channels/send-mail.ts';
import type { Destination } from './channels/deliver.ts';
import type { Receiver } from './model/receiver.ts';

/** A receiver with everything needed to send to it. */
export interface ReceiverSetup extends Receiver, Destination {
  /** Lets the receiver decide on held runs without signing in. */
  readonly code: (() => string) | undefined;
}

/** The alert settings of a configuration. */
export interface AlertSettings {
  readonly receivers: readonly ReceiverSetup[];
  readonly mail: MailServer | undefined;
  /** The zone that applies to the receivers' hours. */
  readonly zone: string;
  readonly zoneOf: (site: string) => string;
  /** The name of the calendar. */
  readonly title: string;
  /** The address of this program, without a trailing slash. */
  readonly base: string;
}
