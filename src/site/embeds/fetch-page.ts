/** A page read from another site. */
export interface FetchedPage {
  readonly kind: 'page';
  /** After redirects. */ readonly url: string;
  readonly contentType: string;
  readonly text: string;
}
export interface PageNotFetched {
  readonly kind: 'failed';
  /** For people. */ readonly message: string;
}

/**
 * Reads any web page: limited in bytes and time, and only from the public internet. `accept` is the header. Never
 * throws because of anything from outside.
 */
export type FetchPage = (url: string, accept: string) => Promise<FetchedPage | PageNotFetched>;
