/** A page that was read from another site. */
export interface FetchedPage {
  readonly kind: 'page';
  /** Where it was in the end. */ readonly url: string;
  readonly contentType: string;
  readonly text: string;
}
export interface PageNotFetched {
  readonly kind: 'failed';
  /** A sentence for a person. */ readonly message: string;
}

/**
 * Reads a web page of anybody's: limited in bytes and time, and only from the public internet. `accept` is the header.
 * Never throws for what comes from outside.
 */
export type FetchPage = (url: string, accept: string) => Promise<FetchedPage | PageNotFetched>;
