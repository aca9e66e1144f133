import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SiteClient } from '../../../src/client/site-client.ts';
import type { Item } from '../../../src/run/state/batches.ts';
import { makeListedByRuns } from '../../../src/run/state/listed-names.ts';
import { findLinked } from '../../../src/run/write/find-linked.ts';
import { clientOf, closeClients } from '../../support/client-of.ts';
import { realSite, type RealSite } from '../../support/real-site/real-site.ts';

const PER_PAGE = 50;

let real: RealSite;
let client: SiteClient;
let clock = Date.parse('2026-11-01T10:00:00Z');
beforeEach(async () => {
  // Every post has a different time.
  real = await realSite({ now: () => (clock += 1_000) });
  client = clientOf(real);
  for (let number = 1; number <= 3 * PER_PAGE; number += 1) addVenue(`Hall ${number}`);
});
afterEach(async () => {
  await closeClients();
  await real.close();
});

const addVenue = (venue: string): number => real.person.addVenue({ venue });
const remove = (path: string): Promise<unknown> => client.write([{ method: 'DELETE', path }]);

const creating = (resource: 'venues' | 'organizers', name: string): Item => ({
  action:
    resource === 'venues'
      ? { kind: 'create', resource, ref: `venues:${name}`, fields: { venue: name } }
      : { kind: 'create', resource, ref: `organizers:${name}`, fields: { organizer: name } },
  change: null,
});

/** What one batch after another finds of the names that it is about to create: the id, or null for a new name. */
function finder(): (...names: readonly string[]) => Promise<readonly (number | null)[]> {
  const at = { client, run: 'run', listed: makeListedByRuns() };
  return async (...names) => {
    const linking = names.map((name) => ({ item: creating('venues', name), outcome: null }));
    const found = await findLinked(at, linking);
    return found.map(({ outcome }) => (outcome === null ? null : (outcome as { id: number }).id));
  };
}

/** How often the list of venues is requested meanwhile. */
async function reads(work: () => Promise<unknown>): Promise<number> {
  const before = real.requests.length;
  await work();
  return real.requests.slice(before).filter((request) => /^GET .*\/venues/.test(request)).length;
}

describe('the names that later batches of a run create', () => {
  test('are looked up among what was added since the first batch', async () => {
    const find = finder();
    expect(await reads(() => find('New 1'))).toBe(3);
    addVenue('New 1');
    // One request for their number, and one for the first page.
    expect(await reads(() => find('New 2'))).toBe(2);
    const other = addVenue('New 3');
    expect(await find('New 3', 'New 4')).toEqual([other, null]);
  });

  test('are found even if more was added than fits on a page', async () => {
    const find = finder();
    await find('New 1');
    const other = addVenue('New 2');
    for (let number = 1; number <= 2 * PER_PAGE; number += 1) addVenue(`Room ${number}`);
    expect(await find('New 2')).toEqual([other]);
  });

  test('are found even if as many others were deleted as were added', async () => {
    const find = finder();
    const doomed = [addVenue('Doomed 1'), addVenue('Doomed 2')];
    await find('New 1');
    for (const id of doomed) await remove(`/venues/${id}`);
    const other = addVenue('New 2');
    expect(await find('New 2')).toEqual([other]);
    await remove(`/venues/${other}`);
    const [earlier] = [addVenue('New 3'), addVenue('Room 1')];
    expect(await find('New 3')).toEqual([earlier]);
  });

  test('are looked up again if the list had them before, as that venue may be gone', async () => {
    const find = finder();
    const kept = addVenue('Old');
    expect(await find('Old')).toEqual([kept]);
    await remove(`/venues/${kept}`);
    addVenue('Room 1');
    expect(await find('Old')).toEqual([null]);
  });

  test('are looked up by kind, as an organizer may have the name of a venue', async () => {
    const at = { client, run: 'run', listed: makeListedByRuns() };
    const linking = [creating('venues', 'Hall 1'), creating('organizers', 'Hall 1')];
    const found = await findLinked(
      at,
      linking.map((item) => ({ item, outcome: null })),
    );
    expect(found).toMatchObject([{ outcome: { kind: 'done' } }, { outcome: null }]);
  });
});

test('a process remembers only the lists of its latest runs', () => {
  const listed = makeListedByRuns();
  const names = { ids: new Set<number>(), names: new Set<string>() };
  for (let number = 1; number <= 9; number += 1) listed.keep(`run ${number}`, 'venues', names);
  expect(listed.of('run 1', 'venues')).toBeUndefined();
  expect(listed.of('run 2', 'venues')).toBe(names);
  expect(listed.of('run 2', 'organizers')).toBeUndefined();
  listed.forget('run 2');
  expect(listed.of('run 2', 'venues')).toBeUndefined();
});
