import type { GoOn, SiteClient, Write, WriteAnswer } from '../../client/site-client.ts';
import { textFromHtml } from '../../html/text.ts';
import type { Difference } from '../../sync/model/plan.ts';
import { shortened } from '../../html/shortened.ts';

/**
 * A site's answer. `imageRefused` means that the site refused the image, so that the answer is to the write without it,
 * and says why ('' if the site does not). `already` lists fields that showed what was sent even before.
 */
export type ImageWriteAnswer = WriteAnswer & {
  /** It stands in for the answer of the site, which was not asked. */
  readonly isUnsent?: true;
  readonly imageRefused?: string;
  readonly already?: readonly string[];
  /** How the answer differs from what was sent. */
  readonly differs?: Difference;
};

/** A write, and its event's current image if leaving that out would remove it. */
export interface Sending {
  readonly write: Write;
  readonly image?: string | undefined;
}

/**
 * Carries out writes. Those that a site refuses only because of their image (it is gone, or is not an image) are
 * repeated with the image that the event shows, or without any, because a bad image must cost neither the event nor its
 * previous image. If `goOn` ends the writes, there are fewer answers and nothing is repeated.
 */
export async function writeKeepingEvents(
  client: SiteClient,
  writes: readonly Sending[],
  goOn?: GoOn,
): Promise<readonly ImageWriteAnswer[]> {
  if (writes.length === 0) return [];
  const answers = await client.write(
    writes.map(({ write }) => write),
    goOn,
  );
  if (answers.length < writes.length) return answers;
  const again = writes.flatMap((sending, index) =>
    isRefusedForImage(sending.write, answers[index]) ? [{ index, sending }] : [],
  );
  if (again.length === 0) return answers;
  const second = await writeKeepingEvents(
    client,
    again.map(({ sending }) => withFormerImage(sending)),
    goOn,
  );
  const repeated = new Map(again.map(({ index }, at) => [index, second[at]]));
  return answers.map((answer, index) => {
    const own = repeated.get(index);
    return own ? { ...own, imageRefused: reasonIn(answer) } : answer;
  });
}

function isRefusedForImage({ body }: Write, answer: WriteAnswer | undefined): boolean {
  if (answer?.kind !== 'answered' || answer.status !== 400 || !body?.['image']) return false;
  const { code, data } = (answer.body ?? {}) as { code?: unknown; data?: { params?: object } | null };
  return code === 'rest_invalid_param' && Object.keys(data?.params ?? {}).join() === 'image';
}

/** The message that a site gives for a refused argument. */
function reasonIn(answer: WriteAnswer): string {
  const { data } = ((answer.kind === 'answered' ? answer.body : null) ?? {}) as {
    data?: { details?: { image?: { message?: unknown } } };
  };
  const message = data?.details?.image?.message;
  return typeof message === 'string' ? shortened(textFromHtml(message).replace(/\s+/g, ' ').trim(), REASON_MAX) : '';
}

const REASON_MAX = 500;

const withFormerImage = ({ write: { body: { image: refused, ...body } = {}, ...write }, image }: Sending): Sending => ({
  write: { ...write, body: image === undefined || image === refused ? body : { ...body, image } },
  image,
});
