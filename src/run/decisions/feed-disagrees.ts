import { feedDiffers } from '../events/feed-differs.ts';
import type { FieldName } from '../../sync/model/fields.ts';
import type { ExplainedField, Explanation } from './explain-event.ts';

/** Whether the feed's value of a field differs from the site's, which stays. */
export function feedDisagrees({ state }: Pick<Explanation, 'state'>, field: FieldName, each: ExplainedField): boolean {
  if (each.conflict) return true;
  const stays = each.origin === 'person' || each.locked || state === 'detached';
  return stays && feedDiffers(field, each);
}
