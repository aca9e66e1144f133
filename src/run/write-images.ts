import type { SiteClient, Write, WriteAnswer } from '../client/site-client.ts';
import { textFromHtml } from '../html.ts';

/** What a site answered; `imageRefused`: only to the write without its image, which it would not take, and why ('' where it does not say); `already`: fields that showed what was sent just before it was. */
export type Answered = WriteAnswer & { readonly imageRefused?: string; readonly already?: readonly string[] };

/**
 * Carries out writes. Those that a site refuses for nothing but their image (it is gone, or none) are repeated without it: a
 * picture must not cost the event.
 */
export async function writeKeepingEvents(client: SiteClient, writes: readonly Write[]): Promise<readonly Answered[]> {
  if (writes.length === 0) return [];
  const answers = await client.write(writes);
  const again = writes.flatMap((write, index) => (isRefusedForImage(write, answers[index]!) ? [index] : []));
  if (again.length === 0) return answers;
  const second = await client.write(again.map((index) => withoutImage(writes[index]!)));
  return answers.map((answer, index) => (again.includes(index) ? { ...second[again.indexOf(index)]!, imageRefused: reasonIn(answer) } : answer));
}

function isRefusedForImage({ body }: Write, answer: WriteAnswer): boolean {
  if (answer.kind !== 'answered' || answer.status !== 400 || !body?.['image']) return false;
  const { code, data } = (answer.body ?? {}) as { code?: unknown; data?: { params?: object } | null };
  return code === 'rest_invalid_param' && Object.keys(data?.params ?? {}).join() === 'image';
}

/** The sentence that a site gives for an argument that it refuses. */
function reasonIn(answer: WriteAnswer): string {
  const { data } = ((answer.kind === 'answered' ? answer.body : null) ?? {}) as { data?: { details?: { image?: { message?: unknown } } } };
  const message = data?.details?.image?.message;
  return typeof message === 'string' ? textFromHtml(message).replace(/\s+/g, ' ').trim().slice(0, REASON_MAX) : '';
}

const REASON_MAX = 500;

const withoutImage = ({ body: { image: _image, ...body } = {}, ...write }: Write): Write => ({ ...write, body });
