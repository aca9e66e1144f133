import { redact, redactWritten } from '../../redact.ts';
import { readConfigText } from '../read-file.ts';
import { SECRET_KEY } from '../yaml-slips.ts';

/** The replacement for a secret in a displayed file. */
export const MASK = '••••••';

/** A value that only refers to an environment variable with the secret. */
const REFERENCE = /^["']?\$\{[A-Za-z_][A-Za-z0-9_]*\}["']?$/;

/**
 * The text of a configuration file with its secrets masked line by line; `${NAME}` stays. In a file that cannot be
 * parsed, everything that looks like a secret is masked.
 */
export function maskSecrets(text: string): string {
  const { reading } = readConfigText('', text, {});
  const isReadable = reading.problems.every(({ code }) => code === 'config-unset');
  const masked = maskRanges(text, reading.secrets);
  return isReadable ? redact(masked) : redactWritten(maskLines(masked));
}

function maskRanges(text: string, ranges: readonly (readonly [from: number, to: number])[]): string {
  let [masked, at] = ['', 0];
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    if (from < at) continue;
    masked += text.slice(at, from) + hidden(text.slice(from, to));
    at = to;
  }
  return masked + text.slice(at);
}

/** Keeps line breaks, so that the lines below keep their numbers. */
const hidden = (value: string): string =>
  REFERENCE.test(value.trim()) ? value : `${MASK}${value.replace(/[^\n]/g, '')}`;

const KEY_AND_VALUE = /^(\s*(?:- )?["']?([\w.-]+)["']?\s*:\s*)(\S.*)?$/;

function maskLines(text: string): string {
  // The indentation of a key that is a secret; everything indented further belongs to it.
  let inside = Number.POSITIVE_INFINITY;
  return text
    .split('\n')
    .map((line) => {
      const indent = line.search(/\S/);
      if (indent < 0) return line;
      const isBelow = indent > inside;
      const isSecret = SECRET_KEY.test(KEY_AND_VALUE.exec(line)?.[2] ?? '');
      if (!isBelow) inside = isSecret ? indent : Number.POSITIVE_INFINITY;
      return isBelow || isSecret
        ? maskLine(line)
        : line.replace(IN_FLOW, (_, before: string, found: string) => before + hidden(found));
    })
    .join('\n');
}

function maskLine(line: string): string {
  const [, start, , value] = KEY_AND_VALUE.exec(line) ?? [];
  if (start === undefined) return `${line.slice(0, line.search(/\S/))}${MASK}`;
  return value === undefined || value.startsWith('#') ? line : `${start}${hidden(value)}`;
}

/** A secret within brackets: its value is in quotes, in brackets of its own, or extends to the next entry. */
const IN_FLOW = new RegExp(
  String.raw`([{,]\s*["']?[\w.-]*(?:${SECRET_KEY.source})[\w.-]*["']?\s*:\s*)` +
    String.raw`("[^"]*"?|'[^']*'?|\$\{\w+\}|[{[].*|[^,}]+)`,
  'gi',
);
