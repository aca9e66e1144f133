/** Something a publisher does differently from RFC 5545 or from what people expect, and how it is handled here. */
export interface Quirk {
  readonly does: string;
  readonly here: string;
}

/** What is known about feeds made with one program. */
export interface Profile {
  readonly name: string;
  /** Matches PRODIDs (RFC 5545, 3.7.3), or host and path for feeds without a telling PRODID. */
  readonly product?: RegExp;
  readonly address?: RegExp;
  readonly quirks: readonly Quirk[];
  /** The UID does not identify the event, so identities start with its address. */
  readonly identity?: 'url';
  /** LOCATION contains the venue's name, then its address: the first and second group. */
  readonly location?: RegExp;
}
