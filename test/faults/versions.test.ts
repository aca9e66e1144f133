import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { poolConfig } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/start.ts';
import { coming } from '../support/coming.ts';
import { addressIn, urlOf } from '../support/database-address.ts';
import { freePort, programHome, type Daemon } from '../support/daemon.ts';
import { changingTown, DAY } from './changing-town.ts';
import { farSite } from './far-site.ts';
import { BEFORE, checkOutBefore, hasBefore } from './released.ts';
import { runsOf, tell } from './site.ts';

// A rolling upgrade, as docs/upgrade.md promises it: the new version starts beside the old one, on the same database.

const EDITIONS = 8;
const EVENTS = '/api/calendar/events/v1/events';
const PAGES = ['/', '/month/', '/feeds/', '/feeds/all.ics', EVENTS, '/healthz'];

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).toReversed()) await each();
});

/** Creates a database on a server that belongs to neither version; returns its URL. */
async function serverOfNobody(directory: string): Promise<string> {
  const server = await startEmbedded(path.join(directory, 'server'));
  undo.push(server.stop);
  const client = new pg.Client(poolConfig(server.address, 1));
  await client.connect();
  await client.query('create database town');
  await client.end();
  return urlOf(addressIn(server.address, 'town'));
}

/** Pages that do not answer 200, with their status. */
async function badAnswers(daemon: Daemon): Promise<readonly string[]> {
  const answers = PAGES.map(async (page) => {
    const answer = await fetch(`${daemon.url}${page}`);
    await answer.arrayBuffer();
    return answer.status === 200 ? [] : [`${page} ${answer.status}`];
  });
  return (await Promise.all(answers)).flat();
}

/** Lines of the log that report an error. */
const errorsIn = (daemon: Daemon): readonly string[] =>
  daemon
    .stderr()
    .split('\n')
    .filter((line) => /"level":(?:50|60)|"level":"(?:error|fatal)"|MaxListeners|\bat .*\.ts:/.test(line));

describe.runIf(hasBefore())('two versions', () => {
  test('serve, write and sync side by side on one database: nothing is lost or duplicated, and nothing fails', async () => {
    const far = await farSite();
    undo.push(far.close);
    const before = await checkOutBefore();
    undo.push(before.remove);
    const town = await changingTown(far);
    const oldHome = await programHome('', ['env', '-C', before.directory]);
    undo.push(oldHome.close);
    const url = await serverOfNobody(oldHome.directory);
    undo.push(town.home.close);
    const env = { DATABASE_URL: url, CONFIG: town.home.env['CONFIG']!, LOG_LEVEL: 'warn' };

    const old = oldHome.start([], env);
    await old.ready();
    await town.follows(old);
    const account = await oldHome.command(['password', 'clerk', 'upgrade', '--json'], env);
    const { username, application_password: password } = JSON.parse(account.stdout) as Record<string, string>;
    const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}`, 'content-type': 'application/json' };
    /** Writes an event by hand through one version and reads it through the other. */
    const write = async (by: Daemon, seenBy: Daemon, title: string): Promise<void> => {
      const body = JSON.stringify({
        title,
        status: 'publish',
        start_date: `${coming(401)} 18:00:00`,
        end_date: `${coming(401)} 19:00:00`,
      });
      const made = await fetch(`${by.url}${EVENTS}`, { method: 'POST', headers, body });
      expect(made.status).toBe(201);
      const list = async (by = seenBy): Promise<readonly string[]> => {
        const answer = await fetch(`${by.url}${EVENTS}?starts_after=${DAY}+20:00:00&per_page=50`);
        return ((await answer.json()) as { events: { title: string }[] }).events.map((event) => event.title);
      };
      expect(await list(by)).toContain(title);
      expect(await list()).toContain(title);
      const { id } = (await made.json()) as { id: number };
      const gone = await fetch(`${seenBy.url}${EVENTS}/${id}`, { method: 'DELETE', headers });
      expect(gone.status).toBe(200);
      expect(await list(by)).not.toContain(title);
    };

    const fresh = town.home.start([], { ...env, PORT: String(await freePort()) });
    const bad: string[] = [];
    // Also while the database is being migrated.
    const upgraded = fresh.ready();
    const isComing = (): Promise<boolean> => Promise.race([upgraded.then(() => false), sleep(100, true)]);
    while (await isComing()) bad.push(...(await badAnswers(old)));
    await upgraded;
    for (let edition = 0; edition < EDITIONS; edition += 1) {
      await town.publish();
      bad.push(...(await badAnswers(old)), ...(await badAnswers(fresh)));
      await write(old, fresh, `Written through the old one, ${edition}`);
      await write(fresh, old, `Written through the new one, ${edition}`);
      await sleep(700);
    }
    for (const each of [old, fresh]) await town.follows(each);
    expect(bad).toEqual([]);

    for (const words of [['runs'], ['start']]) {
      const refused = await oldHome.command(words, { ...env, PORT: String(await freePort()) });
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('newer calsyncd') as unknown });
    }
    await town.publish();
    expect((await old.stop('SIGTERM')).code).toBe(0);
    const after = await town.follows(fresh);
    expect((await runsOf(town.home, env)).filter(({ state }) => state === 'failed')).toEqual([]);
    expect([...errorsIn(old), ...errorsIn(fresh)]).toEqual([]);
    expect((await fresh.stop('SIGTERM')).code).toBe(0);
    tell(
      'two versions side by side, on one database',
      `${EDITIONS} editions followed by both (the old one: ${BEFORE}), ${EDITIONS * 2} writes seen by the ` +
        `other one at once; ${after} after the old one has gone`,
    );
  });
});
