import { NEVER } from '../../contract/date-time.ts';
import type { Image, ImageSize } from '../../contract/event-parts.ts';
import { wallFromInstant } from '../../time.ts';
import type { SiteSettings } from '../context.ts';
import { globalId, pageUrl, type PostKind } from './addresses.ts';
import { mediaUrl } from './image-address.ts';
import { isUnpublished } from './status.ts';
import type { ImageRow, PostRow } from './tables.ts';

/** The fields with which every post starts. Until the publication date is fixed, `date_utc` is all zeros. */
export function representPost(row: PostRow, kind: PostKind, settings: SiteSettings) {
  const [published, modified] = [row.published_at.getTime(), row.modified_at.getTime()];
  return {
    author: String(row.author),
    status: row.status,
    date: wallFromInstant(published, settings.timezone),
    date_utc: isUnpublished(row.status) ? NEVER : wallFromInstant(published, 'UTC'),
    modified: wallFromInstant(modified, settings.timezone),
    modified_utc: wallFromInstant(modified, 'UTC'),
    url: pageUrl(settings, kind, row),
    ...languageFields(row, settings),
  };
}

/** The language of an item, if the site separates languages. */
export const languageFields = (
  { language }: { readonly language: string },
  { languages }: SiteSettings,
): { readonly translation_language?: string } =>
  languages.length > 0 && language !== '' ? { translation_language: language } : {};

export const globalIds = (settings: SiteSettings, id: number) => ({
  global_id: globalId(settings, id),
  global_id_lineage: [globalId(settings, id)],
});

/** An image at the site's own address; unknown properties are left out. */
export function representImage(
  { id, url, hash, name, extension, width, height, filesize, sizes }: ImageRow,
  settings: SiteSettings,
): Image {
  return {
    url: hash === null || name === null ? url : mediaUrl(settings, { hash, name, extension }),
    id,
    extension,
    ...(width !== null && { width }),
    ...(height !== null && { height }),
    ...(filesize !== null && { filesize }),
    // The store wrote it in this form.
    ...(sizes !== null && { sizes: sizes as Readonly<Record<string, ImageSize>> }),
  };
}
