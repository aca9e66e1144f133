import { mayHaveBecome } from '../../sync/compare/looks-same.ts';
import type { FieldName } from '../../sync/model/fields.ts';
import { sameJson } from '../../sync/model/json.ts';
import type { Json } from '../../sync/model/plan.ts';

/** A field as the feed and as the site has it; of what is linked, the names. */
interface Sides {
  readonly feed: Json;
  readonly site: Json;
  readonly names?: Readonly<Record<'feed' | 'site', readonly string[]>>;
}

/** Whether the feed says something of a field, and something else than the site shows. */
export function feedDiffers(field: FieldName, { feed, site, names }: Sides): boolean {
  const isSame = names ? sameJson(names.feed.toSorted(), names.site.toSorted()) : mayHaveBecome(field, feed, site);
  return feed !== null && !isSame;
}
