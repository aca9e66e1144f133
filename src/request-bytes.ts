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
