import { html, type Html, type HtmlPart } from './template.ts';

/** An XML element. Undefined attributes are left out. */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  ...content: readonly HtmlPart[]
): Html {
  const written = Object.entries(attributes).map(
    ([key, value]) => value !== undefined && html` ${key}="${withoutControls(value)}"`,
  );
  const inner = content.map((part) => (typeof part === 'string' ? withoutControls(part) : part));
  return content.length === 0 ? html`<${name}${written}/>` : html`<${name}${written}>${inner}</${name}>`;
}

/** A text without characters that XML 1.0 cannot represent. */
export const withoutControls = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.toWellFormed().replace(/[\0-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
