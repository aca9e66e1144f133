import type { Embed } from '../../contract/representation.ts';
import { xmlRecords } from '../../html/read-markup.ts';
import { safeElement, safeLink } from '../../html/link.ts';
import { embeddableHtml } from '../../html/sanitize.ts';
import { textFromHtml } from '../../html/text.ts';
import { readJson } from '../../json.ts';
import { startOf } from '../../html/shortened.ts';

type Data = Readonly<Record<string, unknown>>;

const TEXT_MAX = 1_000;
/** oEmbed data consists of a frame and some names, so longer answers are not oEmbed. */
const DATA_MAX = 200_000;
const JSON_LIMITS = { depth: 16, values: 1_000 };

/**
 * Parses another site's oEmbed data and makes it safe to pass on; undefined if it is invalid. Of unknown providers'
 * HTML only quotations and sandboxed frames remain.
 */
export function readEmbed(text: string, contentType: string, isTrusted: boolean): Embed | undefined {
  if (text.length > DATA_MAX) return undefined;
  const data =
    /xml/i.test(contentType) || /^\s*(?:<\?xml|<oembed)/i.test(text) ? dataFromXml(text) : dataFromJson(text);
  const html = data && htmlOf(data, isTrusted);
  if (!data || !html) return undefined;
  const size = (name: string): number | undefined => {
    const number = Number.parseInt(String(data[name] ?? ''), 10);
    return number > 0 && number < 10_000 ? number : undefined;
  };
  return filled({
    version: '1.0',
    type: String(data['type']),
    title: words(data['title']),
    author_name: words(data['author_name']),
    author_url: address(data['author_url']),
    provider_name: words(data['provider_name']),
    provider_url: address(data['provider_url']),
    thumbnail_url: address(data['thumbnail_url']),
    thumbnail_width: size('thumbnail_width'),
    thumbnail_height: size('thumbnail_height'),
    url: data['type'] === 'photo' ? address(data['url']) : undefined,
    width: size('width'),
    height: size('height'),
    html,
  }) as Embed; // `version` and `type` are always filled.
}

/**
 * The HTML to show: generated here for photos and links, reduced to its harmless part for other types. '' for unknown
 * types.
 */
function htmlOf(data: Data, isTrusted: boolean): string {
  const [url, title] = [address(data['url']), words(data['title']) ?? ''];
  switch (data['type']) {
    case 'photo':
      return url === undefined ? '' : safeLink({ href: url }, safeElement('img', { src: url, alt: title })).markup;
    case 'link':
      return url === undefined || title === '' ? '' : safeLink({ href: url }, title).markup;
    case 'video':
    case 'rich':
      return typeof data['html'] === 'string' ? embeddableHtml(data['html'], isTrusted) : '';
    default:
      return '';
  }
}

const words = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== ''
    ? startOf(textFromHtml(value.slice(0, TEXT_MAX * 10)), TEXT_MAX)
    : undefined;
const address = (value: unknown): string | undefined => {
  const url = typeof value === 'string' ? URL.parse(value.trim()) : null;
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
};

const filled = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));

function dataFromJson(text: string): Data | undefined {
  const read = readJson(text, JSON_LIMITS);
  const isObject =
    read.kind === 'value' && typeof read.value === 'object' && read.value !== null && !Array.isArray(read.value);
  return isObject ? (read.value as Data) : undefined;
}

/** oEmbed's XML is flat: one element per value. */
function dataFromXml(text: string): Data | undefined {
  const [data] = xmlRecords(text, ['oembed']);
  return data && Object.fromEntries([...data.texts].map(([name, texts]) => [name, texts.at(-1)]));
}
