/** The environment variables that are read. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An escaped `${`, a whole reference, or one that is none: it is not closed, or its name is no name. */
const REFERENCE = /\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(?::-((?:(?!\$\{)[^}])*))?\})?/g;

const NO_REFERENCE =
  'A "${" here begins no variable. Write ${NAME}, with letters, digits and "_" in its name, or ${NAME:-text} with a ' +
  'default; where the signs themselves are meant, $${.';

/** What a text becomes with the environment. */
interface Expanded {
  readonly text: string;
  /** Whether any of it comes from there. */
  readonly used: boolean;
  /** What keeps it from being used, as sentences. */
  readonly faults: readonly string[];
}

/** A text with `${NAME}` and `${NAME:-default}` replaced; `$${` becomes a literal `${`. */
export function expandEnvironment(text: string, environment: Environment): Expanded {
  const faults: string[] = [];
  let used = false;
  const expanded = text.replace(REFERENCE, (whole, name: string | undefined, fallback: string | undefined) => {
    if (whole.startsWith('$$')) return '${';
    used = true;
    const value = name === undefined ? undefined : environment[name];
    if (name === undefined) faults.push(NO_REFERENCE);
    else if (fallback !== undefined) return value || fallback;
    else if (value === undefined)
      faults.push(`The environment has no ${name}. Set it, or write \${${name}:-…} with a default.`);
    return value ?? '';
  });
  return { text: expanded, used, faults };
}

/** The names that a text takes from the environment. */
export const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(REFERENCE)].flatMap(([, name]) => (name === undefined ? [] : [name]));

/** A text from outside as it has to be written so that it means itself: nothing of the environment gets into it. */
export const asLiteral = (text: string): string => text.replaceAll('${', '$$${');

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Headers as OpenTelemetry's variables have them, "key=value,other=value", with encoded values; undefined where the text
 * is no such list. Names and values are those of RFC 9110, 5.1 and 5.5.
 */
export function readHeaderList(text: string): Readonly<Record<string, string>> | undefined {
  const headers: Record<string, string> = {};
  for (const pair of text.split(',').filter((each) => each.trim() !== '')) {
    const [name = '', ...rest] = pair.split('=');
    const value = rest.length > 0 ? decoded(rest.join('=').trim()) : undefined;
    if (!HEADER_NAME.test(name.trim()) || value === undefined || !/^[\t\x20-\x7e]*$/.test(value)) return undefined;
    headers[name.trim().toLowerCase()] = value;
  }
  return headers;
}

/** Percent escapes in UTF-8 as what they stand for; undefined where a "%" begins none. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
