import { escapeHtml } from './references.ts';

/** HTML whose texts are escaped. Only this file makes it, so that no text from outside can pass for it. */
class SafeHtml {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  /** As it is sent. */
  get markup(): string {
    return this.#markup;
  }
}
export type Html = SafeHtml;

/**
 * What may stand in a template: texts and numbers are escaped, HTML stays, lists are joined, and of what is not there
 * nothing comes.
 */
export type HtmlPart = Html | string | number | false | null | undefined | readonly HtmlPart[];

/** A template of HTML or XML. Attributes in it have quotation marks: without them a blank would end one. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let markup = texts[0] ?? '';
  for (const [index, part] of parts.entries()) markup += markupOf(part) + (texts[index + 1] ?? '');
  return new SafeHtml(markup);
}

function markupOf(part: HtmlPart): string {
  if (part instanceof SafeHtml) return part.markup;
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return part ? part.map(markupOf).join('') : '';
}

/** Parts with something between them; those that are not there are left out with it. */
export const joinHtml = (parts: readonly HtmlPart[], between: Html | string): Html =>
  new SafeHtml(parts.map(markupOf).filter(Boolean).join(markupOf(between)));

/** Takes markup for safe without a look at it: for what is constant in the program, or comes from the sanitizer. */
export const assumeSafeHtml = (markup: string): Html => new SafeHtml(markup);

/** A value as JSON in a script element, which "<" alone could end. */
export const scriptJson = (value: unknown): Html =>
  new SafeHtml(JSON.stringify(value).replace(/</g, String.raw`\u003c`));
