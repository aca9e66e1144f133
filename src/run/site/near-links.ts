import type { Problem } from '../../problem.ts';
import type { FeedReading } from '../../sync/model/draft.ts';
import { nearMatchesOf } from '../../sync/links/near-matches.ts';
import type { SourceSetup } from '../state/context.ts';
import { LISTS } from './site-lists.ts';

/**
 * A feed's venues and organizers whose names resemble ones on the site, for a person to link by an alias. Throws
 * AppError if the site cannot be read.
 */
export async function nearLinks(
  { name, site: { client } }: SourceSetup,
  { drafts }: FeedReading,
): Promise<readonly Problem[]> {
  const venues = drafts.flatMap(({ fields }) => fields.venue ?? []);
  const organizers = drafts.flatMap(({ fields }) => fields.organizer ?? []);
  if (venues.length + organizers.length === 0) return [];
  return nearMatchesOf(
    { venues, organizers },
    { venues: await LISTS.venues(client), organizers: await LISTS.organizers(client) },
    name,
  );
}
