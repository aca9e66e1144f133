import type { SiteSettings } from '../context.ts';
import { sanitizeTitle } from './sanitize-title.ts';

const NAME_MAX = 80;

/** Where the site serves an image file: the hash in the address allows caching it for ever. */
export const mediaUrl = (
  { publicUrl }: SiteSettings,
  { hash, name, extension }: { readonly hash: string; readonly name: string; readonly extension: string },
): string => `${publicUrl}/media/${hash}/${name}.${extension}`;

/** The file behind an address of this site; undefined for other addresses. */
export function ownFile(
  { publicUrl }: Pick<SiteSettings, 'publicUrl'>,
  url: string,
): { readonly hash: string; readonly name: string } | undefined {
  if (!url.startsWith(`${publicUrl}/media/`)) return undefined;
  const [, hash = '', name = ''] = MEDIA_PATH.exec(url.slice(publicUrl.length)) ?? [];
  return { hash, name };
}

/** `/media/{hash}/{name}.{extension}` */
export const MEDIA_PATH = /^\/media\/([0-9a-f]{40})\/([^/?#]+)\.([a-z]+)$/;

/**
 * The name for a copy of an image, taken from its address and reduced to characters that are safe on every server:
 * `pic` for `https://x.example/a/Pic.JPG?v=2`.
 */
export function imageName(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  const name = sanitizeTitle(decoded(last).replace(/\.[a-z0-9]{1,5}$/i, ''))
    .replace(/%[0-9a-f]{2}/gi, '')
    .replace(/[^a-z0-9_-]/g, '')
    .slice(0, NAME_MAX);
  return name.replace(/^-+|-+$/g, '') || 'image';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray % is not an escape, so the name is taken as is.
    return text;
  }
}
