import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/database.ts';
import type { Report } from '../../src/sync/model/plan.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { builtinGrounds } from '../support/machine/builtin-grounds.ts';
import { configured } from '../support/machine/configured.ts';
import type { Grounds, Post } from '../support/machine/grounds.ts';
import { realGrounds } from '../support/machine/real-grounds.ts';
import { startWorker, type Worker } from '../support/machine/worker.ts';
import { approve, sync } from '../support/machine/world.ts';

// Reads successive versions of real feeds. After the last one, the site must show exactly its events, each once,
// whatever happened to their UIDs.

const folder = path.join(
  process.env['CALSYNCD_CORPUS'] ?? path.join(import.meta.dirname, '../../../shared'),
  'feeds/timelines',
);
const timelines = existsSync(folder) ? readdirSync(folder).toSorted() : [];
if (timelines.length === 0) process.stderr.write(`Not run: no timelines in ${folder} (set CALSYNCD_CORPUS).\n`);

const SITES = ['the built-in site', 'a real site'] as const;
const told = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

interface Import {
  readonly grounds: Grounds;
  /** Reads a version on its day. */ readonly read: (version: Buffer, day: number) => Promise<Step>;
  readonly close: () => Promise<void>;
}
interface Step {
  readonly created: number;
  readonly updated: number;
  readonly removed: number;
  readonly held: readonly string[];
  readonly rung: string;
}

const open: Import[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function importer(site: (typeof SITES)[number]): Promise<Import> {
  const config = await configured(
    'builtin: { timezone: Europe/Warsaw }\nsources: { feed: { url: "https://feed.example/feed.ics", missing: { after: 1 } } }\n',
  );
  const { database, close }: FreshDatabase = await freshDatabase();
  let [bytes, now]: [Uint8Array, number] = [new Uint8Array(), 0];
  const grounds = site === 'a real site' ? realGrounds(() => now) : await builtinGrounds(config, database, () => now);
  const fetch = async () =>
    ({
      kind: 'fetched',
      bytes,
      contentType: 'text/calendar',
      validators: { etag: null, lastModified: null },
      finalUrl: 'https://feed.example/feed.ics',
    }) as const;
  const worker = await startWorker({ database, grounds, now: () => now, fetch, sources: () => config.sources });
  const read = async (version: Buffer, day: number): Promise<Step> => {
    [bytes, now] = [version, day];
    const reports = await runsOf(worker);
    const { rows } = await sql<{ rung: string }>`select rung from calsync.sources`.execute(database.query());
    const sum = (count: 'created' | 'updated' | 'removed'): number =>
      reports.reduce((total, report) => total + report[count], 0);
    return {
      created: sum('created'),
      updated: sum('updated'),
      removed: sum('removed'),
      held: reports.flatMap(({ problems }) =>
        problems.filter(({ code }) => code === 'held').map(({ message }) => message),
      ),
      rung: rows[0]!.rung,
    };
  };
  const one = {
    grounds,
    read,
    close: async () => {
      await worker.end();
      await grounds.close();
      await close();
    },
  };
  open.push(one);
  return one;
}

/** Makes a run, which the operator approves if it is held, and a second one that must find nothing to do. */
async function runsOf(worker: Worker): Promise<readonly Report[]> {
  const first = (await sync(worker, 'feed', true))!;
  const reports =
    first.state === 'held' ? [first, (await approve(worker, { run: first.run, source: 'feed' }))!] : [first];
  expect(await sync(worker, 'feed', true)).toMatchObject({
    state: 'unchanged',
    created: 0,
    updated: 0,
    removed: 0,
    writes: 0,
  });
  return reports;
}

const dayOf = (file: string): number => Date.parse(`${/\d{4}-\d\d-\d\d/.exec(file)![0]}T12:00:00Z`);

/** What a visitor sees of an event. */
const shown = ({ title, startsAt, endsAt, zone, venue, description, categories, tags, status }: Post): string =>
  JSON.stringify({
    title,
    starts: new Date(startsAt),
    ends: new Date(endsAt),
    zone,
    venue,
    description,
    categories,
    tags,
    status,
  });

const liveOn = async ({ grounds }: Import): Promise<readonly Post[]> =>
  (await grounds.posts()).filter(({ status }) => status !== 'trash');

const versionsOf = (timeline: string): readonly string[] =>
  readdirSync(path.join(folder, timeline))
    .filter((file) => file.endsWith('.ics'))
    .toSorted();

// The large timeline takes too long to be read twice.
const CASES = timelines
  .flatMap((timeline) => (['day by day', 'in one day'] as const).map((pace) => [timeline, pace] as const))
  .filter(
    ([timeline, pace]) =>
      pace === 'day by day' || statSync(path.join(folder, timeline, versionsOf(timeline)[0]!)).size < 1_000_000,
  );

describe.skipIf(timelines.length === 0).each(SITES)('on %s', (site) => {
  test.each(CASES)('%s, version by version, %s', async (timeline, pace) => {
    const versions = versionsOf(timeline);
    // In one day: no event of the feed ends before its last version is read.
    const clock = (file: string): number => dayOf(pace === 'day by day' ? file : versions[0]!);
    const along = await importer(site);
    for (const file of versions) {
      const { created, updated, removed, held, rung } = await along.read(
        readFileSync(path.join(folder, timeline, file)),
        clock(file),
      );
      told(
        `${site}, ${pace}, ${timeline}/${file}: ${created} created, ${updated} updated, ${removed} removed, ` +
          `known by ${rung}${held.map((why) => `; held: ${why}`).join('')}`,
      );
    }
    const last = versions.at(-1)!;
    const fresh = await importer(site);
    await fresh.read(readFileSync(path.join(folder, timeline, last)), clock(last));
    const [after, wanted] = [await liveOn(along), await liveOn(fresh)];
    const left = new Map<string, number>();
    for (const post of after) left.set(shown(post), (left.get(shown(post)) ?? 0) + 1);
    const missing = wanted.map(shown).filter((each) => {
      const count = left.get(each) ?? 0;
      left.set(each, count - 1);
      return count < 1;
    });
    expect(missing).toEqual([]);
    // Past events stay even if the feed has dropped them, and nothing is known beyond the feed's last event.
    const covered = Math.max(...wanted.map(({ startsAt }) => startsAt));
    const kept = after.filter((post) => left.get(shown(post))! > 0);
    told(`${site}, ${pace}, ${timeline}: ${wanted.length} events as in a fresh import, ${kept.length} kept besides`);
    expect(kept.filter(({ endsAt, startsAt }) => endsAt > clock(last) && startsAt <= covered).map(shown)).toEqual([]);
  });
});
