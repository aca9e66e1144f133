import { encodedAddress, isWebAddress as isSendable } from '../../contract/post-args.ts';

/** Whether a text is a web address and nothing else. */
export const isWebAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text);

/** An absolute http or https address as sites accept it; undefined for anything else. */
export function webAddressFrom(text: string): string | undefined {
  if (!text.includes('://') && !text.includes('.')) return undefined;
  // Text made for a web page has "&" as a character reference.
  const trimmed = text
    .trim()
    .replace(/^<(.*)>$/, '$1')
    .replaceAll('&amp;', '&');
  const address = /^www\.[^\s/]+\.\w/i.test(trimmed) ? `https://${trimmed}` : trimmed;
  if (!isWebAddress(address)) return undefined;
  const encoded = encodedAddress(address);
  return isSendable(encoded) ? encoded : undefined;
}
