/** A point in time as it was written: wall-clock digits (`2027-01-10 18:00:00`), and the offset where one was given. */
export interface DateTime {
  readonly wall: string;
  readonly offsetMinutes?: number;
}

/** What relative words are relative to. */
export interface Clock { readonly now: number; readonly timezone: string }

/** The point in time that a text names; undefined where it names none, or an impossible date. */
export function dateTimeFromText(text: string, _clock: Clock): DateTime | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?)?$/.exec(text);
  return match ? { wall: `${match[1] ?? ''} ${match[2] ?? '00:00'}${match[3] ?? ':00'}` } : undefined;
}
