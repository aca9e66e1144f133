import { escapeHtml } from './references.ts';
import { html, assumeSafeHtml, type Html, type HtmlPart } from './template.ts';

/** The elements that contain an address, and the attribute that holds it. */
const ADDRESSES = { a: 'href', iframe: 'src', img: 'src', link: 'href', meta: 'content' } as const;
type Addresses = typeof ADDRESSES;

/** Attributes in order; `true` for one without a value, undefined to leave it out. */
type Attributes = Readonly<Record<string, string | number | true | undefined>>;
type Addressed<Name extends keyof Addresses> = Attributes & Readonly<Record<Addresses[Name], string>>;

const SCHEMES = /^(?:https?|mailto|tel|webcal):/i;
// Browsers drop these from addresses, so that "/" and "/" could become adjacent.
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\0-\u001f]/;
// Two slashes are followed by a host name, and browsers read "\" as "/".
const OWN_PATH = /^\/(?![/\\])/;

const isSafe = (address: string): boolean =>
  !CONTROLS.test(address) && (SCHEMES.test(address) || OWN_PATH.test(address));

/**
 * A link to a web page, email address, telephone number, calendar or path of our own; for any other address, its
 * content without a link.
 */
export const safeLink = (attributes: Addressed<'a'>, shown: HtmlPart): Html =>
  isSafe(attributes.href) ? html`${startTag('a', attributes)}${shown}</a>` : html`${shown}`;

/**
 * A picture, a link of the head or another element without content; undefined for an address that `safeLink` refuses.
 */
export const safeElement = <Name extends 'img' | 'link' | 'meta'>(
  name: Name,
  attributes: Addressed<Name>,
): Html | undefined => (isSafe(attributes[ADDRESSES[name]]) ? startTag(name, attributes) : undefined);

/** A frame for another page; undefined for an address that `safeLink` refuses. */
export const safeFrame = (attributes: Addressed<'iframe'>): Html | undefined =>
  isSafe(attributes.src) ? html`${startTag('iframe', attributes)}</iframe>` : undefined;

function startTag(name: keyof Addresses, attributes: Attributes): Html {
  let tag = `<${name}`;
  for (const [attribute, value] of Object.entries(attributes))
    if (value !== undefined) tag += value === true ? ` ${attribute}` : ` ${attribute}="${escapeHtml(String(value))}"`;
  return assumeSafeHtml(`${tag}>`);
}

/** The query of a link to another site: spaces become %20, because not everyone reads "+" as a space. */
export const linkQuery = (parameters: Readonly<Record<string, string>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${formEncoded(name)}=${formEncoded(value)}`)
    .join('&');

/** Encodes as in a form (WHATWG URL, application/x-www-form-urlencoded), except for spaces, in a third of the time. */
const formEncoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
