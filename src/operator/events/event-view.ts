import type { Explanation } from '../../run/decisions/explain-event.ts';
import type { Asked } from '../frame/operator.ts';
import type { NamedEvent } from './named-event.ts';

/** What the parts of an event's page need. */
export interface EventView {
  readonly asked: Asked;
  readonly named: NamedEvent;
  readonly explanation: Explanation;
  readonly zone: string;
  readonly path: string;
}

/** Whether an event is all-day on the site, in the feed, or as last agreed. */
export const isAllDay = ({ fields }: Pick<Explanation, 'fields'>, side: 'site' | 'agreed' | 'feed'): boolean =>
  (fields.all_day?.[side] ?? fields.all_day?.agreed) === true;
