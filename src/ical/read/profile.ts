/** One thing that a publisher does otherwise than RFC 5545 or than people expect, and what becomes of it here. */
export interface Quirk {
  readonly does: string;
  readonly here: string;
}

/** What is known of those who make feeds with one program. */
export interface Profile {
  readonly name: string;
  /** PRODIDs (RFC 5545, 3.7.3), and hosts with paths of feeds that have none of their own. */
  readonly product?: RegExp;
  readonly address?: RegExp;
  readonly quirks: readonly Quirk[];
  /** The UID is not the event's own: identity begins at its address. */
  readonly identity?: 'url';
  /** LOCATION is the venue's name, then its address: the first group and the second. */
  readonly location?: RegExp;
}
