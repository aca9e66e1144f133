import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FetchImage } from '../../site/store/fetch-images.ts';

// The samples refer to pictures on a host that nobody can own (RFC 2606).
const SAMPLE = /^https:\/\/pictures\.calsyncd\.example\/([a-z0-9-]{1,40}\.webp)$/;

/** Takes pictures of the samples from the folder beside the configuration, and all others from `fetchImage`. */
export const withSamplePictures =
  (configFile: string, fetchImage: FetchImage): FetchImage =>
  async (url) => {
    const [, name] = SAMPLE.exec(url) ?? [];
    if (name === undefined) return fetchImage(url);
    try {
      return {
        kind: 'fetched',
        bytes: await readFile(path.join(path.dirname(configFile), 'samples', 'pictures', name)),
      };
    } catch {
      return { kind: 'failed', message: `There is no picture ${name} among the samples.` };
    }
  };
