import type { MailServer } from './channels/send-mail.ts';
import type { Destination } from './channels/deliver.ts';
import type { Receiver } from './model/receiver.ts';

/** A receiver with all that sending to it takes. */
export interface ReceiverSetup extends Receiver, Destination {
  /** With it, held runs are decided on without signing in. */
  readonly code: (() => string) | undefined;
}

/** What the configuration says of alerts. */
export interface AlertSettings {
  readonly receivers: readonly ReceiverSetup[];
  readonly mail: MailServer | undefined;
  /** The zone of the receivers' hours. */
  readonly zone: string;
  readonly zoneOf: (site: string) => string;
  /** The name of the calendar. */
  readonly title: string;
  /** The address of this program, without a slash at its end. */
  readonly base: string;
}
