import { quotedText } from './write-instead.ts';

/** What is wrong with a line that YAML cannot parse, and what to write instead. Lines and columns count from 1. */
export interface Slip {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The parser's error: its code, its message, and where it was noticed. */
export interface YamlError {
  readonly code: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

interface Found {
  readonly error: YamlError;
  readonly lines: readonly string[];
  /** The line where the error was noticed, and the last non-empty line before it. */
  readonly text: string;
  readonly before: { readonly text: string; readonly line: number };
}

type Finder = (found: Found) => (Omit<Slip, 'line'> & { readonly line?: number }) | undefined;

/** Keys whose values are, or look like, secrets. */
export const SECRET_KEY = /pass|bearer|secret|webhook|token|headers|auth|key/i;

/** The parser's codes for a line that is neither a key nor the value of one. */
const NOT_A_KEY: ReadonlySet<string> = new Set(['MISSING_CHAR', 'MULTILINE_IMPLICIT_KEY']);

const KEY_AND_VALUE = /^(\s*(?:- )?(?:.*[{,] *)?)([\w.-]+): +(.+?)\s*$/;
/** How many spaces a line begins with. */
export const indentOf = (text: string): number => /^ */.exec(text)?.[0].length ?? 0;

/** Common slips, the most reliably recognized first. */
const SLIPS: readonly Finder[] = [
  ({ text }) => falseSpaces([text]).map(({ column, message }) => ({ column, message }))[0],
  ({ text }) =>
    /^ *\t/.test(text)
      ? {
          column: text.indexOf('\t') + 1,
          message:
            'This line is indented with a tab, which YAML does not allow. Indent with spaces instead, two for each level.',
        }
      : undefined,
  ({ error }) =>
    error.code === 'RESOURCE_EXHAUSTION'
      ? {
          column: error.column,
          message: 'Too many brackets are opened here, one inside the other. Close each before the next one.',
        }
      : undefined,
  ({ error, text }) => {
    if (error.code !== 'MULTIPLE_DOCS') return undefined;
    return {
      column: 1,
      message: `The file holds a second document here. Remove the line ${JSON.stringify(text)}: there can be only one.`,
    };
  },
  ({ error, text }) => {
    if (error.code !== 'BAD_DQ_ESCAPE') return undefined;
    const [, inside = ''] = /"([^"]*)"/.exec(text.slice(text.lastIndexOf('"', error.column - 2))) ?? [];
    return {
      column: error.column,
      message: `In double quotes a backslash has a meaning of its own. Write the text in single quotes: '${inside}'.`,
    };
  },
  reservedSign,
  colonInValue,
  ({ error, text }) => {
    const [, start = '', key, rest = ''] = /^(\s*(?:- )?)([A-Za-z_]+):((?!\/\/)\S.*?)\s*$/.exec(text) ?? [];
    if (!NOT_A_KEY.has(error.code) || key === undefined) return undefined;
    return {
      column: start.length + 1,
      message: `There must be a space after the colon. Write ${key}: ${rest} instead.`,
    };
  },
  ({ error, lines }) => unclosedQuote(error, lines),
  ({ error, lines }) => unclosedBracket(error, lines),
  afterQuotes,
  noSpaceAfterDash,
  noColon,
  tooDeep,
  ({ error }) =>
    error.code === 'BLOCK_IN_FLOW'
      ? {
          column: error.column,
          message:
            'Within brackets a comma stands between entries, and text that contains a colon and a space must be in quotes.',
        }
      : undefined,
  ({ error, text, before }) => {
    if (error.code !== 'BAD_INDENT') return undefined;
    return {
      column: indentOf(text) + 1,
      message:
        `This line is indented by ${indentOf(text)}, the line before it by ${indentOf(before.text)}. ` +
        'Keys of one group begin at the same column, those inside it two spaces further: ' +
        'indent it the same way.',
    };
  },
];

/** The slip behind a parser's error; undefined if it is not a common one. */
export function slipOf(error: YamlError, lines: readonly string[]): Slip | undefined {
  let beforeLine = error.line - 1;
  while (beforeLine > 0 && (lines[beforeLine - 1] ?? '').trim() === '') beforeLine -= 1;
  const found: Found = {
    error,
    lines,
    text: lines[error.line - 1] ?? '',
    before: { text: lines[beforeLine - 1] ?? '', line: beforeLine },
  };
  for (const find of SLIPS) {
    const slip = find(found);
    if (slip) return withoutSecrets({ line: error.line, ...slip }, lines);
  }
  return undefined;
}

/** Messages appear in logs, so they must not repeat possible secrets. */
function withoutSecrets(slip: Slip, lines: readonly string[]): Slip {
  const isSecret = SECRET_KEY.test(lines[slip.line - 1] ?? '');
  const advice = slip.message.includes('quote') ? ' Write the value in quotes that are closed at its end.' : '';
  const message = isSecret ? slip.message.replace(/ Write [\s\S]*$/, advice) : slip.message;
  return { ...slip, message: message.replace(/\/\/[^/\s@]*@/g, '//…@') };
}

/** `cron: *\/5 * * * *`, `title: @home`: characters that cannot begin plain text. */
function reservedSign({ error, text }: Found): ReturnType<Finder> {
  const [, start = '', key = '', value = ''] = KEY_AND_VALUE.exec(text) ?? [];
  if (!['UNEXPECTED_TOKEN', 'BAD_SCALAR_START', 'BAD_ALIAS'].includes(error.code) || !/^[*&@`%!>|]/.test(value))
    return undefined;
  return {
    column: start.length + key.length + 3,
    message: `Text cannot begin with "${value[0]}" unless it is in quotes. Write ${key}: ${quotedText(value)} instead.`,
  };
}

/** For `title: Town: calendar`, also in braces. */
function colonInValue({ error, text }: Found): ReturnType<Finder> {
  const [, start = '', key = '', value = ''] = (error.code === 'BLOCK_IN_FLOW' ? IN_BRACES : IN_LINE).exec(text) ?? [];
  if (!/:(?:\s|$)/.test(value)) return undefined;
  return {
    column: start.length + key.length + 3,
    message: `Text that contains a colon and a space must be in quotes. Write ${key}: ${quotedText(value)} instead.`,
  };
}

const IN_LINE = /^(\s*(?:- )?)([\w.-]+): +([^"'{[#\s].*?)\s*$/;
const IN_BRACES = /^(.*?[{,]\s*)([\w.-]+): +([^"'{}[\],#\s][^{}[\],]*?: [^{}[\],]*?)\s*(?:[,}\]]|$)/;

/** An unclosed quote is noticed only at the end of the file or at the next quote. */
function unclosedQuote({ code, message, line }: YamlError, lines: readonly string[]): ReturnType<Finder> {
  if (code !== 'MISSING_CHAR' || !message.includes('quote')) return undefined;
  const quote = message.includes("'") ? "'" : '"';
  const at = lines.slice(0, line).findIndex((text) => text.split(quote).length % 2 === 0);
  if (at < 0) return undefined;
  const text = lines[at] ?? '';
  return {
    line: at + 1,
    column: text.indexOf(quote) + 1,
    message: `The quote that begins here is never closed. Write ${text.trim()}${quote} instead.`,
  };
}

const count = (text: string, sign: string): number => text.split(sign).length - 1;

/** An unclosed bracket is noticed only in a later line. */
function unclosedBracket({ message, line }: YamlError, lines: readonly string[]): ReturnType<Finder> {
  const missing = /must .*end with a ([}\]])|Expected .* to end with ([}\]])/.exec(message);
  const close = missing?.[1] ?? missing?.[2];
  if (close === undefined) return undefined;
  const open = close === '}' ? '{' : '[';
  const at = lines.slice(0, line).findLastIndex((text) => count(text, open) > count(text.replace(/\s#.*$/, ''), close));
  if (at < 0) return undefined;
  const text = lines[at] ?? '';
  const [, value = ''] = /:\s(#[^\s,}\]]+)/.exec(text) ?? [];
  if (value !== '')
    return {
      line: at + 1,
      column: text.indexOf(value) + 1,
      message: `Everything after "#" is a comment. Write the value in quotes: ${quotedText(value)}.`,
    };
  return {
    line: at + 1,
    column: text.indexOf(open) + 1,
    message: `The bracket "${open}" that is opened in this line is never closed. Write "${close}" where it ends.`,
  };
}

/** For `title: "Town" calendar` or `'Town's calendar'`. */
function afterQuotes({ error, text }: Found): ReturnType<Finder> {
  const [, start = '', key = '', value = ''] = /^(\s*(?:- )?)([\w.-]+): +(["'].*?)\s*$/.exec(text) ?? [];
  if (error.code !== 'UNEXPECTED_TOKEN' || value === '') return undefined;
  const inside = value.startsWith(value.at(-1) ?? '') ? value.slice(1, -1) : value;
  return {
    column: start.length + key.length + 3,
    message: `The text continues after its closing quote. Write one pair of quotes around all of it: ${key}: ${quotedText(inside)}.`,
  };
}

/** For `-field: title`. */
function noSpaceAfterDash({ error, text }: Found): ReturnType<Finder> {
  const [, start = '', entry] = /^( *)-([A-Za-z_]+: .*?)\s*$/.exec(text) ?? [];
  if (!IN_WRONG_PLACE.has(error.code) || entry === undefined) return undefined;
  return { column: start.length + 1, message: `There must be a space after the "-". Write - ${entry} instead.` };
}

const IN_WRONG_PLACE: ReadonlySet<string> = new Set(['BLOCK_AS_IMPLICIT_KEY', 'MULTILINE_IMPLICIT_KEY', 'BAD_INDENT']);

/** For `sources` above its sources, `every = 1h` or `every 1h`. */
function noColon({ error, text, lines }: Found): ReturnType<Finder> {
  if (!NOT_A_KEY.has(error.code) || /:(\s|$)/.test(text)) return undefined;
  const [, start = '', key = '', value] = /^(\s*(?:- )?)([\w.-]+)(?:\s*=\s*(\S.*?))?\s*$/.exec(text) ?? [];
  const next = lines.slice(error.line).find((line) => line.trim() !== '') ?? '';
  const isGroup = key !== '' && value === undefined && indentOf(next) > indentOf(text);
  const column = indentOf(text) + 1;
  if (isGroup) return { column, message: `This line has no colon. Write ${key}: instead.` };
  if (value !== undefined)
    return {
      column: start.length + 1,
      message: `There must be a colon after the key. Write ${key}: ${value} instead.`,
    };
  return { column, message: `This line has no colon. Write it as "key: value".` };
}

/** A key indented below one that already has a value. */
function tooDeep({ error, text, lines }: Found): ReturnType<Finder> {
  if (error.code !== 'BLOCK_AS_IMPLICIT_KEY' && error.code !== 'MULTILINE_IMPLICIT_KEY') return undefined;
  const next = lines.findIndex((line, index) => index >= error.line && line.trim() !== '');
  const deep = lines[next] ?? '';
  if (next < 0 || indentOf(deep) <= indentOf(text)) return undefined;
  return {
    line: next + 1,
    column: indentOf(deep) + 1,
    message:
      'This line is indented further than the one before it, which has a value already. ' +
      `Begin it at the same column as "${text.trim().split(':')[0] ?? ''}".`,
  };
}

/**
 * Characters that look like spaces, or like nothing, before a key or after its colon, where YAML only accepts spaces.
 */
const NO_SPACES = String.raw`[\u00A0\u1680\u2000-\u200D\u202F\u205F\u2060\u3000\uFEFF]`;
const BEFORE_KEY = new RegExp(String.raw`^(?:[ \t]*(?:- )?[ \t]*)(?=${NO_SPACES})`, 'u');
const BEHIND_COLON = new RegExp(String.raw`^[\s\u200B-\u200D\u2060]*(?:- )?[\w.-]+:(?=${NO_SPACES})`, 'u');

/** Finds such characters, which come from web pages and word processors. */
export const falseSpaces = (lines: readonly string[]): readonly Slip[] =>
  lines.flatMap((text, index) => {
    const before = BEFORE_KEY.exec(text) ?? BEHIND_COLON.exec(text);
    if (!before || text.trim() === '') return [];
    return {
      line: index + 1,
      column: before[0].length + 1,
      message:
        'What looks like a space here is another sign, which copying from a web page or a word processor brings along. ' +
        'Delete the blanks here and type them again.',
    };
  });
