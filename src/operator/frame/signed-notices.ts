import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../redact.ts';
import type { Asked } from './operator.ts';

// After a redirect, a page shows a sentence about the form that led to it, taken from its address. The sentence is
// authenticated with this browser's token, so addresses made by others show nothing.

const TEXT = 'refused';
const SEAL = 'seal';

const sealOf = ({ caller }: Pick<Asked, 'caller'>, text: string): string =>
  createHmac('sha256', caller.token).update(`${TEXT} ${text}`).digest('base64url');

/** A path with a sentence to be shown there. */
export function withNotice(asked: Pick<Asked, 'caller'>, path: string, text: string): string {
  const query = new URLSearchParams({ [TEXT]: text, [SEAL]: sealOf(asked, text) });
  return `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`;
}

/** The sentences of an address that we made for this very browser. */
export function noticesOf(asked: Pick<Asked, 'caller' | 'url'>): readonly string[] {
  const { searchParams } = asked.url;
  const seals = searchParams.getAll(SEAL);
  return searchParams
    .getAll(TEXT)
    .filter((text, index) => text !== '' && isSameSecret(seals[index] ?? '', sealOf(asked, text)));
}

/** The first of these sentences. */
export const noticeOf = (asked: Pick<Asked, 'caller' | 'url'>): string | undefined => noticesOf(asked)[0];
