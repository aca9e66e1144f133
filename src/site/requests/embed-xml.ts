import { escapeHtml } from '../../html/references.ts';

/** oEmbed data, or an error, as XML: an element per key, in the same order. */
export const xmlFromEmbed = (body: unknown): string => `<?xml version="1.0"?>\n<oembed>${elements(body)}</oembed>`;

function elements(value: unknown): string {
  if (typeof value !== 'object' || value === null) return escapeHtml(withoutControls(String(value ?? '')));
  return Object.entries(value)
    .map(([key, inner]) => `<${named(key)}>${elements(inner)}</${named(key)}>`)
    .join('');
}

// A list, and keys that cannot be names, become elements of the root's name.
const named = (key: string): string => (/^[A-Za-z_][\w.-]*$/.test(key) ? key : 'oembed');

// XML 1.0 has no way to write them.
// oxlint-disable-next-line no-control-regex
const withoutControls = (text: string): string => text.replace(/[\0-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
