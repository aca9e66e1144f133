import type { SiteClient, Write, WriteAnswer } from '../client/site-client.ts';

/** What a site answered; `imageRefused`: only to the write without its image, which it would not take. */
export type Answered = WriteAnswer & { readonly imageRefused?: true };

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
  return answers.map((answer, index) => (again.includes(index) ? { ...second[again.indexOf(index)]!, imageRefused: true } : answer));
}

function isRefusedForImage({ body }: Write, answer: WriteAnswer): boolean {
  if (answer.kind !== 'answered' || answer.status !== 400 || !body?.['image']) return false;
  const { code, data } = (answer.body ?? {}) as { code?: unknown; data?: { params?: object } | null };
  return code === 'rest_invalid_param' && Object.keys(data?.params ?? {}).join() === 'image';
}

const withoutImage = ({ body: { image: _image, ...body } = {}, ...write }: Write): Write => ({ ...write, body });
