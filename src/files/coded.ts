import { digestOf, namesTag } from '../etag.ts';
import { codingFor, encoded, inEachCoding, tagIn, tagsOf } from './content-coding.ts';

/**
 * Content that is sent often. Text is compressed once for all who accept that, as soon as it is known to be worth it.
 */
export interface Coded {
  readonly octets: number;
  /**
   * Answers GET and HEAD with the content, or with 304 if the client has it in any coding. Does not compress it if it
   * `isRare`.
   */
  readonly answer: (request: Request, isRare?: boolean) => Promise<Response>;
}

/** A page with its codings takes this many times its own octets: a fifth for each coding, and some overhead. */
export const CODED_FACTOR = 1.5;

/** Images are already compressed, except for those that are text. */
const PACKED = /^image\/(?!svg)/;

type Headers = Readonly<Record<string, string>>;

interface Sent {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Headers;
  /** The headers of a 304 (RFC 9110, 15.4.5). */
  readonly unchanged: Headers;
}

/** Takes the content, and the headers to always send with it, including `content-type`. */
export function codedOf(plain: Uint8Array<ArrayBuffer>, always: Headers & { readonly 'content-type': string }): Coded {
  const digest = digestOf(plain);
  const tags = tagsOf(digest);
  const isPacked = PACKED.test(always['content-type']);
  const sentIn = inEachCoding(async (coding): Promise<Sent> => {
    const body = coding === 'identity' ? plain : new Uint8Array(await encoded(plain, coding));
    const unchanged = { ...always, etag: tagIn(digest, coding), ...(!isPacked && { vary: 'Accept-Encoding' }) };
    const headers = {
      ...unchanged,
      'content-length': String(body.length),
      ...(coding !== 'identity' && { 'content-encoding': coding }),
    };
    return { body, headers, unchanged };
  });
  return {
    octets: plain.length,
    answer: async ({ method, headers }, isRare = false) => {
      const coding = isPacked || isRare ? 'identity' : codingFor(headers.get('accept-encoding'), plain.length);
      const sent = await sentIn(coding);
      if (namesTag(headers.get('if-none-match'), tags))
        return new Response(null, { status: 304, headers: sent.unchanged });
      return new Response(method === 'HEAD' ? null : sent.body, { headers: sent.headers });
    },
  };
}
