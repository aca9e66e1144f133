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
  readonly printWeek: string;
  readonly suggest: string;
}
