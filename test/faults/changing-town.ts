import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { coming, comingEvents, comingStart } from '../support/coming.ts';
import { calendarText, type FeedEvent } from '../support/feed-text.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { until } from '../support/until.ts';
import type { FarSite } from './far-site.ts';

// A town whose feed changes and is read every second, so that anything a fault leaves behind shows at once.

const yamlOf = (far: FarSite | undefined): string => `builtin: { timezone: Europe/Warsaw }
fetch: { allow_addresses: [127.0.0.1] }
sites:
  builtin: { url: builtin }
${far ? `  far: ${far.site}\n` : ''}sources:
  town: { url: "file:town.ics", site: builtin, every: 1s, missing: { after: 1 } }
${far ? `  far: ${far.source}\n` : ''}feeds:
  all: { title: Everything on, site: builtin }
`;
const EVENTS = 40;
/** The day of all events, later than any clock that a fault sets: events that are over would stay on the site. */
export const DAY = coming(400);
const START = comingStart(400, '190000');
/** Generous, because the machine may be busy; the longest wait that is promised is half a minute. */
const HANG_MS = 240_000;

export interface ChangingTown {
  readonly home: Home;
  /** Publishes another edition: one event more, one less, one with another title, each with a text of this length. */
  readonly publish: (bytes?: number) => Promise<void>;
  /** Waits until the site has exactly what the feed says, each event once; returns how long that took, in words. */
  readonly follows: (daemon: Daemon) => Promise<string>;
}

/** `far`: a second site, to which another source brings the same events. */
export async function changingTown(far?: FarSite): Promise<ChangingTown> {
  const home = await programHome(yamlOf(far));
  let edition = 0;
  let events: readonly FeedEvent[] = comingEvents(EVENTS).map((event) => ({ ...event, start: START }));
  const write = async (): Promise<void> => {
    await home.write('town.ics', calendarText(events));
    far?.publish(events);
  };
  /** What all sites show; undefined while one of them does not answer. */
  const shownBy = async (daemon: Daemon): Promise<string | undefined> => {
    const ours = await titlesOf(daemon);
    const lists = [ours, ...(far ? [far.titles()] : [])];
    return ours && lists.map((titles) => titles?.toSorted().join('\n')).join('\n\n');
  };
  await write();
  return {
    home,
    publish: async (bytes = 0) => {
      edition += 1;
      const [, second, ...rest] = events;
      const added = {
        uid: `added-${edition}@feed.example`,
        title: `Added in edition ${edition}`,
        start: START,
      };
      const lines = bytes > 0 ? [`DESCRIPTION:${randomBytes(bytes / 2).toString('hex')}`] : [];
      const all = [...rest, { ...second!, title: `Event of edition ${edition}` }, added];
      events = all.map((event) => ({ ...event, lines }));
      await write();
    },
    follows: async (daemon) => {
      const begun = performance.now();
      const titles = events.map(({ title }) => title).toSorted();
      const wanted = (far ? [titles, titles] : [titles]).map((each) => each.join('\n')).join('\n\n');
      let shown: string | undefined;
      await until(
        'the site to follow',
        async () => {
          shown = await shownBy(daemon);
          return shown === wanted;
        },
        HANG_MS,
      ).catch(() => expect(shown).toEqual(wanted));
      // Long enough for anything that is written twice to appear.
      await sleep(1_500);
      expect(await until('the site', () => shownBy(daemon), HANG_MS)).toEqual(wanted);
      return `${((performance.now() - begun - 1_500) / 1000).toFixed(1)} s`;
    },
  };
}

async function titlesOf({ url }: Daemon): Promise<readonly string[] | undefined> {
  try {
    const answer = await fetch(`${url}/api/calendar/events/v1/events?starts_after=1971-01-01&per_page=50`, {
      signal: AbortSignal.timeout(10_000),
    });
    if (!answer.ok) return undefined;
    return ((await answer.json()) as { events: { title: string }[] }).events.map(({ title }) => title);
  } catch {
    // Not started yet, or cut off by the fault.
    return undefined;
  }
}
