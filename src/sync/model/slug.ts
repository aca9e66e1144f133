import { hash } from 'node:crypto';
import { asciiFromText, foldedWords } from '../../ascii.ts';
import { decodeEntities } from '../../html/references.ts';

const TITLE_MAX = 60;
/** How many characters of a key come from the source's id. */
export const SOURCE_CHARACTERS = 4;
const IDENTITY_CHARACTERS = 10;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'; // RFC 4648, section 6, in lower case.

/**
 * The slug of a new event, `<title>-<key>`: only `[a-z0-9-]` and at most 75 characters, so that no server changes or
 * cuts it.
 */
export const slugWithKey = (title: string, key: string): string =>
  `${latinSlug(title).slice(0, TITLE_MAX).replace(/-+$/, '') || 'event'}-${key}`;

/** The 14 characters that identify an event of ours: 4 from the source's id, 10 from the identity. */
export const keyFor = (source: string, identity: string): string => sourceKey(source) + keyOfIdentity(identity);

/** The last 10 characters of a key, derived from the identity. */
export const keyOfIdentity = (identity: string): string => base32(identity, IDENTITY_CHARACTERS);

/** The first 4 characters of every key of a source, derived from the source's id. */
export function sourceKey(source: string): string {
  const key = sourceKeysMade.get(source) ?? base32(source, SOURCE_CHARACTERS);
  sourceKeysMade.set(source, key);
  return key;
}

// Asked for with each event's key, and for all other sources with each new source; grows only with the configuration.
const sourceKeysMade = new Map<string, string>();

/** The key at the end of a slug, ignoring what servers append (`-2`, `__trashed`); null if there is none. */
export const keyOfSlug = (slug: string): string | null =>
  /-([a-z2-7]{14})(?:-\d{1,4})?(?:__trashed(?:-\d{1,4})?)?$/.exec(slug)?.[1] ?? null;

/** The possible first characters of a source's keys: from its name and from its former one. */
export const sourceKeys = ({
  source,
  was,
}: {
  readonly source: string;
  readonly was?: string | undefined;
}): readonly string[] => [source, ...(was === undefined ? [] : [was])].map(sourceKey);

/** Replaces a key's first 4 characters with those of another source. */
export const keyUnder = (characters: string, key: string): string => characters + identityKey(key);

/** The last 10 characters of a key, which come from the identity and not from the source. */
export const identityKey = (key: string): string => key.slice(SOURCE_CHARACTERS);

/** The source's 4 characters in a slug of ours; undefined for any other slug. */
export const sourceKeyIn = (slug: string): string | undefined => keyOfSlug(slug)?.slice(0, SOURCE_CHARACTERS);

/**
 * Whether a slug on the site belongs to an event of ours: it contains its key or, for an adopted event, equals its
 * slug; trashed or not.
 */
export const isOurSlug = (slug: string, { key, slug: own }: { readonly key: string; readonly slug: string }): boolean =>
  keyOfSlug(slug) === key || withoutTrashed(slug) === own;

/** A slug as it was before the trash changed it. */
export const withoutTrashed = (slug: string): string => slug.replace(/__trashed(?:-\d{1,4})?$/, '');

/**
 * The slug that servers make of a name: Latin letters, digits and hyphens. '' if nothing is left, and for names with
 * letters of another script, as each server transcribes those in its own way.
 */
export const slugOfName = (name: string): string =>
  OTHER_LETTERS.test(asciiFromText(decodeEntities(name))) ? '' : latinSlug(name);

const OTHER_LETTERS = /(?![\0-\u007f])[\p{L}\p{N}]/u;

const latinSlug = (name: string): string =>
  asciiFromText(decodeEntities(name))
    .replace(/['’`]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');

/** A key that spellings of the same name share: its slug, else its words in whatever script, else the name itself. */
export const nameKey = (name: string): string => slugOfName(name) || foldedWords(decodeEntities(name)) || name.trim();

function base32(text: string, characters: number): string {
  const digest = hash('sha256', text, 'buffer');
  let encoded = '';
  for (let bit = 0; encoded.length < characters; bit += 5) {
    // These five bits lie within two bytes.
    const two = digest.readUInt16BE(bit >> 3);
    encoded += BASE32.charAt((two >> (11 - (bit & 7))) & 31);
  }
  return encoded;
}
