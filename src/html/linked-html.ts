import { safeLink } from './link.ts';
import { remembered } from '../remembered.ts';
import { decodeEntities } from './references.ts';
import { safeHtml } from './sanitize.ts';
import { assumeSafeHtml, html, joinHtml, type Html } from './template.ts';

// A web or mail address in text. Matches begin only at the start of a word and are bounded, so that the time depends
// only on the text's length.
const ADDRESS =
  /(?<![\w./@-])(?:https?:\/\/|www\.)[^\s<>"'\u00a0]{2,2000}|(?<![\w.+@-])[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,6}/gi;
// Characters that end a sentence or quotation, and not the address. No part of a run is scanned twice.
const END = /(?<![.,;:!?…*_’”»])[.,;:!?…*_’”»]+$/;

/**
 * Makes HTML from outside safe and turns addresses written as text into links. The latest results are cached, because a
 * page is rebuilt after every write.
 */
export const linkedHtml = (source: string): Html => assumeSafeHtml(linkedOnce(source));
const linkedOnce = remembered((source) => linked(source).markup);

function linked(source: string): Html {
  let linkDepth = 0;
  const parts = safeHtml(source)
    .split(/(<[^<>]*>)/)
    .map((part) => {
      if (!part.startsWith('<')) return linkDepth > 0 ? assumeSafeHtml(part) : linkedText(part);
      if (/^<a\b/i.test(part)) linkDepth += 1;
      if (/^<\/a\b/i.test(part)) linkDepth -= 1;
      // The sanitizer's tags stay as they are.
      return assumeSafeHtml(part);
    });
  return joinHtml(parts, '');
}

/** For a text without tags, whose special characters are references. */
function linkedText(written: string): Html {
  const text = decodeEntities(written);
  if (!/www\.|:\/\/|@/i.test(text)) return assumeSafeHtml(written);
  const parts: Html[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutEnd(found);
    parts.push(html`${text.slice(at, index)}`, linkTo(address));
    at = index + address.length;
  }
  return html`${parts}${text.slice(at)}`;
}

const withoutEnd = (found: string): string => withinBrackets(found.replace(END, '')).replace(END, '');

/** Cuts an address before a closing bracket that was not opened in it. */
function withinBrackets(address: string): string {
  const seen = new Map<string, number>();
  for (let at = 0; at < address.length; at += 1) {
    const sign = address.charAt(at);
    const opening = OPENING.get(sign);
    const open = seen.get(opening ?? sign) ?? 0;
    if (opening !== undefined && open === 0) return address.slice(0, at);
    seen.set(opening ?? sign, opening === undefined ? open + 1 : open - 1);
  }
  return address;
}
const OPENING = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

function linkTo(address: string): Html {
  if (/^https?:\/\//i.test(address)) return safeLink({ href: address, rel: 'noopener nofollow ugc' }, address);
  if (/^www\./i.test(address)) return safeLink({ href: `https://${address}`, rel: 'noopener nofollow ugc' }, address);
  return safeLink({ href: `mailto:${address}` }, address);
}
