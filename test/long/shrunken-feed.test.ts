import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { carryOn } from '../../src/run/steps/carry-on.ts';
import { dryRun } from '../../src/run/steps/dry-run.ts';
import { startRun } from '../../src/run/steps/start-run.ts';
import type { Report } from '../../src/sync/model/plan.ts';
import { body, conditional, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// A feed of thirty events shrinks to five. Whichever are left, however the feed is served and whoever asks: the missing
// events are removed, or the run is held, or each run says why they stay. No run ignores them silently.

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

/** What is left of the thirty, and the outcome for the others in the first report, and in that of a second run. */
interface Shrinking {
  readonly left: (events: readonly FeedEvent[]) => readonly FeedEvent[];
  readonly hold?: string;
  readonly first: Expected;
  readonly again: Expected;
}
type Expected = Pick<Report, 'state' | 'removed'> & { readonly codes: readonly string[] };

const HELD: Expected = { state: 'held', removed: 25, codes: ['held'] };
const staying = (...codes: readonly string[]): Expected => ({ state: 'unchanged', removed: 0, codes });

const SHRUNK: Readonly<Record<string, Shrinking>> = {
  last: { left: (events) => events.slice(-5), first: HELD, again: HELD },
  spread: { left: (events) => events.filter((_, index) => index % 7 === 1), first: HELD, again: HELD },
  unguarded: {
    left: (events) => events.slice(-5),
    hold: ', hold: { more_than: 100 }',
    first: { state: 'done', removed: 25, codes: [] },
    again: staying(),
  },
  first: {
    left: (events) => events.slice(0, 5),
    first: staying('beyond-coverage'),
    again: staying('beyond-coverage'),
  },
  broken: {
    left: (events) => events.slice(-5).with(1, { uid: 'broken', start: 'some day' }),
    first: staying('a date', 'part-unread'),
    again: staying('part-unread'),
  },
};

const DATE = /^(\d{4})(\d\d)(\d\d)T.*/;
const tableText = (events: readonly FeedEvent[]): string =>
  ['title,start', ...events.map(({ title, start = '' }) => `${title},${start.replace(DATE, '$1-$2-$3 18:00')}`)].join(
    '\n',
  );

/** How a feed is served: sets what its address answers from now on, and returns that address. */
type Way = (name: string, events: readonly FeedEvent[], time: 'before' | 'after') => Promise<string>;
const overHttp =
  (answerOf: (events: readonly FeedEvent[], time: 'before' | 'after') => ReturnType<typeof body>): Way =>
  (name, events, time) => {
    feeds.on(`/${name}`, answerOf(events, time));
    return Promise.resolve(`${feeds.url}/${name}`);
  };
// The feed is written, fetched and written again within the same second.
const SECOND = 'Fri, 15 Jan 2027 12:00:00 GMT';
const WAYS: Readonly<Record<string, Way>> = {
  plain: overHttp((events) => body(calendarText(events))),
  etag: overHttp((events, time) => conditional(calendarText(events), { etag: `"${time}"` })),
  second: overHttp((events) => (request, response) => {
    response.setHeader('date', SECOND);
    conditional(calendarText(events), { 'last-modified': SECOND })(request, response);
  }),
  table: overHttp((events) => body(tableText(events), { 'content-type': 'text/csv' })),
  file: async (name, events) => {
    await writeFile(path.join(syncing.directory, `${name}.ics`), calendarText(events));
    return `file:${name}.ics`;
  },
};

const thirty = (name: string): FeedEvent[] =>
  feedEvents(30).map((event) => ({ ...event, uid: `${name}-${event.uid}`, title: `${event.title} of ${name}` }));

const CAUSES = ['schedule', 'command'] as const;
const UNREADABLE: readonly string[] = ['date-unreadable', 'row-date'];
const codesOf = ({ problems }: Pick<Report, 'problems'>): readonly string[] =>
  problems.map(({ code }) => (UNREADABLE.includes(code) ? 'a date' : code));

async function reported(app: OpenedApp, source: string, cause: (typeof CAUSES)[number]): Promise<Expected> {
  const own = app.setup(source);
  const started = await startRun(app.context, own, cause, false);
  const report = await carryOn(app.context, own, started, () => undefined);
  if (!report) throw new Error(`${source} is busy`);
  return { state: report.state, removed: report.removed, codes: codesOf(report) };
}

/** The same for a dry run. */
async function tried(app: OpenedApp, source: string): Promise<Expected> {
  const { report, plan } = await dryRun(app.context, app.setup(source), true);
  if (!plan) return { state: report.state, removed: 0, codes: codesOf(report) };
  const isHeld = plan.held !== null;
  return {
    state: isHeld ? 'held' : plan.actions.length > 0 ? 'done' : 'unchanged',
    removed: plan.actions.filter(({ kind }) => kind === 'remove').length,
    codes: [...(isHeld ? ['held'] : []), ...codesOf(plan)],
  };
}

test.each(Object.keys(WAYS))('missing events of a shrunken feed are never ignored silently: %s', async (how) => {
  const way = WAYS[how]!;
  const cases = Object.entries(SHRUNK).flatMap(([name, shrinking]) =>
    CAUSES.map((cause) => ({ name: `${name}-${cause}`, cause, ...shrinking })),
  );
  const sources = await Promise.all(
    cases.map(async ({ name, hold = '' }) => {
      const url = await way(name, thirty(name), 'before');
      return `  ${name}: { url: "${url}", missing: { after: 1 }${hold} }`;
    }),
  );
  const app = await syncing.open(
    `builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n${sources.join('\n')}\n`,
  );
  for (const { name, cause, left, first, again } of cases) {
    const before = await reported(app, name, cause);
    await way(name, left(thirty(name)), 'after');
    const trials = [await tried(app, name)];
    const reports = [await reported(app, name, cause), await reported(app, name, cause)];
    trials.push(await tried(app, name));
    expect({ name, before, reports, trials }).toEqual({
      name,
      before: { state: 'done', removed: 0, codes: [] },
      reports: [first, again],
      // Removals that have not been written are planned again.
      trials: [first, first.state === 'done' ? again : first],
    });
  }
});
