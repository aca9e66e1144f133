import type { Explanation } from '../../run/decisions/explain-event.ts';
import type { Asked } from '../frame/operator.ts';
import type { NamedEvent } from './named-event.ts';

/** An event's page while it is made. */
export interface EventView {
  readonly asked: Asked;
  readonly named: NamedEvent;
  readonly explanation: Explanation;
  readonly zone: string;
  readonly path: string;
}

/** Whether an event has days instead of times: on the site, as it was agreed on, or in the feed. */
export const isAllDay = ({ fields }: Pick<Explanation, 'fields'>, side: 'site' | 'agreed' | 'feed'): boolean =>
  (fields.all_day?.[side] ?? fields.all_day?.agreed) === true;
