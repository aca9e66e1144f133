import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../redact.ts';
import type { Asked } from './operator.ts';

// A page that an address leads to shows a sentence of the one before it, where the form was. The sentence is sealed with
// what only this browser and this program know: an address made by somebody else shows nothing.

const TEXT = 'refused';
const SEAL = 'seal';

const sealOf = ({ caller }: Pick<Asked, 'caller'>, text: string): string =>
  createHmac('sha256', caller.token).update(`${TEXT} ${text}`).digest('base64url');

/** A path with a sentence for whoever is led there. */
export function withWords(asked: Pick<Asked, 'caller'>, path: string, text: string): string {
  const query = new URLSearchParams({ [TEXT]: text, [SEAL]: sealOf(asked, text) });
  return `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`;
}

/** The sentences of an address that are ours and were meant for this very browser. */
export function allOwnWords(asked: Pick<Asked, 'caller' | 'url'>): readonly string[] {
  const { searchParams } = asked.url;
  const seals = searchParams.getAll(SEAL);
  return searchParams
    .getAll(TEXT)
    .filter((text, index) => text !== '' && isSameSecret(seals[index] ?? '', sealOf(asked, text)));
}

/** The first of them. */
export const ownWords = (asked: Pick<Asked, 'caller' | 'url'>): string | undefined => allOwnWords(asked)[0];
