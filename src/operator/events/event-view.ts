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
