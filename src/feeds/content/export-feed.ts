import { AppError } from '../../error.ts';
import { buildFeed, type BuiltFeed } from './build-feed.ts';
import type { FeedDefinition } from '../definition/definition.ts';
import type { ExportedSite } from './exported-site.ts';

/**
 * One feed for the command line: its bytes as the site is now, and what had to be left out. Throws AppError for an
 * unknown feed.
 */
export async function exportFeed(
  site: ExportedSite,
  definitions: readonly FeedDefinition[],
  id: string,
  now: number,
): Promise<BuiltFeed> {
  const definition = definitions.find((feed) => feed.id === id);
  if (definition) return buildFeed(site, definition, now);
  const known = definitions.map((feed) => feed.id).join(', ');
  throw new AppError(
    'unknown-feed',
    `There is no feed "${id}". ${known === '' ? 'None is configured: add one under `feeds:`.' : `Known feeds: ${known}.`}`,
  );
}
