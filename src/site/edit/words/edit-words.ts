import type { EditField, Fault } from '../event-values.ts';
import type { EventList } from '../own-events.ts';

/** The states of an event, as those who write it see them. */
export type StateWord = 'draft' | 'pending' | 'publish' | 'future' | 'private' | 'trash';

/** What a page says that somebody is led to after something was done. */
export type SaidName = 'saved' | 'draft' | 'pending' | 'published' | 'trashed' | 'restored' | 'sentBack' | 'linked';

/** What the pages where events are edited say, in one language. */
export interface EditWords {
  readonly area: string;
  readonly signInText: string;
  readonly stay: string;
  readonly noRight: string;
  readonly signedInAs: (name: string) => string;
  readonly myEvents: string;
  readonly everybodys: string;
  readonly newEvent: string;
  readonly editEvent: string;
  readonly lists: Readonly<Record<EventList, string>>;
  readonly states: Readonly<Record<StateWord, string>>;
  readonly said: Readonly<Record<SaidName, string>>;
  readonly search: string;
  readonly older: string;
  readonly none: string;
  readonly by: (name: string) => string;
  readonly fields: Readonly<Record<EditField, string>>;
  readonly hints: Readonly<Partial<Record<EditField, string>>>;
  readonly faults: Readonly<Record<Fault, string>>;
  readonly groups: Readonly<Record<'when' | 'where' | 'what' | 'picture', string>>;
  readonly allDay: string;
  readonly zone: (zone: string) => string;
  readonly buttons: Readonly<
    Record<'save' | 'draft' | 'pending' | 'publish' | 'takeBack' | 'trash' | 'restore' | 'view', string>
  >;
  readonly notTaken: string;
  readonly refusal: (message: string) => string;
  readonly nothingDone: string;
  readonly tooOld: string;
  readonly tooMany: (seconds: number) => string;
  readonly tooLarge: (megabytes: number) => string;
  readonly notYours: string;
  readonly notYoursText: string;
  readonly conflict: string;
  readonly conflictText: string;
  readonly theirs: string;
  readonly yours: string;
  readonly empty: string;
  readonly removePicture: string;
  readonly sentBackNote: (text: string) => string;
}
