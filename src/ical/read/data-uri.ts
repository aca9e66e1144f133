const FORM = /^data:text\/html((?:;[\w-]+=[^;,]*)*)(;base64)?,([\s\S]*)$/i;

/**
 * `data:text/html;charset=utf-8,%3Cb%3E…` (RFC 2397), as Google and Thunderbird write an HTML description → the HTML;
 * undefined for anything else, and where it cannot be read.
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
    // Invalid base64, or an unknown charset.
    return undefined;
  }
}

/** Percents as the octets they stand for; a `%` that is followed by no two digits stands for itself. */
const withoutPercents = (data: string): string =>
  data.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** What was not encoded is UTF-8: a character for each of its octets. */
const utf8Octets = (data: string): string =>
  Array.from(new TextEncoder().encode(data), (octet) => String.fromCharCode(octet)).join('');
