import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Config } from '../../config/config.ts';
import { comparable } from '../../config/doubts.ts';
import { asLiteral } from '../../config/environment.ts';
import { fileAddressOf } from '../../config/resolve.ts';
import { pairLines } from '../../config/splice/render-yaml.ts';
import { uploadsIn } from '../../config/uploads.ts';
import { suggestSource, type Suggestion } from '../../run/discover/suggest.ts';
import { isInside } from '../../run/fetch/fetch-file.ts';
import type { FeedPreview } from '../../run/parse/preview-feed.ts';
import { DEFAULT_FORMAT } from '../../sync/formats/format-kinds.ts';

/** A preview of a feed that could be read. */
export type ReadPreview = Extract<FeedPreview, { kind: 'read' }>;

type Known = Pick<Config, 'file' | 'dataDir' | 'sources' | 'sites' | 'builtin' | 'fetch'>;

/** The settings that the console would suggest for a feed that is not a source yet. */
export const suggestedFor = (config: Known, address: string, preview: ReadPreview): Suggestion =>
  suggestSource(
    { address, preview },
    {
      taken: config.sources.flatMap(({ name, was }) => [name, ...(was === undefined ? [] : [was])]),
      siteTimezone: config.builtin.timezone,
      languages: config.builtin.languages,
    },
  );

/** The lines that make the feed a source of the configuration, or a note that it is one already. */
export function howToAdd(config: Known, feed: string, found: ReadPreview): string {
  const file = fileOf(feed);
  // In an address, "%" begins an escape.
  const url = file === undefined ? feed : `file:${file.replaceAll('%', '%25')}`;
  const address = comparable(file === undefined ? feed : pathToFileURL(file).href);
  const reader = config.sources.find((source) => comparable(source.url) === address);
  if (reader) return `The source ${reader.name} of the configuration reads it already.\n`;
  const { allowFiles } = config.fetch;
  const isAllowed = file === undefined || allowFiles.some((folder) => isInside(file, folder));
  // These folders are always allowed.
  const unnamed = [path.dirname(path.resolve(config.file)), uploadsIn(config.dataDir)];
  const folders = [...allowFiles.filter((folder) => !unnamed.includes(folder)), path.dirname(file ?? '')];
  const [site = ''] = Object.keys(config.sites);
  const source = {
    url: asLiteral(url),
    ...(Object.keys(config.sites).length > 1 ? { site } : {}),
    ...(found.format === DEFAULT_FORMAT ? {} : { format: found.format }),
  };
  return [
    'To add it to the configuration:',
    ...(isAllowed ? [] : pairLines('fetch', { allow_files: folders.map(asLiteral) }, '', '  ', 1)),
    ...pairLines('sources', { [suggestedFor(config, feed, found).name]: source }, '', '  ', 2),
    '',
  ].join('\n');
}

/** The path of the file that was named, with links resolved; undefined for a web address. */
function fileOf(feed: string): string | undefined {
  if (/^file:/i.test(feed)) return realpathSync(fileURLToPath(fileAddressOf(feed, process.cwd())));
  return /^[a-z][a-z0-9+.-]+:/i.test(feed) ? undefined : realpathSync(feed);
}
