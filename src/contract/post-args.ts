import { arg, invalid, notOfType, tooLong, tooMany, value, type Arg, type ArgAbout } from './arg.ts';
import { wordList } from './arg-kinds.ts';
import { LINE_MAX, PARAMETERS_MAX } from './limits.ts';

/** The states a post can be in. */
export const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash', 'auto-draft'] as const;
export type Status = (typeof STATUSES)[number];

/** A featured image: the id of one of the site's own, or an address to fetch it from. */
export type ImageRef = { readonly kind: 'id'; readonly id: number } | { readonly kind: 'url'; readonly url: string };

type About = Omit<ArgAbout, 'type'>;

const NO_STATUS = invalid(`Expected one of ${wordList(STATUSES)}.`);

const statusFrom = (word: unknown): Status | undefined => STATUSES.find((status) => status === word);

/** A single registered status. */
export const status = (about: About): Arg<Status, 'optional'> =>
  arg(
    { type: 'string', ...about },
    (raw) => {
      if (raw === null) return notOfType('string');
      const found = statusFrom(raw);
      return found ? value(found) : NO_STATUS;
    },
    { type: 'string', enum: STATUSES },
  );

const listFrom = (raw: unknown): readonly unknown[] => (Array.isArray(raw) ? raw : []);

/**
 * A filter by one or several statuses, as a list or comma-separated. The handler decides whether the caller may ask for
 * them.
 */
export const statusFilter = (about: About): Arg<readonly Status[], 'optional'> =>
  arg(
    { format: 'string', ...about },
    (raw) => {
      const words = typeof raw === 'string' ? raw.split(',').map((word) => word.trim()) : listFrom(raw);
      if (words.length > PARAMETERS_MAX) return tooMany(PARAMETERS_MAX);
      const found = words.map(statusFrom).filter((status) => status !== undefined);
      return found.length > 0 && found.length === words.length ? value(found) : NO_STATUS;
    },
    { type: 'string', example: 'publish,future' },
  );

const NO_ADDRESS = invalid(
  'Expected an address that begins with https://, http:// or ftp://, with blanks and letters beyond ASCII encoded.',
);

/** An absolute http, https or ftp URL in ASCII, as in PHP's URL filter; '' and null clear it. */
export const webAddress = (about: ArgAbout): Arg<string, 'optional'> =>
  arg(
    about,
    (raw) => {
      if (raw === null || raw === '') return value('');
      if (typeof raw !== 'string') return about.type === 'string' ? notOfType('string') : NO_ADDRESS;
      return isWebAddress(raw) ? value(raw) : NO_ADDRESS;
    },
    { type: 'string', nullable: true },
  );

/** Like `webAddress`, for a field that is published as a string. */
export const webAddressText = (about: About): Arg<string, 'optional'> => webAddress({ type: 'string', ...about });

export const isWebAddress = (text: string): boolean =>
  text.length <= 2048 && /^(?:https?|ftp):\/\/[!-~]+$/i.test(text) && URL.canParse(text);

/** Encodes an address that people or feeds write with blanks or letters beyond ASCII. */
export const encodedAddress = (written: string): string =>
  /^https?:\/\//i.test(written) && !/^[!-~]*$/.test(written) ? (URL.parse(written)?.href ?? written) : written;

const NO_IMAGE = invalid(
  'Expected the id of an image of this site, or an address that begins with https:// or http://.',
);

/** An image's id or address, as text. */
export const image = (about: About): Arg<ImageRef, 'optional'> =>
  arg({ type: 'string', ...about }, (raw) => {
    if (raw === null || typeof raw === 'number') return notOfType('string');
    const found = imageFrom(raw);
    return found ? value(found) : NO_IMAGE;
  });

/** Like `image`, but '', null and false (as answers show it) give null, which removes the image. */
export const clearableImage = (about: About): Arg<ImageRef | null, 'optional'> =>
  arg<ImageRef | null>(
    { type: 'string', ...about },
    (raw, context) => (raw === null || raw === '' || raw === false ? value(null) : image(about).parse(raw, context)),
    { type: 'string', nullable: true },
  );

function imageFrom(raw: unknown): ImageRef | undefined {
  // As answers show it, for clients that send one back.
  if (typeof raw === 'object' && raw !== null && 'id' in raw) return imageFrom(String(raw.id));
  if (typeof raw !== 'string') return undefined;
  if (/^[1-9]\d{0,15}$/.test(raw)) return { kind: 'id', id: Number(raw) };
  return /^https?:/i.test(raw) && isWebAddress(raw) ? { kind: 'url', url: raw } : undefined;
}

const AMOUNT = { oneOf: [{ type: 'string' }, { type: 'number' }] };

/** A number in plain decimals. Three digits after the point would be read as thousands, so a fourth is added. */
function decimalText(number: number): string {
  const text = /e/.test(String(number)) ? plainText(number) : String(number);
  return /^[1-9]\d*\.\d{3}$/.test(text) ? `${text}0` : text;
}

const plainText = (number: number): string =>
  Math.abs(number) < 1 ? number.toFixed(20).replace(/0+$/, '') : BigInt(number).toString();

/** The cost of an event: text or numbers, one or several, each kept as written; [] for none. */
export const cost = (about: About): Arg<readonly string[], 'optional'> =>
  arg(
    about,
    (raw) => {
      const parts: unknown[] = raw !== null && typeof raw === 'object' ? Object.values(raw) : [raw ?? ''];
      if (parts.length > PARAMETERS_MAX) return tooMany(PARAMETERS_MAX);
      if (!parts.every((part) => typeof part === 'number' || typeof part === 'string'))
        return invalid('Expected a text, a number, or a list of them.');
      if (parts.some((part) => typeof part === 'string' && part.length > LINE_MAX)) return tooLong(LINE_MAX);
      return value(
        parts
          .map((part) => (typeof part === 'number' ? decimalText(part) : String(part).trim()))
          .filter((part) => part !== ''),
      );
    },
    {
      oneOf: [
        { type: 'string', nullable: true },
        { type: 'number' },
        { type: 'array', items: AMOUNT },
        { type: 'object', additionalProperties: AMOUNT },
      ],
    },
  );
