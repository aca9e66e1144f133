/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An escaped `${`, a complete reference, or an invalid one that is not closed or has an invalid name. */
const REFERENCE = /\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(?::-((?:(?!\$\{)[^}])*))?\})?/g;

const NO_REFERENCE =
  'A "${" here begins no variable. Write ${NAME}, with letters, digits and "_" in its name, or ${NAME:-text} with a ' +
  'default; where the signs themselves are meant, $${.';

/** The result of expanding a text. */
interface Expanded {
  readonly text: string;
  /** Whether any of it comes from the environment. */
  readonly used: boolean;
  /** Why it cannot be used, as sentences. */
  readonly faults: readonly string[];
}

/** Expands `${NAME}` and `${NAME:-default}` in a text; `$${` becomes a literal `${`. */
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

/** The environment variables that a text refers to. */
export const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(REFERENCE)].flatMap(([, name]) => (name === undefined ? [] : [name]));

/** Escapes a text from outside, so that nothing in it is expanded. */
export const asLiteral = (text: string): string => text.replaceAll('${', '$$${');

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Parses headers as in OpenTelemetry's variables: "key=value,other=value" with percent-encoded values. Undefined if the
 * text is invalid. Names and values conform to RFC 9110, 5.1 and 5.5.
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

/** Decodes percent escapes in UTF-8; undefined if one is invalid. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
