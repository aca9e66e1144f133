import { HTML_MAX, LINE_MAX, TERM_NAME_MAX } from '../../contract/limits.ts';
import { lengthInHtml } from '../../html/references.ts';
import { safeHtml } from '../../html/sanitize.ts';
import type { EventFields } from '../model/draft.ts';
import { LINE_FIELDS, MARKUP_FIELDS } from '../model/fields.ts';
import { unique } from './rules.ts';
import { startOf } from '../../html/shortened.ts';

/**
 * The longest title or name that is published, in characters. As HTML with a prefix for its state, it may take five
 * times as many.
 */
export const TITLE_MAX = LINE_MAX / 5;

/** A field that was cut, and the number of characters kept. */
export interface CutText {
  readonly name: string;
  readonly max: number;
}

// Room for the end tags of all elements that may be open where HTML is cut.
const END_TAGS_MAX = 5_000;

/** Cuts fields to what a site accepts, and lists those that were cut. */
export function withinLimits<F extends Partial<EventFields>>(
  fields: F,
): { readonly fields: F; readonly cut: readonly CutText[] } {
  const cut: CutText[] = [];
  const line = (name: string, text: string, max: number): string => {
    if (text.length <= max) return text;
    cut.push({ name, max });
    return startOf(text, max);
  };
  const isShort = (one: object): boolean =>
    Object.values(one).every((value: unknown) => typeof value !== 'string' || value.length <= TITLE_MAX);
  const linked = <T extends object>(name: string, one: T): T => {
    if (isShort(one)) return one;
    return Object.fromEntries(
      Object.entries(one).map(([key, value]: [string, unknown]) => [
        key,
        typeof value === 'string' ? line(name, value, key === name ? TITLE_MAX : LINE_MAX) : value,
      ]),
    ) as T;
  };
  const terms = (name: string, names: readonly string[]): readonly string[] => {
    if (names.every(isTermName)) return names;
    cut.push({ name, max: TERM_NAME_MAX });
    return unique(names.map(termNameIn));
  };
  const { venue, organizer, categories, tags } = fields;
  const html = MARKUP_FIELDS.flatMap((name) => {
    const text = fields[name];
    if (text === undefined || text.length <= HTML_MAX) return [];
    cut.push({ name, max: HTML_MAX });
    return [[name, safeHtml(startOf(text, HTML_MAX - END_TAGS_MAX))]];
  });
  const lines = LINE_FIELDS.flatMap((name) => {
    const text = fields[name];
    return text === undefined ? [] : [[name, line(name, text, name === 'title' ? TITLE_MAX : LINE_MAX)]];
  });
  const short = {
    ...Object.fromEntries(lines),
    ...(categories && { categories: terms('category', categories) }),
    ...(tags && { tags: terms('tag', tags) }),
    ...(venue && { venue: venue.map((one) => linked('venue', one)) }),
    ...(organizer && { organizer: organizer.map((one) => linked('organizer', one)) }),
  };
  return { fields: cut.length === 0 ? fields : { ...fields, ...short, ...Object.fromEntries(html) }, cut };
}

const isTermName = (name: string): boolean =>
  name.length <= TERM_NAME_MAX / ESCAPED_MAX || lengthInHtml(name) <= TERM_NAME_MAX;

/** The longest form of one character in HTML: `&quot;`. */
const ESCAPED_MAX = 6;

/** Cuts a name to what fits as HTML. */
function termNameIn(name: string): string {
  let [end, length] = [0, 0];
  for (const sign of name) {
    length += lengthInHtml(sign);
    if (length > TERM_NAME_MAX) break;
    end += sign.length;
  }
  return name.slice(0, end).trimEnd();
}

/** The message about a text that was cut. */
export const cutInWords = ({ name, max }: CutText): string =>
  `${name} is very long; at most ${max} characters of it are published.`;
