import { escapeHtml } from './references.ts';

/** HTML whose texts are escaped. Only this file can create it, so text from outside cannot be mistaken for it. */
class SafeHtml {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  /** The markup to send. */
  get markup(): string {
    return this.#markup;
  }
}
export type Html = SafeHtml;

/**
 * What a template may contain: texts and numbers are escaped, HTML is kept, lists are joined, absent parts are left
 * out.
 */
export type HtmlPart = Html | string | number | false | null | undefined | readonly HtmlPart[];

/** A template for HTML or XML. Attributes must be quoted, because a space would end them otherwise. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let markup = texts[0] ?? '';
  for (let index = 0; index < parts.length; index += 1) markup += markupOf(parts[index]) + (texts[index + 1] ?? '');
  return new SafeHtml(markup);
}

function markupOf(part: HtmlPart): string {
  if (part instanceof SafeHtml) return part.markup;
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return part ? part.map(markupOf).join('') : '';
}

/** Joins parts with a separator, skipping absent ones. */
export const joinHtml = (parts: readonly HtmlPart[], between: Html | string): Html =>
  new SafeHtml(parts.map(markupOf).filter(Boolean).join(markupOf(between)));

/** Marks markup as safe without checking it, for constants of the program and output of the sanitizer. */
export const assumeSafeHtml = (markup: string): Html => new SafeHtml(markup);

/** A value as JSON for a script element, which only "<" could end. */
export const scriptJson = (value: unknown): Html =>
  new SafeHtml(JSON.stringify(value).replace(/</g, String.raw`\u003c`));
