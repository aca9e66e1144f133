import { grouped } from '../../count-in-words.ts';
import { fileURLToPath } from 'node:url';
import { readWhole } from '../../files/read-whole.ts';
import { whyUnreadable } from '../../files/why-unreadable.ts';
import { startTags } from '../../html/read-markup.ts';
import type { Logo } from '../../look/files.ts';
import { imageFileFromBytes } from '../../site/store/image-file.ts';

/** Every visitor loads it once. */
const BYTES_MAX = 500_000;

/**
 * The operator's logo: the address of a picture on another site, or a file in a format that browsers show. Problems
 * with a file go to `warn`, and pages then have no logo.
 */
export async function readLogo(address: string, warn: (problem: string) => void): Promise<Logo | undefined> {
  if (!address.startsWith('file:')) return { address };
  const file = fileURLToPath(address);
  try {
    const logo = logoFromBytes(await readWhole(file));
    if (typeof logo !== 'string') return logo;
    warn(`${file} ${logo}`);
  } catch (error) {
    warn(`${file} cannot be read: ${whyUnreadable(error) ?? (error instanceof Error ? error.message : String(error))}`);
  }
  return undefined;
}

/** The logo in a file, or what is wrong with it. */
function logoFromBytes(content: Uint8Array): Logo | string {
  if (content.length > BYTES_MAX)
    return `is too large for a logo: ${grouped(content.length)} bytes, and at most ${grouped(BYTES_MAX)} are sent to every visitor.`;
  const picture = imageFileFromBytes(content);
  if (picture) return { content, type: picture.mediaType, ...picture };
  const size = svgSize(content);
  return size
    ? { content, type: 'image/svg+xml', extension: 'svg', ...size }
    : 'is not a picture that browsers can show: SVG, PNG, JPEG, WebP, GIF or AVIF.';
}

/** The size from its viewBox, or else its width and height; a square if it has neither. */
function svgSize(content: Uint8Array): { readonly width: number; readonly height: number } | undefined {
  const [svg] = startTags(new TextDecoder().decode(content), ['svg']);
  if (!svg) return undefined;
  const { attributes } = svg;
  const [, , boxWidth = Number.NaN, boxHeight = Number.NaN] = numbers(attributes.get('viewbox'));
  const [across = Number.NaN, down = Number.NaN] = [attributes.get('width'), attributes.get('height')].flatMap((text) =>
    numbers(text),
  );
  const sizes = [
    { width: boxWidth, height: boxHeight },
    { width: across, height: down },
  ];
  return sizes.find((size) => size.width > 0 && size.height > 0) ?? { width: 1, height: 1 };
}

const numbers = (text = ''): readonly number[] => text.split(/[\s,]+/).map(Number.parseFloat);
