const FORM = /^data:text\/html((?:;[\w-]+=[^;,]*)*)(;base64)?,([\s\S]*)$/i;

/**
 * The HTML in `data:text/html;charset=utf-8,%3Cb%3E…` (RFC 2397), as Google and Thunderbird write descriptions;
 * undefined for anything else, or if it cannot be read.
 */
export function htmlFromDataUri(address: string): string | undefined {
  const [, parameters = '', base64, data] = FORM.exec(address.trim()) ?? [];
  if (data === undefined) return undefined;
  try {
    const octets =
      base64 === undefined ? withoutPercents(utf8Octets(data)) : atob(withoutPercents(data).replace(/\s/g, ''));
    const bytes = Uint8Array.from(octets, (octet) => octet.charCodeAt(0));
    return new TextDecoder(/charset="?([\w-]+)/i.exec(parameters)?.[1] ?? 'utf-8').decode(bytes);
  } catch {
    // The base64 is invalid, or the charset unknown.
    return undefined;
  }
}

/** Decodes percent-encoded octets; a `%` without two hex digits after it is kept. */
const withoutPercents = (data: string): string =>
  data.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The UTF-8 octets of unencoded text, as one character each. */
const utf8Octets = (data: string): string =>
  Array.from(new TextEncoder().encode(data), (octet) => String.fromCharCode(octet)).join('');
