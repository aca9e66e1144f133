const FORM = /^data:text\/html((?:;[\w-]+=[^;,]*)*)(;base64)?,([\s\S]*)$/i;

/** `data:text/html;charset=utf-8,%3Cb%3E…` (RFC 2397), as Google and Thunderbird write an HTML description → the HTML; undefined where it is no such address or cannot be read. */
export function htmlFromDataUri(address: string): string | undefined {
  const [, parameters = '', base64, data] = FORM.exec(address.trim()) ?? [];
  if (data === undefined) return undefined;
  try {
    const bytes =
      base64 === undefined
        ? bytesFromPercents(data)
        : Uint8Array.from(atob(unescaped(data)), (character) => character.charCodeAt(0));
    return new TextDecoder(/charset="?([\w-]+)/i.exec(parameters)?.[1] ?? 'utf-8').decode(bytes);
  } catch {
    // No base64, or a charset that nobody knows.
    return undefined;
  }
}

const unescaped = (data: string): string =>
  data.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))).replace(/\s/g, '');

/** Percents as octets; a `%` that is followed by no two digits stands for itself, and what was not encoded is UTF-8. */
function bytesFromPercents(data: string): Uint8Array {
  const octets = new TextEncoder().encode(data);
  const bytes: number[] = [];
  for (let at = 0; at < octets.length; at += 1) {
    const hex =
      octets[at] === 0x25
        ? /^[\da-f]{2}/i.exec(String.fromCharCode(octets[at + 1] ?? 0, octets[at + 2] ?? 0))?.[0]
        : undefined;
    bytes.push(hex === undefined ? octets[at]! : Number.parseInt(hex, 16));
    if (hex !== undefined) at += 2;
  }
  return Uint8Array.from(bytes);
}
