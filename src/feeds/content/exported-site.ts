import type { SiteClient } from '../../client/site-client.ts';
import type { ExportState } from './export-state.ts';
import type { ExportedContents } from './exported-contents.ts';
import type { OurKeys } from './our-keys.ts';

/** A site whose events go out: where they are read, and what is known of them. */
export interface ExportedSite {
  readonly client: SiteClient;
  /** A client that asks in a language, where the site keeps languages apart. */
  readonly clientIn?: (language: string) => SiteClient;
  readonly ourKeys: OurKeys;
  readonly state: ExportState;
  /** Where it is known what was exported: without it, events that are taken off the site are simply no longer there. */
  readonly contents?: ExportedContents;
  /**
   * What stands behind the @ in the UIDs of events that are not ours: the site's host or name, and never another one
   * afterwards.
   */
  readonly host: string;
  /** Where calsyncd is reached, without a slash at its end. */
  readonly publicUrl: string;
  /** Where people look at the site. */
  readonly home: string;
  /** The language of words that are put in, where the feed has none. */
  readonly language?: string;
}
