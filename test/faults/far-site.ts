import type { RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { calendarText, type FeedEvent } from '../support/feed-text.ts';
import { body, dripping, feedServer, hungUp, mute, status } from '../support/feed-server.ts';
import type { Fault } from '../support/real-site/faults.ts';
import { realSite, type RealSite } from '../support/real-site/real-site.ts';
import { postsOf } from '../support/real-site/store.ts';

// A site on another machine and a feed from the web, both of which can be slow or give false answers.

/** Picks one of several by a number from 0 to 1. */
const oneOf = <T>(chance: number, all: readonly T[]): T => all[Math.floor(chance * all.length)]!;

const SLOW_MS = 400;

const SITE_LIES: readonly (readonly [string, Fault])[] = [
  ['answers get lost', { kind: 'lost' }],
  ['it hangs up', { kind: 'hang-up' }],
  ['it writes and never answers', { kind: 'mute' }],
  ['500 after the work', { kind: 'status', status: 500, carriedOut: true }],
  ['502', { kind: 'status', status: 502 }],
  ['429', { kind: 'status', status: 429, retryAfter: '2' }],
  ['a web page after the work', { kind: 'page', carriedOut: true }],
  ['a firewall’s page', { kind: 'page', status: 403 }],
  ['warnings before the JSON', { kind: 'warning' }],
];

export interface FarSite {
  /** Lines of the configuration: the site, and the source that is written to it. */
  readonly site: string;
  readonly source: string;
  readonly publish: (events: readonly FeedEvent[]) => void;
  /** The titles that visitors see. */
  readonly titles: () => readonly string[];
  /** Faults that last for a while; each returns what it was. `chance`, from 0 to 1, picks one. */
  readonly siteIsSlow: (forMs: number) => Promise<string>;
  readonly siteLies: (forMs: number, chance: number) => Promise<string>;
  readonly feedIsSlow: (forMs: number, chance: number) => Promise<string>;
  readonly feedLies: (forMs: number, chance: number) => Promise<string>;
  readonly close: () => Promise<void>;
}

const PATH = '/far.ics';

export async function farSite(): Promise<FarSite> {
  const pace = { latencyMs: 0, perPageCap: 50 };
  const [site, feeds] = await Promise.all([realSite(pace), feedServer()]);
  let editions: readonly (readonly FeedEvent[])[] = [[]];
  const titles = (): readonly string[] => titlesOn(site);
  const serveLast = (): void => feeds.on(PATH, body(calendarText(editions.at(-1)!)));
  /** Whatever the feed says meanwhile, events that its last two editions have in common stay on the site. */
  const whileTrue = async (forMs: number, end: () => void): Promise<void> => {
    const [one = [], other = []] = editions.slice(-2);
    const later = new Set(other.map(({ uid }) => uid));
    const staying = one.filter(({ uid }) => later.has(uid)).length;
    const before = titles().length;
    for (const over = performance.now() + forMs; performance.now() < over; await sleep(100))
      expect(titles().length).toBeGreaterThanOrEqual(Math.min(before, staying));
    end();
  };
  return {
    site: siteLines(site),
    source: `{ url: "${feeds.url}${PATH}", site: far, every: 1s, missing: { after: 1 } }`,
    titles,
    publish: (events) => {
      editions = [...editions.slice(-1), events];
      serveLast();
    },
    siteIsSlow: async (forMs) => {
      pace.latencyMs = SLOW_MS;
      await whileTrue(forMs, () => (pace.latencyMs = 0));
      return `${SLOW_MS} ms for each answer`;
    },
    siteLies: async (forMs, chance) => {
      const [what, fault] = oneOf(chance, SITE_LIES);
      site.fail(fault, { times: Number.POSITIVE_INFINITY });
      await whileTrue(forMs, site.heal);
      return what;
    },
    feedIsSlow: async (forMs, chance) => {
      const open = new Set<ServerResponse>();
      const [what, listener] = oneOf(chance, SLOW);
      feeds.on(PATH, (request, response) => {
        open.add(response);
        listener(request, response);
      });
      await whileTrue(forMs, serveLast);
      // As if its server were restarted.
      for (const response of open) response.destroy();
      return what;
    },
    feedLies: async (forMs, chance) => {
      const [what, listener] = oneOf(chance, liesOf(editions));
      feeds.on(PATH, listener);
      await whileTrue(forMs, serveLast);
      return what;
    },
    close: async () => {
      await Promise.all([site.close(), feeds.close()]);
    },
  };
}

type Lie = readonly [what: string, listener: RequestListener];

const SLOW: readonly Lie[] = [
  ['it never answers', mute],
  ['a byte now and then', dripping(200)],
];

const liesOf = (editions: readonly (readonly FeedEvent[])[]): readonly Lie[] => {
  const [before = [], last = []] = [editions.at(-2), editions.at(-1)];
  const text = calendarText(last);
  return [
    ['500', status(500, 'out of order')],
    ['a login page', body('<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' })],
    ['cut short', hungUp(text.slice(0, text.length / 2))],
    ['an empty calendar', body(calendarText([]))],
    ['a calendar of every second event', body(calendarText(last.filter((_, index) => index % 2 === 0)))],
    ['the edition before', body(calendarText(before))],
  ];
};

const titlesOn = (site: RealSite): readonly string[] =>
  postsOf(site.store(), 'events')
    .filter(({ status: state }) => state === 'publish')
    .map(({ title }) => title);

const siteLines = ({ root, namespace, credentials: { username, applicationPassword } }: RealSite): string =>
  `{ url: '${root}', namespace: ${namespace}, username: ${username}, application_password: '${applicationPassword}' }`;
