import { instantFromWall, type Wall } from '../../../src/time.ts';
import { calendarOf, componentsOf, wallAt } from '../kept-events.ts';

/** An event or a series as a publisher keeps it. `token` identifies it, whatever its UID. */
export interface Item {
  readonly token: number;
  uid: string;
  title: string;
  venue: string;
  text: string;
  zone: string;
  state: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
  categories: readonly string[];
  /** Days after the first day of the test and hours after midnight, in local time. */
  day: number;
  hour: number;
  hours: number;
  series: Series | null;
}

export interface Series {
  readonly every: 1 | 7;
  readonly count: number;
  readonly without: readonly number[];
  readonly changed: Readonly<Record<number, { readonly hours: number; readonly title?: string }>>;
}

/** One occurrence as the feed describes it. */
export interface Said {
  readonly token: number;
  readonly index: number;
  readonly uid: string;
  readonly title: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly wall: Wall;
  readonly zone: string;
  readonly venue: string;
  readonly text: string;
  readonly state: Item['state'];
  readonly categories: readonly string[];
}

const HOUR_MS = 3_600_000;

/** Every occurrence of an item. */
export function occurrencesOf(item: Item): readonly Said[] {
  const { token, uid, venue, text, state, categories, zone, hours, series } = item;
  const indexes =
    series === null
      ? [0]
      : Array.from({ length: series.count }, (_, index) => index).filter((index) => !series.without.includes(index));
  return indexes.map((index) => {
    const change = series?.changed[index];
    const wall = wallAt(item, index * (series?.every ?? 0), change?.hours ?? 0);
    const startsAt = instantFromWall(wall, zone);
    return {
      token,
      index,
      uid,
      title: change?.title ?? item.title,
      startsAt,
      endsAt: startsAt + hours * HOUR_MS,
      wall,
      zone,
      venue,
      text,
      state,
      categories,
    };
  });
}

/** The feed's text. */
export const feedText = (items: readonly Item[]): string =>
  calendarOf(items.flatMap((item) => componentsOf({ ...item, place: item.venue, organizer: '' })));
