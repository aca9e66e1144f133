import { html, assumeSafeHtml, type Html, type HtmlPart } from './template.ts';

/** The attributes of a link, in order; `true` for one without a value, undefined to leave it out. */
type LinkAttributes = Readonly<Record<string, string | true | undefined>> & { readonly href: string };

const SCHEMES = /^(?:https?|mailto|tel|webcal):/i;
// Browsers drop these from addresses, so that "/" and "/" could come together.
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\0-\u001f]/;
// Two slashes are followed by a host name, and browsers read "\" as "/".
const OWN_PATH = /^\/(?![/\\])/;

/**
 * A link to a page, an email address, a telephone, a calendar or a path of our own; for any other address its content
 * without a link.
 */
export function safeLink(attributes: LinkAttributes, shown: HtmlPart): Html {
  const { href } = attributes;
  if (CONTROLS.test(href) || !(SCHEMES.test(href) || OWN_PATH.test(href))) return html`${shown}`;
  return html`<a${Object.entries(attributes).map(attribute)}>${shown}</a>`;
}

function attribute([name, value]: readonly [string, string | true | undefined]): HtmlPart {
  if (value === undefined) return undefined;
  const known = assumeSafeHtml(name);
  return value === true ? html` ${known}` : html` ${known}="${value}"`;
}

/** The query of a link to another site: spaces become %20, because not everyone reads "+" as a space. */
export const linkQuery = (parameters: Readonly<Record<string, string>>): string =>
  new URLSearchParams(parameters).toString().replaceAll('+', '%20');
