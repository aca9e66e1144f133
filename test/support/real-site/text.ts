import { asciiFromText } from '../../../src/ascii.ts';

// How WordPress renders stored text.

/** Turns quotes, dashes, dots and ampersands into numeric references; tags are left alone. */
export function texturized(text: string): string {
  return text
    .split(/(<[^>]*>)/)
    .map((part) => (/^<[^>]*>$/.test(part) ? part : curled(part)))
    .join('')
    .trim();
}

const curled = (text: string): string =>
  text
    .replace(/&(?!#?\w+;)/g, '&#038;')
    .replace(/\.\.\./g, '&#8230;')
    .replace(/---/g, '&#8212;')
    .replace(/--/g, '&#8212;')
    .replace(/ - /g, ' &#8211; ')
    .replace(/(^|[\s([])"/g, '$1&#8220;')
    .replace(/"/g, '&#8221;')
    .replace(/(^|[\s([])'/g, '$1&#8216;')
    .replace(/'/g, '&#8217;')
    .replace(/(\d)x(\d)/g, '$1&#215;$2');

/** Adds paragraphs and line breaks to text without block elements. */
export function paragraphs(html: string): string {
  const blocks = html
    .replace(/\r\n/g, '\n')
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '');
  return blocks
    .map((block) =>
      BLOCK.test(block) ? texturized(block) : `<p>${texturized(block).replace(/(?:<br\s*\/?>)?\n/g, '<br />\n')}</p>`,
    )
    .join('\n');
}

const BLOCK = /^<(?:p|div|ul|ol|dl|table|blockquote|pre|h[1-6]|figure|hr)\b/i;

/** Storing text removes unescaped backslashes. */
export const stored = (text: string): string => text.replace(/\\(.?)/gs, '$1');

export function slugOf(text: string): string {
  const plain = asciiFromText(text.replace(/<[^>]*>/g, '').replace(/&#?\w+;/g, ''));
  const named = plain
    .replace(/[./–—\s_]+/g, (run) => (run.includes('_') ? run : '-'))
    .replace(/[^\u0080-\uffff%a-z0-9_-]/g, '')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '');
  return encodeURIComponent(named.replace(/%/g, '')).toLowerCase().slice(0, 200);
}

/** The slug itself, or the slug with the first free number. */
export function freeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  if (slug === '' || !isTaken(slug)) return slug;
  for (let number = 2; ; number += 1) {
    const numbered = `${slug.slice(0, 200 - String(number).length - 1)}-${number}`;
    if (!isTaken(numbered)) return numbered;
  }
}

/** Names of terms are only entity-encoded. */
export const encoded = (text: string): string =>
  text
    .replace(/&(?!#?\w+;)/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');

/** The cost and its parts, as the plugin parses them from a string. */
export function costOf(cost: string): {
  cost: string;
  cost_details: { currency_symbol: string; currency_code: string; currency_position: string; values: string[] };
} {
  const [, before = '', amount, after = ''] = /^\s*([^\d\s.,]*)\s*(\d+(?:\.\d+)?)\s*([^\d\s.,]*)\s*$/.exec(cost) ?? [];
  const details = {
    currency_symbol: before || after,
    currency_code: '',
    currency_position: before ? 'prefix' : after ? 'postfix' : '',
    values: amount === undefined ? (cost === '' ? [] : [cost.toLowerCase()]) : [amount],
  };
  if (amount === undefined) return { cost, cost_details: details };
  return {
    cost: Number(amount) === 0 ? 'Free' : after && !before ? `${amount}${after}` : `${before || '$'}${amount}`,
    cost_details: details,
  };
}
