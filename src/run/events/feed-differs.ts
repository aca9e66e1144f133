import { mayHaveBecome } from '../../sync/compare/looks-same.ts';
import type { FieldName } from '../../sync/model/fields.ts';
import { sameJson } from '../../sync/model/json.ts';
import type { Json } from '../../sync/model/plan.ts';

/** A field's values in the feed and on the site; for what is linked, the names. */
interface Sides {
  readonly feed: Json;
  readonly site: Json;
  readonly names?: Readonly<Record<'feed' | 'site', readonly string[]>>;
}

/** Whether the feed gives a field a value that differs from the site's. */
export function feedDiffers(field: FieldName, { feed, site, names }: Sides): boolean {
  const isSame = names ? sameJson(names.feed.toSorted(), names.site.toSorted()) : mayHaveBecome(field, feed, site);
  return feed !== null && !isSame;
}
