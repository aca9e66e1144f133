import type { Abilities, Representations, Resource, Write, WriteAnswer } from './site-client.ts';

/** The query that selects a language; empty if the site does not separate languages. */
export type Language = Readonly<Record<string, string>>;

/**
 * The other languages of a site. Empty if the client has no language of its own. A site that does not name its
 * languages is asked once without one.
 */
export function otherLanguages(own: Language, { languages }: Pick<Abilities, 'languages'>): readonly Language[] {
  const [[parameter, language] = []] = Object.entries(own);
  if (parameter === undefined) return [];
  return languages.length === 0
    ? [{}]
    : languages.filter((other) => other !== language).map((other) => ({ [parameter]: other }));
}

/** Lists the items of one language after another. */
export async function* listInAll<R extends Resource>(
  languages: readonly Language[],
  list: (language: Language) => AsyncIterable<Representations[R]>,
): AsyncIterable<Representations[R]> {
  for (const language of languages) yield* list(language);
}

/** The first result that is not null, trying one language after another. */
export async function readInAll<T>(
  languages: readonly Language[],
  read: (language: Language) => Promise<T | null>,
): Promise<T | null> {
  let found: T | null = null;
  for (const language of languages) found ??= await read(language);
  return found;
}

/**
 * Writes in the first language. Writes to items that do not exist in it (so nothing was written) are repeated in the
 * following ones.
 */
export async function writeInAll(
  languages: readonly Language[],
  writes: readonly Write[],
  send: (writes: readonly Write[], language: Language) => Promise<readonly WriteAnswer[]>,
): Promise<readonly WriteAnswer[]> {
  const [first = {}, ...others] = languages;
  let answers = await send(writes, first);
  for (const language of others) {
    const open = writes.flatMap((write, at) => (isNotThere(write, answers[at]) ? [{ write, at }] : []));
    if (open.length === 0) break;
    // Other writes may already have been carried out, so nothing may throw from here on.
    const again = await send(
      open.map(({ write }) => write),
      language,
    ).catch((error: unknown) => open.map((): WriteAnswer => ({ kind: 'lost', message: String(error) })));
    const byPlace = new Map(open.map(({ at }, index) => [at, again[index]]));
    answers = answers.map((answer, at) => byPlace.get(at) ?? answer);
  }
  return answers;
}

const isNotThere = ({ path }: Write, answer: WriteAnswer | undefined): boolean =>
  /\/(?:\d+|by-slug\/[^/]+)$/.test(path) && answer?.kind === 'answered' && answer.status === 404;
