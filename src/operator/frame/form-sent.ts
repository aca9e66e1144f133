import { requestBytes, storable } from '../../request-bytes.ts';
import type { Sent } from './operator.ts';

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
