import { KEPT_BYTES_MAX, keptIn, keptOf, keptText, type KeptForm } from './html/kept-form.ts';

/** The most bytes of a body from a caller with the right to write: enough for a batch of long texts. */
export const WRITER_BYTES_MAX = 10_000_000;
/** The same for a form, which is a single request. */
export const FORM_BYTES_MAX = 2_000_000;
/** The same for everybody else: enough for a query, or a form with a login or a password. */
export const STRANGER_BYTES_MAX = 10_000;

/** A text from outside, as the database can store it: without NUL characters, which nobody types. */
export const storable = (text: string): string => text.replaceAll('\0', '');

/**
 * The body of a request, of which only the first `keptMax` bytes are kept. Undefined if it is longer than `bytesMax`,
 * which is known before reading if the request declares its length, else at the first byte too many.
 */
export async function requestBytes(
  request: Request,
  bytesMax: number,
  keptMax = bytesMax,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) return undefined;
  const chunks: Uint8Array[] = [];
  let [size, kept] = [0, 0];
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > bytesMax) return undefined;
    if (kept === keptMax) continue;
    chunks.push(chunk.subarray(0, keptMax - kept));
    kept = Math.min(size, keptMax);
  }
  const bytes = new Uint8Array(kept);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/**
 * The text of a form without files (WHATWG URL, application/x-www-form-urlencoded), with pluses replaced by spaces:
 * URLSearchParams takes two tenths of a second for two million pluses, but a hundredth for as many spaces.
 */
export const formText = (bytes: Uint8Array): string => new TextDecoder().decode(withBlanks(bytes));

const [PLUS, BLANK] = [0x2b, 0x20];

function withBlanks(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const plain = new Uint8Array(bytes);
  for (let at = 0; at < plain.length; at += 1) if (plain[at] === PLUS) plain[at] = BLANK;
  return plain;
}

/** The fields of a submitted form. */
export interface Sent {
  /** '' if there is no such field. */
  readonly field: (name: string) => string;
  readonly all: (name: string) => readonly string[];
  readonly file: (name: string) => File | undefined;
  /** All text fields, in order. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Whether the form contained a file. */
  readonly hadFile: boolean;
}

/** A form without fields. */
export const NOTHING_SENT: Sent = {
  field: () => '',
  all: () => [],
  file: () => undefined,
  fields: [],
  hadFile: false,
};

/**
 * Reads a submitted form of at most `bytesMax` bytes. Gives `too large` for a longer one, and a form without fields if
 * it is not a form.
 */
export async function formSent(request: Request, bytesMax: number): Promise<Sent | 'too large'> {
  const bytes = await requestBytes(request, bytesMax);
  return bytes ? sentIn(bytes, request.headers.get('content-type') ?? '') : 'too large';
}

/** Limits for a form whose sender is not signed in: the texts to keep, a password, and an image next to them. */
const STRANGERS = { textsMax: KEPT_BYTES_MAX + 10_000, bytesMax: 12_000_000, fieldsMax: 1_000 };

/**
 * The text fields of a form whose sender is not signed in; a file after them is read and discarded. Gives `too large`
 * for a longer one, and a form without fields if it is not a form.
 */
async function textsSent(request: Request, { textsMax, bytesMax, fieldsMax } = STRANGERS): Promise<Sent | 'too large'> {
  const bytes = await requestBytes(request, bytesMax, textsMax + 1);
  const type = request.headers.get('content-type') ?? '';
  if (!bytes || isMany(bytes, type, fieldsMax)) return 'too large';
  if (bytes.byteLength <= textsMax) return sentIn(bytes, type);
  const before = beforeCutFile(bytes, type);
  return before ? { ...(await sentIn(before, type)), hadFile: true } : 'too large';
}

/** Whether a form has more fields than `fieldsMax`: reading a field costs more than its bytes do. */
function isMany(bytes: Uint8Array<ArrayBuffer>, type: string, fieldsMax: number): boolean {
  const boundary = boundaryIn(type);
  const fields = Buffer.from(bytes.buffer)
    .toString('latin1')
    .split(boundary === undefined ? '&' : `--${boundary}`);
  return fields.length > fieldsMax + 2;
}

const boundaryIn = (type: string): string | undefined =>
  /^multipart\/form-data\s*;.*?boundary="?([^";]+)/i.exec(type)?.[1];

/** The value of the button for signing in, on whatever page was requested. */
export const SIGN_IN = 'signin';

/** What a person who is not signed in has submitted. */
export type SentAtDoor =
  | { readonly kind: 'too large' }
  /** A form of somebody who was signed in when opening it; `kept` is in the form of `keptText`. */
  | { readonly kind: 'form'; readonly kept: string }
  | {
      readonly kind: typeof SIGN_IN;
      readonly token: string;
      readonly kept: string;
      readonly login: string;
      readonly password: string;
      readonly stays: boolean;
    };

export async function sentAtDoor(request: Request): Promise<SentAtDoor> {
  const sent = await textsSent(request);
  if (sent === 'too large') return { kind: 'too large' };
  const { field } = sent;
  if (field('do') === SIGN_IN)
    return {
      kind: SIGN_IN,
      token: field('token'),
      kept: field('kept'),
      login: field('login'),
      password: field('password'),
      stays: field('stay') === 'yes',
    };
  const kept = keptText(keptOf(sent));
  return kept === undefined ? { kind: 'too large' } : { kind: 'form', kept };
}

/** The fields of a form that was not accepted, or that was kept while its sender signed in. */
export const keptFrom = (sent: Sent): KeptForm | undefined =>
  sent.field('do') === SIGN_IN ? keptIn(sent.field('kept')) : keptOf(sent);

/**
 * The complete parts of a form that is cut off inside a file (RFC 2046, 5.1.1); undefined if it is cut off elsewhere.
 */
function beforeCutFile(bytes: Uint8Array<ArrayBuffer>, type: string): Uint8Array<ArrayBuffer> | undefined {
  const boundary = boundaryIn(type);
  if (boundary === undefined) return undefined;
  const form = Buffer.from(bytes.buffer);
  const cutAt = form.lastIndexOf(`--${boundary}\r\n`);
  const head = cutAt < 0 ? '' : form.toString('latin1', cutAt, cutAt + 1_000).split('\r\n\r\n', 1)[0];
  if (!/;\s*filename=/i.test(head ?? '')) return undefined;
  return new Uint8Array(Buffer.concat([form.subarray(0, cutAt), Buffer.from(`--${boundary}--\r\n`)]));
}

async function sentIn(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Sent> {
  const plain = boundaryIn(type) === undefined ? withBlanks(bytes) : bytes;
  const form = await new Response(plain, { headers: { 'content-type': type } }).formData().catch(() => undefined);
  if (!form) return NOTHING_SENT;
  const entries = [...form];
  const fields = entries.flatMap(([name, value]) =>
    typeof value === 'string' ? [[storable(name), storable(value)] as const] : [],
  );
  const all = (of: string): readonly string[] => fields.filter(([name]) => name === of).map(([, value]) => value);
  return {
    fields,
    all,
    field: (name) => all(name)[0] ?? '',
    file: (name) => form.getAll(name).find((value) => value instanceof File),
    hadFile: entries.some(([, value]) => value instanceof File && value.size > 0),
  };
}

/**
 * Whether a request was caused by another site, in which case it must not be carried out. Browsers say so in
 * `Sec-Fetch-Site`. An older one, or one that reaches us without TLS, sends `Origin`, which must be the address at
 * which it reached us or `publicUrl`.
 */
export function isForeign(request: Request, publicUrl: string): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return !['same-origin', 'none'].includes(site);
  const origin = request.headers.get('origin');
  return origin !== null && ![request.url, publicUrl].some((own) => hostOf(own) === hostOf(origin));
}

/** The host and port of an address; undefined for `null`, which browsers send to hide an origin. */
const hostOf = (address: string): string | undefined => (URL.canParse(address) ? new URL(address).host : undefined);
