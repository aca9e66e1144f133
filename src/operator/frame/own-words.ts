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

/** The sentence of an address, if it is ours and was meant for this very browser. */
export function ownWords(asked: Pick<Asked, 'caller' | 'url'>): string | undefined {
  const { searchParams } = asked.url;
  const text = searchParams.get(TEXT) ?? '';
  return text !== '' && isSameSecret(searchParams.get(SEAL) ?? '', sealOf(asked, text)) ? text : undefined;
}
