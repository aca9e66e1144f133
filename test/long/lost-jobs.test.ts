import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBackend, type Backend, type BackendAddress } from '../../src/queue/backend.ts';
import { startWorkers } from '../../src/queue/workers.ts';
import type { Report } from '../../src/sync/model/plan.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { queueHomes } from '../support/queue-backends.ts';
import { syncingApp, type SyncingApp } from '../support/syncing-app.ts';
import { until } from '../support/until.ts';

// The queue loses jobs, which a process notices within its polling interval, a quarter of a minute.

describe.each(queueHomes(14))('on %s', (_, home) => {
  let syncing: SyncingApp;
  let feeds: FeedServer;
  let address: BackendAddress;
  const closing: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
    address = await home(syncing.address);
  });
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
    await Promise.all([syncing.close(), feeds.close()]);
  });

  test('a run whose jobs the queue has lost is carried on', async () => {
    const events = feedEvents(280).map((event, index) => ({ ...event, lines: [`LOCATION:Place ${index % 3}`] }));
    feeds.on('/town.ics', body(calendarText(events)));
    const app = await syncing.open(
      `builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics" }\n`,
    );
    const backend = await openBackend(address, 4, app.context.log);
    closing.push(backend.close);
    // The first two flows are lost with the queue's data before any of their jobs is taken.
    let flows = 0;
    const forgetful = {
      ...backend,
      addFlow: (flow: Parameters<Backend['addFlow']>[0]) =>
        (flows += 1) <= 2 ? Promise.resolve() : backend.addFlow(flow),
    };
    const reports: Report[] = [];
    const workers = await startWorkers(app.context, forgetful, [{ site: 'site', inFlight: 4 }], (report) =>
      reports.push(report),
    );
    closing.push(workers.close);
    await workers.request(['town'], 'command');
    expect(await until('a report', () => reports[0])).toMatchObject({ state: 'done', created: 280, problems: [] });
    expect(flows).toBeGreaterThan(2);
    expect(await app.events()).toHaveLength(280);
    expect(reports).toHaveLength(1);
  });
});
