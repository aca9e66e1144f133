import { createHash } from 'node:crypto';
import { readdir, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { publicAddress } from '../../run/fetch/public-address.ts';
import { uploadsIn } from '../../config/uploads.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { calledInName, uploadName } from '../../files/upload-name.ts';
import { discover, foundFeed, type Discovery } from '../../run/discover/discover.ts';
import { ownAddresses } from '../../run/fetch/own-feeds.ts';
import type { FetchResult } from '../../run/fetch/fetch-feed.ts';
import { previewFeed } from '../../run/parse/preview-feed.ts';
import { slugOfName } from '../../sync/model/slug.ts';
import type { DraftSettings } from '../../sync/model/draft.ts';
import { DAY_MS } from '../../time.ts';
import type { Operator } from '../frame/operator.ts';

/** Looks for feeds at an address, or in an uploaded file, given by its address. */
export async function discoverFeeds(
  operator: Operator,
  address: string,
  settings: DraftSettings,
  now: number,
): Promise<Discovery> {
  const { parser } = operator.context;
  const config = operator.config();
  const fetch = (wanted: string): Promise<FetchResult> => fetchedLately(operator, wanted, now);
  if (!isUpload(operator, address))
    return discover(address, { fetch, parser, isOwn: ownAddresses(operator.publicUrl, config), settings, now });
  const preview = await previewFeed(address, await fetch(address), parser, undefined, settings);
  return preview.kind === 'read'
    ? { isPage: false, feeds: [foundFeed(address, preview, { now })], refused: [], more: 0 }
    : { isPage: false, feeds: [], refused: [{ address, problem: preview.problem, advice: undefined }], more: 0 };
}

/** Whether an address is that of an uploaded file. */
export const isUpload = ({ config }: Pick<Operator, 'config'>, address: string): boolean => {
  const folder = `${pathToFileURL(uploadsIn(config().dataDir)).href}/`;
  return address.startsWith(folder) && calledInName(address.slice(folder.length)) !== undefined;
};

/** Where a feed comes from, in terms that people know: for an uploaded file, its original name. */
export function feedNameInWords(operator: Pick<Operator, 'config'>, address: string): string {
  const file = path.basename(address);
  const called = isUpload(operator, address) ? calledInName(file) : undefined;
  return called ? `${called}${path.extname(file)}` : publicAddress(address);
}

const KEPT_MS = 300_000;
const KEPT_MAX = 8;
const KEPT_BYTES_MAX = 4_000_000;

interface Kept {
  readonly at: number;
  readonly result: FetchResult;
}
/** Recent fetches, by operator, so that trying out settings does not ask the publisher each time. */
const lately = new WeakMap<Operator, Map<string, Kept>>();

async function fetchedLately(operator: Operator, address: string, now: number): Promise<FetchResult> {
  const kept = lately.get(operator) ?? new Map<string, Kept>();
  lately.set(operator, kept);
  const key = createHash('sha256').update(address).digest('hex');
  const known = kept.get(key);
  if (known && now - known.at < KEPT_MS) return known.result;
  const result = await operator.fetchPasted(address);
  kept.delete(key);
  if (result.kind === 'fetched' && result.bytes.length <= KEPT_BYTES_MAX) kept.set(key, { at: now, result });
  for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - KEPT_MAX))) kept.delete(old);
  return result;
}

/** The maximum size of an uploaded file. */
export const UPLOAD_BYTES_MAX = 10_000_000;

/**
 * Stores an uploaded file in the data directory and returns its address. Deletes files older than a day that no source
 * uses.
 */
export async function keepUpload(operator: Operator, file: File): Promise<string> {
  const directory = uploadsIn(operator.config().dataDir);
  makeFolder(directory, 0o700);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const format = /\.csv$|\.txt$/i.test(file.name) ? 'csv' : 'ics';
  const target = path.join(directory, uploadName(slugOfName(path.parse(file.name).name), bytes, format));
  await writeFile(target, bytes, { mode: 0o600 });
  await removeUnused(operator, directory, path.basename(target));
  return pathToFileURL(target).href;
}

async function removeUnused({ config, context }: Operator, directory: string, fresh: string): Promise<void> {
  const used = new Set(config().sources.map(({ url }) => url));
  for (const name of await readdir(directory)) {
    const file = path.join(directory, name);
    const { mtimeMs } = await stat(file);
    if (name !== fresh && !used.has(pathToFileURL(file).href) && mtimeMs < context.now() - DAY_MS) await unlink(file);
  }
}
