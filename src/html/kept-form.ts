import { markupParser } from './markup-parser.ts';
import { escapeHtml } from './references.ts';
import { assumeSafeHtml, type Html } from './template.ts';

/** A field of a submitted form. */
export type SentField = readonly [name: string, value: string];

/** The content of a form that could not be accepted, to be shown again. */
export interface KeptForm {
  readonly fields: readonly SentField[];
  /** Files cannot be kept, because a page cannot put one into a form. */
  readonly hadFile: boolean;
}

// These fields identify the sender and the button, and were not filled in by a person.
const NOT_WRITTEN = ['token', 'once', 'do', 'kept'];

/** The form to keep; undefined if nothing was filled in. */
export function keptOf({ fields, hadFile }: KeptForm): KeptForm | undefined {
  const written = fields
    .filter(([name]) => !NOT_WRITTEN.includes(name))
    .map(([name, value]): SentField => [name, value.replace(/\r\n?/g, '\n')]);
  return hadFile || written.some(([, value]) => value !== '') ? { fields: written, hadFile } : undefined;
}

/** The maximum size in bytes: the longest text of an event with all other fields. */
export const KEPT_BYTES_MAX = 250_000;

/**
 * Encodes a kept form as the value of a field, to be passed along while the user signs in; undefined if it is too
 * large.
 */
export function keptText(kept: KeptForm | undefined): string | undefined {
  const text = kept ? JSON.stringify(kept) : '';
  return new TextEncoder().encode(text).byteLength > KEPT_BYTES_MAX ? undefined : text;
}

/** Decodes such a field; undefined if it is empty or was not made by us. */
export function keptIn(text: string): KeptForm | undefined {
  try {
    const { fields, hadFile } = JSON.parse(text) as Partial<KeptForm>;
    const isRead = Array.isArray(fields) && fields.every((field) => isField(field));
    return isRead ? { fields, hadFile: hadFile === true } : undefined;
  } catch {
    return undefined;
  }
}

const isField = (field: unknown): boolean =>
  Array.isArray(field) && field.length === 2 && field.every((part) => typeof part === 'string');

/**
 * Fills a page's form with the fields that were sent from it; `left` are those without a place, which is all of them if
 * the page no longer has that form. Hidden fields say what a form is about, so they have to match. `version`, which the
 * form was made from, is passed along, so that later changes by others are still noticed.
 */
export function refilled(
  page: Html,
  sent: readonly SentField[],
): { readonly page: Html; readonly left: readonly SentField[] } {
  const { markup } = page;
  const fills = formsIn(markup).flatMap((form) => fillOf(form, sent) ?? []);
  const best = fills.reduce<Fill | undefined>(
    (most, fill) => (most && most.taken >= fill.taken ? most : fill),
    undefined,
  );
  if (!best) return { page, left: sent };
  let [filled, at] = ['', 0];
  for (const { start, end, text } of best.changes.toSorted((one, other) => one.start - other.start)) {
    filled += markup.slice(at, start) + text;
    at = end;
  }
  return { page: assumeSafeHtml(filled + markup.slice(at)), left: best.left };
}

/** A range in a page; `end` is exclusive. */
interface Span {
  readonly start: number;
  end: number;
}

interface Tag extends Span {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A field of a form, with the content of a text or the options of a choice. */
interface Control extends Tag {
  readonly content: Span;
  readonly options: readonly Tag[];
}

interface FormFound {
  readonly controls: Control[];
  /** The folds that have to be opened to see it. */
  readonly folds: readonly Tag[];
}

/** The forms of one of our pages. Takes linear time. */
function formsIn(markup: string): readonly FormFound[] {
  const forms: FormFound[] = [];
  const folds: Tag[] = [];
  let form: FormFound | undefined;
  let open: (Control & { options: Tag[] }) | undefined;
  const { Parser } = markupParser();
  const parser = new Parser({
    onopentag: (name, attributes) => {
      // After an end tag broken before its ">", the parser starts a tag with that character.
      const start = markup.indexOf('<', parser.startIndex);
      const tag = { name, attributes, start, end: parser.endIndex + 1 };
      if (name === 'details') folds.push(tag);
      if (name === 'form' && attributes['method'] === 'post') forms.push((form = { controls: [], folds: [...folds] }));
      if (name === 'option') open?.options.push(tag);
      if (!['input', 'select', 'textarea'].includes(name)) return;
      open = { ...tag, content: { start: tag.end, end: tag.end }, options: [] };
      form?.controls.push(open);
    },
    onclosetag: (name) => {
      if (name === 'details') folds.pop();
      if (name === 'form') form = undefined;
      if (open?.name !== name) return;
      open.content.end = parser.startIndex;
      open = undefined;
    },
  });
  parser.end(markup);
  return forms;
}

interface Change extends Span {
  readonly text: string;
}

interface Fill {
  readonly changes: readonly Change[];
  /** How many fields have found a place. */
  readonly taken: number;
  readonly left: readonly SentField[];
}

/** Takes the next submitted field of a name that passes the test. */
type Take = (isRight?: (value: string) => boolean) => string | undefined;

/** How to fill in a form; undefined if it is about something else, or has none of the fields. */
function fillOf({ controls, folds }: FormFound, sent: readonly SentField[]): Fill | undefined {
  const fields = sent.map(([name, value]) => ({ name, value, isTaken: false }));
  const takerOf =
    (of: string): Take =>
    (isRight = () => true) => {
      const found = fields.find(({ name, value, isTaken }) => !isTaken && name === of && isRight(value));
      if (found) found.isTaken = true;
      return found?.value;
    };
  const changes = folds.map((fold) => changed(fold, { ...fold.attributes, open: '' }));
  for (const control of controls) {
    const { name = '', value = '' } = control.attributes;
    if (!saysWhatAbout(control)) changes.push(...changesOf(control, takerOf(name)));
    else if (takerOf(name)((text) => text === value) === undefined && fields.some((field) => field.name === name))
      return undefined;
  }
  const [taken, left] = [fields.filter(({ isTaken }) => isTaken), fields.filter(({ isTaken }) => !isTaken)];
  const written = controls.filter((control) => !isHidden(control)).map(({ attributes }) => attributes['name']);
  return taken.some(({ name }) => written.includes(name))
    ? { changes, taken: taken.length, left: left.map(({ name, value }) => [name, value]) }
    : undefined;
}

const isHidden = ({ attributes }: Tag): boolean => attributes['type'] === 'hidden';

/** An empty hidden field is filled in by a script. */
const saysWhatAbout = (control: Control): boolean =>
  isHidden(control) && control.attributes['name'] !== 'version' && (control.attributes['value'] ?? '') !== '';

function changesOf(control: Control, take: Take): readonly Change[] {
  const { name, attributes, content, options } = control;
  if (attributes['type'] === 'checkbox' || attributes['type'] === 'radio') {
    const { checked: _, ...others } = attributes;
    const isOn = take((value) => value === attributes['value']) !== undefined;
    return [changed(control, isOn ? { ...others, checked: '' } : others)];
  }
  const value = take(name === 'select' ? (sent) => options.some((option) => valueOf(option) === sent) : undefined);
  if (value === undefined) return [];
  // A line break at the beginning of a textarea is not part of its text.
  if (name === 'textarea') return [{ ...content, text: `\n${escapeHtml(value)}` }];
  if (name === 'input') return [changed(control, { ...attributes, value })];
  return options.map((option) => {
    const { selected: _, ...others } = option.attributes;
    return changed(option, valueOf(option) === value ? { ...others, selected: '' } : others);
  });
}

const valueOf = ({ attributes }: Tag): string => attributes['value'] ?? '';

const changed = ({ name, start, end }: Tag, attributes: Readonly<Record<string, string>>): Change => ({
  start,
  end,
  text: `<${name}${Object.entries(attributes)
    .map(([attribute, value]) => ` ${attribute}="${escapeHtml(value)}"`)
    .join('')}>`,
});
