import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { calendarText, feedEvents, type FeedEvent } from '../support/feed-text.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { until } from '../support/until.ts';

// A town whose feed changes, and is read every second, so that it shows at once what a fault has left behind.

const YAML = `builtin: { timezone: Europe/Warsaw }
sources:
  town: { url: "file:town.ics", every: 1s, missing: { after: 1 } }
`;
const EVENTS = 40;
/** A machine that does much else besides is slow; the longest wait that is promised is half a minute. */
const HANG_MS = 240_000;

export interface ChangingTown {
  readonly home: Home;
  /** Publishes another edition: an event more, one less, one with another title, and all with so long a text. */
  readonly publish: (bytes?: number) => Promise<void>;
  /** Waits until the site has just what the feed says, each event once; gives how long that took, in words. */
  readonly follows: (daemon: Daemon) => Promise<string>;
}

/** `as` goes before the command line of the program. */
export async function changingTown(as: readonly string[] = []): Promise<ChangingTown> {
  const home = await programHome(YAML, as);
  let edition = 0;
  // Later than any clock of a fault: what is over stays on the site.
  let events: readonly FeedEvent[] = feedEvents(EVENTS).map((event) => ({ ...event, start: '20270701T190000' }));
  const write = (): Promise<string> => home.write('town.ics', calendarText(events));
  await write();
  return {
    home,
    publish: async (bytes = 0) => {
      edition += 1;
      const [, second, ...rest] = events;
      const added = {
        uid: `added-${edition}@feed.example`,
        title: `Added in edition ${edition}`,
        start: '20270701T190000',
      };
      const lines = bytes > 0 ? [`DESCRIPTION:${randomBytes(bytes / 2).toString('hex')}`] : [];
      const all = [...rest, { ...second!, title: `Event of edition ${edition}` }, added];
      events = all.map((event) => ({ ...event, lines }));
      await write();
    },
    follows: async (daemon) => {
      const begun = performance.now();
      const wanted = events.map(({ title }) => title).toSorted();
      let shown: readonly string[] = [];
      await until(
        'the site to follow',
        async () => {
          shown = (await titlesOf(daemon)).toSorted();
          return shown.join('\n') === wanted.join('\n');
        },
        HANG_MS,
      ).catch(() => expect(shown).toEqual(wanted));
      // What would be written twice would be by now.
      await sleep(1_500);
      expect((await titlesOf(daemon)).toSorted()).toEqual(wanted);
      return `${((performance.now() - begun - 1_500) / 1000).toFixed(1)} s`;
    },
  };
}

async function titlesOf({ url }: Daemon): Promise<readonly string[]> {
  try {
    const answer = await fetch(`${url}/api/calendar/events/v1/events?starts_after=1971-01-01&per_page=50`, {
      signal: AbortSignal.timeout(10_000),
    });
    return answer.ok ? ((await answer.json()) as { events: { title: string }[] }).events.map(({ title }) => title) : [];
  } catch {
    // Not there yet, or cut off by the fault.
    return [];
  }
}
