import { coalesced } from '../../coalesced.ts';
import { listenTo, type Listening } from '../../db/listen.ts';
import { zonesOfSites } from '../../run/state/site-zones.ts';
import type { Asked, Change, LivePart, Operator } from '../frame/operator.ts';
import { openEventStream } from './event-stream.ts';
import { openPage, wantedOf, type RenderPass, type OpenPage } from './open-page.ts';

/** Keeps open pages up to date. */
export interface LiveChannel {
  /** Opens the stream of a page at the address `page`, for the parts with these names. */
  readonly open: (asked: Asked, page: URL, names: readonly string[]) => Response;
  /** How many pages are open. */
  readonly count: () => number;
  /** Ends the streams of a session that has ended. */
  readonly endSession: (session: string) => void;
  readonly close: () => Promise<void>;
}

export interface LiveOptions {
  readonly operator: Operator;
  readonly parts: readonly LivePart[];
  /** Time since a worker last gave a sign of life; undefined if none has. */
  readonly silentMs: () => Promise<number | undefined>;
  /** Whether the person is still signed in with the same role. */
  readonly isStill: (asked: Asked) => Promise<boolean>;
  readonly betweenMs?: number;
  readonly beatMs?: number;
}

/** A page gets updates at most four times a second. */
const BETWEEN_MS = 250;
const BEAT_MS = 15_000;
/** After each pass, other work gets this many times the time that the pass took. */
const REST_FOR_WORK = 3;
/** What changes only with time is rendered again on every fourth beat. */
const BEATS_UNTIL_ALL = 4;
/** After this long without a sign of life from a worker, pages are no longer told that all is well. */
const SILENT_MS = 60_000;
/** A stream ends after this long, and the browser has to authenticate again. */
const OPEN_MS_MAX = 300_000;
/** A browser has one stream for each visible page. */
const OF_SESSION_MAX = 12;
const OPEN_MAX = 2_000;
/** No page has this many parts. */
const PARTS_MAX = 40;

/** Listens for changes only while pages are open. */
export function makeLiveChannel(options: LiveOptions): LiveChannel {
  const { operator, parts, betweenMs = BETWEEN_MS, beatMs = BEAT_MS } = options;
  const { database, log, now } = operator.context;
  const pages = new Map<OpenPage, { readonly since: number }>();
  const looker = `${process.pid} ${now()} ${Math.random()}`;
  const silentMs = coalesced(options.silentMs);
  let listening: Listening | undefined;
  let ticking: NodeJS.Timeout | undefined;
  let passAt: NodeJS.Timeout | undefined;
  let passing = Promise.resolve();
  let isClosed = false;
  const waiting = { all: false, changes: new Map<string, Change>(), opened: new Map<OpenPage, string | null>() };

  let tookMs = 0;
  const wake = (): void => {
    if (isClosed) return;
    const waitMs = Math.max(betweenMs, REST_FOR_WORK * tookMs);
    passAt ??= setTimeout(() => void (passing = passing.then(pass)), waitMs);
  };
  const refreshAll = (): void => {
    waiting.all = true;
    wake();
  };
  const startMaking = async (): Promise<RenderPass> => ({
    look: {
      operator,
      now: now(),
      zoneOf: await zonesOfSites(database.query(), operator.config().builtin.timezone),
    },
    shared: new Map(),
  });

  /** Sends changes to all pages that want them. Changes that arrive meanwhile wait for the next pass. */
  async function pass(): Promise<void> {
    passAt = undefined;
    const changes = waiting.all ? 'all' : [...waiting.changes.values()];
    waiting.all = false;
    waiting.changes.clear();
    const opened = new Map(waiting.opened);
    // Pages opened from here on begin with the next pass.
    const all = [...pages.keys()];
    waiting.opened.clear();
    const begun = performance.now();
    await orSay('bring open pages up to date', async () => {
      const making = await startMaking();
      for (const page of all) {
        const lastId = opened.get(page);
        await orSay('show a part of a page', () =>
          lastId === undefined ? page.update(making, changes) : page.begin(making, lastId),
        );
      }
    });
    tookMs = performance.now() - begun;
  }

  const orSay = (what: string, work: () => Promise<unknown>): Promise<void> =>
    work().then(
      () => undefined,
      (error: Error) => log.warn({ error: error.message }, `the console could not ${what}`),
    );

  async function beat(some: Iterable<OpenPage>): Promise<void> {
    const ms = await silentMs();
    for (const { stream } of some) {
      if (ms === undefined || ms > SILENT_MS) stream.send('', '');
      else stream.send('beat', String(Math.round(ms / 1000)));
    }
  }

  const endSession = (session: string): void => {
    for (const { asked, stream } of pages.keys()) if (asked.caller.session === session) stream.end();
  };

  /** Sessions also end elsewhere, by a new password, a changed role, or in another process. */
  async function endFormer(): Promise<void> {
    const sessions = Map.groupBy(pages.keys(), ({ asked }) => asked.caller.session);
    for (const [session, [page]] of sessions) if (page && !(await options.isStill(page.asked))) endSession(session);
  }

  /** Changes are announced only while someone is looking. */
  const keepLooking = async (): Promise<unknown> =>
    listening?.ask(
      `insert into calsync.lookers (process, until) values ($1, now() + interval '1 minute')
        on conflict (process) do update set until = excluded.until`,
      [looker],
    );

  let ticks = 0;
  async function tick(): Promise<void> {
    ticks += 1;
    if (pages.size === 0) return pause();
    await orSay('hear of changes', keepLooking);
    await orSay('tell when a worker was last alive', () => beat(pages.keys()));
    await orSay('ask who is still signed in', endFormer);
    for (const [{ stream }, { since }] of pages) if (performance.now() - since > OPEN_MS_MAX) stream.end();
    if (ticks % BEATS_UNTIL_ALL === 0) refreshAll();
  }

  function listen(): void {
    listening ??= listenTo(database, 'calsync_changes', {
      onMessage: (payload) => {
        waiting.changes.set(payload, JSON.parse(payload) as Change);
        wake();
      },
      // Earlier announcements were missed.
      onBegun: () => void orSay('hear of changes', keepLooking).then(refreshAll),
    });
    ticking ??= setInterval(() => void tick(), beatMs);
  }

  async function pause(): Promise<void> {
    clearInterval(ticking);
    ticking = undefined;
    const former = listening;
    listening = undefined;
    await former?.close();
  }

  return {
    open: (asked, page, names) => {
      if (names.length > PARTS_MAX) return tooManyParts();
      const { session } = asked.caller;
      const own = [...pages.keys()].filter((each) => each.asked.caller.session === session);
      if (isClosed || own.length >= OF_SESSION_MAX || pages.size >= OPEN_MAX) return tooMany();
      listen();
      const stream = openEventStream(() => pages.delete(opened));
      const opened = openPage({ ...asked, url: page }, wantedOf(parts, names), stream);
      pages.set(opened, { since: performance.now() });
      waiting.opened.set(opened, asked.request.headers.get('last-event-id'));
      wake();
      void orSay('tell when a worker was last alive', () => beat([opened]));
      return stream.response;
    },
    count: () => pages.size,
    endSession,
    close: async () => {
      isClosed = true;
      clearTimeout(passAt);
      for (const { stream } of pages.keys()) stream.end();
      await passing;
      await pause();
    },
  };
}

const tooManyParts = (): Response =>
  new Response('No page has so many parts.\n', {
    status: 400,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });

const tooMany = (): Response =>
  new Response('Too many pages are open here.\n', {
    status: 429,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', 'Retry-After': '30' },
  });
