import type { AlertChannel, AlertKind } from '../../config/alerts/alert-kinds.ts';

/** A receiver of alerts, with everything that determines what is sent and when. */
export interface Receiver {
  readonly name: string;
  readonly channel: AlertChannel;
  readonly hears: readonly AlertKind[];
  /** Empty for all sources. */
  readonly sources: readonly string[];
  readonly afterMs: number;
  /** In minutes since midnight; extends past midnight if `to` is not after `from`. */
  readonly quiet: { readonly from: number; readonly to: number } | undefined;
  /** In minutes since midnight. */
  readonly digestAt: number;
}
