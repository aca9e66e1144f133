import type { AskAround } from '../../store/around-event.ts';
import type { AskNext } from '../../store/next-events.ts';
import type { EventTables } from '../../store/series.ts';
import type { ListedById } from '../../store/shown-events.ts';
import type { Beyond } from '../frame/beyond.ts';
import type { Day } from '../frame/dates.ts';
import type { Frame } from '../frame/layout.ts';
import type { Read } from '../frame/read.ts';

/** What a page about an event is made with. */
export interface AskedEvent {
  readonly frame: Frame;
  readonly read: Read;
  readonly tables: EventTables;
  readonly listed: ListedById;
  /** Reads from `tables`; the event itself then need not be read again. */
  readonly around: AskAround;
  /** Finds what is on next at a place or by an organizer. */
  readonly next: AskNext;
  readonly beyond: Beyond;
  /** As stored. */
  readonly slug: string;
  readonly today: Day;
}
