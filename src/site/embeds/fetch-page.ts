/** A page read from another site. */
export interface FetchedPage {
  readonly kind: 'page';
  /** After redirects. */ readonly url: string;
  readonly contentType: string;
  readonly text: string;
}
export interface PageNotFetched {
  readonly kind: 'failed';
  /** Fit for users. */ readonly message: string;
}

/**
 * Reads a web page from the public internet, limited in bytes and time. `accept` is the header. Never throws because of
 * external input.
 */
export type FetchPage = (url: string, accept: string) => Promise<FetchedPage | PageNotFetched>;
