import type { AlertChannel, AlertKind } from '../../config/alerts/alert-kinds.ts';

/** Somebody who is told, as far as it decides what is sent and when. */
export interface Receiver {
  readonly name: string;
  readonly channel: AlertChannel;
  readonly hears: readonly AlertKind[];
  /** Empty: of all sources. */
  readonly sources: readonly string[];
  readonly afterMs: number;
  /** In minutes since midnight; past midnight where `to` is not after `from`. */
  readonly quiet: { readonly from: number; readonly to: number } | undefined;
  /** In minutes since midnight. */
  readonly digestAt: number;
}
