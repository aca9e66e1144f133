/** The most bytes of a body from a caller with the right to write: enough for a batch of long texts. */
export const WRITER_BYTES_MAX = 10_000_000;
/** The same of a form, which is a single request. */
export const FORM_BYTES_MAX = 2_000_000;
/** The same from everybody else: enough for a query, or a form with a login or a password. */
export const STRANGER_BYTES_MAX = 10_000;

/** A text from outside as the database can store it: without characters that nobody types. */
export const storable = (text: string): string => text.replaceAll('\0', '');

/**
 * The body of a request; undefined if there are more than `bytesMax`: before reading if the request declares its
 * length, else at the first byte too many.
 */
export async function requestBytes(request: Request, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > bytesMax) return undefined;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** The fields of a form that was sent. */
export interface Sent {
  /** '' for a field that it does not have. */
  readonly field: (name: string) => string;
  readonly all: (name: string) => readonly string[];
  readonly file: (name: string) => File | undefined;
}

const NONE: Sent = { field: () => '', all: () => [], file: () => undefined };

/** A form that was sent, of at most `bytesMax` bytes; `too large`, or one without fields if it is not a form. */
export async function formSent(request: Request, bytesMax: number): Promise<Sent | 'too large'> {
  const bytes = await requestBytes(request, bytesMax);
  if (!bytes) return 'too large';
  const type = request.headers.get('content-type') ?? '';
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => undefined);
  if (!form) return NONE;
  const texts = (name: string): readonly string[] =>
    form.getAll(name).flatMap((value) => (typeof value === 'string' ? [storable(value)] : []));
  return {
    field: (name) => texts(name)[0] ?? '',
    all: texts,
    file: (name) => form.getAll(name).find((value) => value instanceof File),
  };
}

/** A browser says where a request comes from; one that another site has caused is not carried out. */
export const isForeign = (request: Request): boolean =>
  !['same-origin', 'none', null].includes(request.headers.get('sec-fetch-site'));
