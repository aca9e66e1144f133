import type { EditField, Fault } from '../event-values.ts';
import type { EventList } from '../own-events.ts';
import type { Rhythm } from '../repeat-dates.ts';

/** The statuses of an event, as authors see them. */
export type StateWord = 'draft' | 'pending' | 'publish' | 'future' | 'private' | 'trash';

/** What was done, as said on the page after the redirect. */
export type SaidName =
  | 'saved'
  | 'draft'
  | 'pending'
  | 'published'
  | 'trashed'
  | 'restored'
  | 'sentBack'
  | 'refused'
  | 'takenUp'
  | 'linked'
  | 'placeTrashed'
  | 'placeRestored'
  | 'detached'
  | 'attached';

/** The texts of the pages for editing events, in one language. */
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
  readonly newer: string;
  readonly none: string;
  readonly notFound: string;
  readonly by: (name: string) => string;
  readonly fields: Readonly<Record<EditField, string>>;
  readonly hints: Readonly<Partial<Record<EditField, string>>>;
  readonly faults: Readonly<Record<Fault, string>>;
  /** For a time that its day lacks; `next` is the first time after the gap. */
  readonly skipped: (next: string) => string;
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
  /** About the contents of a form sent by somebody whose session has ended. */
  readonly kept: Readonly<Record<'signIn' | 'here' | 'picture' | 'left' | 'tooLarge', string>>;
  readonly notYours: string;
  readonly notYoursText: string;
  readonly conflict: string;
  readonly conflictText: string;
  /** Shown if nothing that was typed differs. */
  readonly conflictSame: string;
  /** Shown if the person may no longer save what they have open. */
  readonly gone: string;
  readonly goneText: string;
  readonly pictureKept: string;
  /** For a list that offers only the newest. */
  readonly offered: (shown: number, all: number) => string;
  readonly moreCategories: (count: number) => string;
  readonly categoriesLeftOut: (count: number) => string;
  readonly theirs: string;
  readonly yours: string;
  readonly empty: string;
  readonly removePicture: string;
  readonly sentBackNote: (text: string) => string;
  readonly repeat: {
    readonly title: string;
    readonly about: string;
    readonly rhythm: string;
    readonly rhythms: Readonly<Record<Rhythm, string>>;
    readonly until: string;
    readonly button: string;
    /** `isCut`: there would be more. */
    readonly made: (made: number, known: number, isCut: boolean) => string;
    /** `first`: the day of the first possible date. */
    readonly tooSoon: (first: string) => string;
    readonly stopped: (made: number, message: string) => string;
  };
  readonly review: Readonly<
    Record<
      | 'title'
      | 'handedIn'
      | 'nothingHandedIn'
      | 'suggested'
      | 'nothingSuggested'
      | 'email'
      | 'changeFirst'
      | 'refuse'
      | 'reason'
      | 'nothingSent'
      | 'nobodyToTell'
      | 'decided'
      | 'takeUp'
      | 'note'
      | 'sendBack',
      string
    >
  > & {
    readonly more: (count: number) => string;
    readonly moreDecided: (count: number) => string;
    readonly taken: (by: string) => string;
    readonly refused: (by: string) => string;
    readonly write: (email: string) => string;
  };
  readonly suggest: Readonly<
    Record<
      | 'title'
      | 'about'
      | 'email'
      | 'emailHint'
      | 'noEmail'
      | 'isOver'
      | 'send'
      | 'thanks'
      | 'thanksText'
      | 'another'
      | 'tooLong'
      | 'openedLongAgo'
      | 'tooQuick'
      | 'tooMany',
      string
    >
  >;
  readonly source: Readonly<Record<'keeps' | 'detach' | 'detachAbout' | 'attach' | 'attachAbout' | 'busy', string>> & {
    readonly from: (name: string) => string;
    readonly ours: (name: string) => string;
  };
  readonly places: Readonly<
    Record<
      | 'venues'
      | 'organizers'
      | 'newVenue'
      | 'newOrganizer'
      | 'name'
      | 'address'
      | 'city'
      | 'zip'
      | 'country'
      | 'phone'
      | 'email'
      | 'none',
      string
    >
  > & {
    readonly shown: (from: number, to: number, all: number) => string;
    /** What happens to the events of a trashed place or organizer. */
    readonly usedBy: (all: number, coming: number) => string;
  };
}
