/** What events can be chosen by: the list, the builder of feeds and that of lists on other sites have the same. */
export type PickedKind = 'categories' | 'tags' | 'places' | 'organizers';

/** What the frame of every public page says, in one language. */
export interface FrameWords {
  readonly skip: string;
  readonly views: string;
  readonly list: string;
  readonly week: string;
  readonly month: string;
  readonly subscribe: string;
  readonly embed: string;
  readonly search: string;
  readonly searchEvents: string;
  readonly offline: string;
  readonly whatIsOn: string;
  readonly allEvents: string;
  readonly printWeek: string;
  readonly suggest: string;
  /** What each kind is called, and what a menu says as long as none of it is chosen. */
  readonly picking: Readonly<Record<PickedKind, { readonly label: string; readonly any: string }>>;
  /** What else there is, beyond the names that are offered; without a number where nobody knows how many. */
  readonly typeName: (count: string | undefined) => string;
}
