import { html, type Html } from '../../html/template.ts';
import { withoutControls } from '../../html/xml.ts';

/** Formats oEmbed data or an error as XML: one element per key, in the same order. */
export const xmlFromEmbed = (body: unknown): string =>
  html`<?xml version="1.0"?>\n<oembed>${elements(body)}</oembed>`.markup;

function elements(value: unknown): Html {
  if (typeof value !== 'object' || value === null) return html`${withoutControls(String(value ?? ''))}`;
  return html`${Object.entries(value).map(([key, inner]) => html`<${named(key)}>${elements(inner)}</${named(key)}>`)}`;
}

// List items, and keys that are not valid XML names, get the root element's name.
const named = (key: string): string => (/^[A-Za-z_][\w.-]*$/.test(key) ? key : 'oembed');
