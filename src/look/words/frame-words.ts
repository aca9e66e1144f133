/** The kinds of choices among events, which the list, the builder of feeds and that of lists on other sites share. */
export type PickedKind = 'categories' | 'tags' | 'places' | 'organizers';

/** The texts of every public page's frame in one language. */
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
  /** The label of each kind, and a menu's text while nothing is chosen. */
  readonly picking: Readonly<Record<PickedKind, { readonly label: string; readonly any: string }>>;
  /** A prompt for what is not offered, with its number if known. */
  readonly typeName: (count: string | undefined) => string;
}
