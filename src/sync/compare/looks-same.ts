import { textFromHtml } from '../../html/text.ts';
import type { Json } from '../model/plan.ts';
import { FIELDS, type ValueForm, type FieldName } from '../model/fields.ts';
import { sameJson } from '../model/json.ts';
import { slugOfName } from '../model/slug.ts';

/**
 * Whether the site shows what a draft wants, as a reader would see it. Sites render some texts (typographic quotes,
 * paragraphs) and keep other values unchanged. Both values are in the site's form; `wanted` is undefined if its terms
 * or linked posts do not exist yet.
 */
export function looksSame(field: FieldName, wanted: Json | undefined, onSite: Json | undefined): boolean {
  if (wanted === undefined) return false;
  if (sameJson(wanted, onSite)) return true;
  if (typeof wanted !== 'string' || typeof onSite !== 'string') return false;
  const rendered = RENDERED[FIELDS[field].form];
  return rendered !== undefined && rendered(wanted) === rendered(onSite);
}

/**
 * Whether the site may have made the shown value out of `wanted` without our seeing its answer: sites format costs and
 * copy images.
 */
export function mayHaveBecome(field: FieldName, wanted: Json | undefined, onSite: Json | undefined): boolean {
  if (looksSame(field, wanted, onSite)) return true;
  if (typeof wanted !== 'string' || typeof onSite !== 'string' || wanted === '' || onSite === '') return false;
  return CHANGED[FIELDS[field].form]?.(wanted, onSite) ?? false;
}

/**
 * Whether the site still shows the value that it returned for our last write. After a move, a site serves the same
 * images from its new address.
 */
export const isAsReturned = (field: FieldName, returned: Json, onSite: Json): boolean =>
  sameJson(returned, onSite) ||
  (FIELDS[field].form === 'image' &&
    typeof returned === 'string' &&
    typeof onSite === 'string' &&
    isSameFile(returned, onSite));

/**
 * Whether two addresses name the same file. One path may have an extra prefix, as a site can move into or out of a
 * directory.
 */
function isSameFile(one: string, other: string): boolean {
  const [first, second] = [URL.parse(one), URL.parse(other)];
  if (!first || !second || first.search !== second.search || first.pathname === '/' || second.pathname === '/')
    return false;
  return first.pathname.endsWith(second.pathname) || second.pathname.endsWith(first.pathname);
}

const amounts = (cost: string): string =>
  (
    cost
      .match(/\d+(?:\.\d+)?/g)
      ?.map(Number)
      .join() ?? cost.toLowerCase()
  ).replace(/^free$/, '0');
const fileName = (address: string): string =>
  slugOfName(
    (URL.canParse(address) ? new URL(address).pathname : address)
      .split('/')
      .at(-1)
      ?.replace(/\.[a-z]+$/i, '') ?? '',
  );

const TYPOGRAPHY: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201a\u2032]/g, "'"],
  [/[\u201c\u201d\u201e\u2033]/g, '"'],
  [/[\u2013\u2014]|--+/g, '-'],
  [/\u2026/g, '...'],
  [/\u00d7/g, 'x'],
  [/\s+/g, ' '],
];
const plain = (html: string): string =>
  TYPOGRAPHY.reduce((text, [sign, simple]) => text.replace(sign, simple), textFromHtml(html)).trim();

// Links and pictures count as part of a description.
const blocks = (html: string): string =>
  `${plain(html)}\n${[...html.matchAll(/(?:href|src)="([^"]*)"/g)].map((match) => match[1]).join('\n')}`;

/** How to compare texts that a site renders. */
const RENDERED: Readonly<Partial<Record<ValueForm, (text: string) => string>>> = { text: plain, html: blocks };

/** Forms that a site may change on write; each test says whether `onSite` may be the result. */
const CHANGED: Readonly<Partial<Record<ValueForm, (wanted: string, onSite: string) => boolean>>> = {
  cost: (wanted, onSite) => amounts(wanted) === amounts(onSite),
  image: (wanted, onSite) => fileName(wanted) !== '' && fileName(onSite).startsWith(fileName(wanted)),
};
