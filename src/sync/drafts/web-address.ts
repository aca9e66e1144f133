import { encodedAddress, isWebAddress as isSendable } from '../../contract/post-args.ts';

/** Whether a text is an address on the web, and nothing else. */
export const isWebAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text);

/** An absolute http or https address as sites take it, or undefined. */
export function webAddressFrom(text: string): string | undefined {
  if (!text.includes('://') && !text.includes('.')) return undefined;
  // In what was made for a page, "&" is written as its reference.
  const trimmed = text
    .trim()
    .replace(/^<(.*)>$/, '$1')
    .replaceAll('&amp;', '&');
  const address = /^www\.[^\s/]+\.\w/i.test(trimmed) ? `https://${trimmed}` : trimmed;
  if (!isWebAddress(address)) return undefined;
  const encoded = encodedAddress(address);
  return isSendable(encoded) ? encoded : undefined;
}
