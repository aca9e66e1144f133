import type { SiteClient } from '../../client/site-client.ts';
import type { ExportState } from './export-state.ts';
import type { ExportedContents } from './exported-contents.ts';
import type { OurKeys } from './our-keys.ts';

/** A site whose events are exported: where to read them, and what is known about them. */
export interface ExportedSite {
  readonly client: SiteClient;
  /** A client for one language, if the site separates languages. */
  readonly clientIn?: (language: string) => SiteClient;
  readonly ourKeys: OurKeys;
  readonly state: ExportState;
  /** Where exported contents are stored. Without it, events removed from the site simply disappear. */
  readonly contents?: ExportedContents;
  /**
   * Whether events that the site has lost are cancelled, however many, because a person says that they were deleted on
   * purpose.
   */
  readonly cancelLost?: boolean;
  /** What follows the @ in the UIDs of events that are not ours: the site's host or name, which must never change. */
  readonly host: string;
  /** The public address of calsyncd, without a trailing slash. */
  readonly publicUrl: string;
  /** The site's page for people. */
  readonly home: string;
  /** The language of words that we add if the feed has none. */
  readonly language?: string;
}
