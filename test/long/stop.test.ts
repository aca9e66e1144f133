import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { programHome, type Home } from '../support/daemon.ts';
import { comingEvents } from '../support/coming.ts';
import { calendarText } from '../support/feed-text.ts';
import { realSite, type RealSite } from '../support/real-site/real-site.ts';
import { until } from '../support/until.ts';

// Ctrl-C in a command, as a terminal sends it: to both the launcher and the program.

let home: Home;
let real: RealSite;
let mute: Server;
beforeEach(async () => {
  real = await realSite({ latencyMs: 20 });
  mute = createServer(() => undefined).listen(0, '127.0.0.1');
  await until('the port', () => (mute.address() as AddressInfo | null)?.port);
  home = await programHome(`site:
  url: "${real.root}"
  namespace: ${real.namespace}
  username: ${real.credentials.username}
  application_password: "\${SITE_PASSWORD}"
  requests_in_flight: 2
sources: { town: { url: "file:town.ics" } }
`);
  home.env['SITE_PASSWORD'] = real.credentials.applicationPassword;
  await home.write('town.ics', calendarText(comingEvents(1_000)));
});
afterEach(async () => {
  await Promise.all([home.close(), real.close()]);
  mute.closeAllConnections();
  mute.close();
});

const written = (): number => [...real.store().posts.values()].filter(({ type }) => type === 'events').length;
const noProcess = (): Promise<true> => until('no process to be left', () => home.processes().length === 0 || undefined);

describe('Ctrl-C', () => {
  test('ends a sync after the batches under way, and leaves no process behind', async () => {
    const command = home.run(['sync']);
    await until('the first events', () => written() > 0 || undefined);
    const { code, stdout, stderr } = await command.stop('SIGINT');
    expect(code).toBe(1);
    expect(stderr).toContain('finishing what is under way first. Press Ctrl-C again to stop at once.');
    expect(stdout).toContain(`Stopped on request, with ${written()} events written`);
    expect(written()).toBeLessThan(200);
    expect(home.processes()).toEqual([]);
  });

  test('a second time ends a sync at once, and the next sync completes what it began', async () => {
    real.fail({ kind: 'mute' }, { when: (method) => method === 'POST', after: 60, times: 4 });
    const command = home.run(['sync']);
    await until('the first events', () => written() >= 60 || undefined);
    command.signal('SIGINT');
    // Two signals in quick succession would count as one key press.
    await until('the first to be heard', () => command.stderr().includes('Press Ctrl-C again'));
    await sleep(700);
    command.signal('SIGINT');
    expect(await command.ended).toMatchObject({ code: 130 });
    await noProcess();
    real.heal();
    expect(await home.command(['sync'])).toMatchObject({ code: 0 });
    expect(written()).toBe(1_000);
  });

  test.each([['doctor'], ['preview', 'URL'], ['sync', '--dry-run']])('ends %s at once', async (...words) => {
    const address = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    await home.write(
      'calsyncd.yaml',
      `site: { url: "${address}/wp-json", namespace: tribe/events/v1, username: ` +
        'u, application_password: "${SITE_PASSWORD}" }\nfetch: { allow_addresses: ' +
        `[127.0.0.1/32] }\nsources: { town: { url: "${address}/town.ics" } }\n`,
    );
    const asked = new Promise<void>((resolve) => {
      mute.once('request', () => resolve());
    });
    const command = home.run(words.map((word) => (word === 'URL' ? `${address}/town.ics` : word)));
    await asked;
    command.signal('SIGINT');
    // Without Ctrl-C, the command would wait 30 seconds for the feed, and longer for the site.
    expect(await Promise.race([command.ended, sleep(20_000)])).toMatchObject({ code: 1 });
    await noProcess();
  });
});
