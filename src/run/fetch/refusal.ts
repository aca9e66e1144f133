import type { FeedCode } from '../../feed-codes.ts';

/**
 * Code and message for an answer without a feed, by its status. `address` must be fit to be shown; `left` is the origin
 * that the credentials stayed with after a redirect.
 */
export function refusalOf(status: number, address: string, left?: string): [code: FeedCode, message: string] {
  const entry = BY_STATUS[status] ?? CLASSES.find(({ from }) => status >= from) ?? ODD;
  if (left !== undefined && (status === 401 || status === 403)) {
    return [
      entry.code,
      `${address} requires credentials (${status}). Those of the source are for ${left}, which redirects here, ` +
        'and are sent nowhere else. If they are meant for this address, write it into the configuration.',
    ];
  }
  return [entry.code, `${address} ${entry.message.replace('%', String(status))}`];
}

interface Refusal {
  readonly code: FeedCode;
  readonly message: string;
}

const BY_STATUS: Readonly<Record<number, Refusal>> = {
  204: { code: 'feed-empty', message: 'answered with nothing at all (204).' },
  206: { code: 'feed-partial', message: 'answered with a part of the feed only (206).' },
  304: {
    code: 'feed-odd-answer',
    message: 'answered that nothing has changed (304) without having been asked. A cache on the way may be broken.',
  },
  401: {
    code: 'feed-unauthorized',
    message: "requires credentials or refuses those given (401). Check the source's auth in the configuration.",
  },
  403: {
    code: 'feed-forbidden',
    message:
      "may not be read (403). Check that the feed is public, or the source's auth; some publishers refuse programs they do not know.",
  },
  404: {
    code: 'feed-not-found',
    message:
      'does not exist (404). Ask the publisher for the new address; private addresses change when they are reset.',
  },
  407: { code: 'feed-proxy', message: 'is behind a proxy that requires credentials (407).' },
  410: {
    code: 'feed-gone',
    message: 'has been taken down for good (410). Ask the publisher for a new address, or remove the source.',
  },
  429: { code: 'feed-busy', message: 'was asked too often (429). Give the source a longer interval (every).' },
  451: { code: 'feed-forbidden', message: 'is withheld for legal reasons (451).' },
  503: { code: 'feed-busy', message: 'is busy or in maintenance (503).' },
};

const CLASSES: readonly (Refusal & { readonly from: number })[] = [
  {
    from: 500,
    code: 'feed-server-error',
    message: 'has trouble on its side (%). If this continues, tell the publisher.',
  },
  {
    from: 400,
    code: 'feed-refused-request',
    message: 'refuses the request (%). Open the address in a browser to see why.',
  },
  { from: 300, code: 'feed-bad-redirect', message: 'redirects without saying where to (%).' },
];

const ODD: Refusal = { code: 'feed-odd-answer', message: 'answered with status %, and without a feed.' };
