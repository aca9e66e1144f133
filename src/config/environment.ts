/** The environment variables that are read. */
export type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$(\$?)\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * A text with `${NAME}` and `${NAME:-default}` replaced (`$${NAME}` becomes a literal `${NAME}`), and the names that
 * are not set.
 */
export function expandEnvironment(
  text: string,
  environment: Environment,
): { readonly text: string; readonly unset: readonly string[]; readonly used: boolean } {
  const unset: string[] = [];
  let used = false;
  const expanded = text.replace(REFERENCE, (whole, escape: string, name: string, fallback: string | undefined) => {
    if (escape) return whole.slice(1);
    used = true;
    const value = environment[name];
    if (fallback !== undefined) return value || fallback;
    if (value === undefined) unset.push(name);
    return value ?? '';
  });
  return { text: expanded, unset, used };
}

/** The names that a text takes from the environment. */
export const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(REFERENCE)].flatMap(([, escape, name]) => (escape === '' && name !== undefined ? [name] : []));

/** A text from outside as it has to be written so that it means itself: nothing of the environment gets into it. */
export const asLiteral = (text: string): string => text.replace(REFERENCE, (whole) => `$${whole}`);

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
