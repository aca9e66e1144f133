import { expect, test } from 'vitest';
import { keepMade, type At } from '../../../src/site/kept.ts';

function keeping(bytesMax = 100_000, more: { readonly onceMax?: number } = {}) {
  const world = { revision: '1' as string | undefined, moment: 'a', made: 0 };
  const find = keepMade<string>({
    revision: async () => world.revision,
    now: () => 0,
    moment: () => world.moment,
    sizeOf: (made) => (made.startsWith('!') ? undefined : made.length),
    bytesMax,
    ...more,
  });
  const keep = async (key: string, make: () => Promise<string>): Promise<string> => {
    const { made, fill } = await find(key);
    return made ?? fill(make);
  };
  const make = async (text = 'x'): Promise<string> => `${text}${(world.made += 1)}`;
  return { world, ask: (key: string, text?: string) => keep(key, () => make(text)), keep };
}

test('a result is reused until something is written or the moment is over', async () => {
  const { world, ask } = keeping();
  expect([await ask('k'), await ask('k'), await ask('other')]).toEqual(['x1', 'x1', 'x2']);
  world.revision = '2';
  expect([await ask('k'), await ask('k')]).toEqual(['x3', 'x3']);
  world.moment = 'b';
  expect([await ask('k'), await ask('k')]).toEqual(['x4', 'x4']);
});

test('what must not be kept is made each time, and so is everything while the revision is unknown', async () => {
  const { world, ask } = keeping();
  expect([await ask('k', '!'), await ask('k', '!')]).toEqual(['!1', '!2']);
  world.revision = undefined;
  expect([await ask('k'), await ask('k')]).toEqual(['x3', 'x4']);
});

test('a result made during a write is not kept', async () => {
  const { world, ask, keep } = keeping();
  const first = await keep('k', async () => {
    world.revision = '2';
    await ask('other');
    return 'made of the former content';
  });
  expect([first, await ask('k')]).toEqual(['made of the former content', 'x2']);
});

test('simultaneous requests share one result, but not with a request after a write', async () => {
  const { world, keep, ask } = keeping();
  const slow = Promise.withResolvers<string>();
  const [one, two] = [keep('k', () => slow.promise), ask('k', 'never made')];
  await ask('other');
  world.revision = '2';
  const afterWrite = ask('k', 'of the new content ');
  expect(await afterWrite).toBe('of the new content 2');
  slow.resolve('of the former content');
  expect(await Promise.all([one, two])).toEqual(['of the former content', 'of the former content']);
  expect(await ask('k')).toBe('of the new content 2');
});

test('the request after a failure tries again', async () => {
  const { keep, ask } = keeping();
  await expect(keep('k', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await ask('k')).toBe('x1');
});

test('the oldest results are dropped first, and one that is too large is not kept', async () => {
  const { ask } = keeping(3_020);
  const [one, two, three] = [await ask('1'), await ask('2'), await ask('3')];
  expect([await ask('1'), await ask('2'), await ask('3')]).toEqual([one, two, three]);
  await ask('4');
  expect(await ask('2')).toBe(two);
  expect(await ask('1')).not.toBe(one);
  const large = 'x'.repeat(3_000);
  expect(await ask('large', large)).not.toBe(await ask('large', large));
});

test('the length of keys counts, too, as strangers can make them long', async () => {
  const { ask } = keeping(10_000);
  const long = 'k'.repeat(5_000);
  expect(await ask(long)).not.toBe(await ask(long));
});

test('results requested once are dropped before those requested again', async () => {
  const { ask } = keeping(1_000_000, { onceMax: 64 });
  const [popular, once] = [await ask('popular'), await ask('once')];
  await ask('popular');
  for (let other = 0; other < 63; other += 1) await ask(`first ${other}`);
  expect(await ask('once')).toBe(once);
  const late = await ask('late');
  for (let other = 0; other < 64; other += 1) await ask(`second ${other}`);
  expect([await ask('popular'), await ask('once')]).toEqual([popular, once]);
  expect(await ask('late')).not.toBe(late);
});

test('a result that is requested again is converted once and kept in that form', async () => {
  let made = 0;
  const find = keepMade<string>({
    revision: async () => '1',
    now: () => 0,
    moment: () => '',
    sizeOf: (text) => text.length,
    bytesMax: 10_000,
    again: (text) => `${text} again ${(made += 1)}`,
  });
  const ask = async (): Promise<string> => {
    const { made: kept, fill } = await find('k');
    return kept ?? fill(async () => 'x');
  };
  expect([await ask(), await ask(), await ask()]).toEqual(['x', 'x again 1', 'x again 1']);
});

function supposing() {
  const world = { revision: '1', now: 0, asked: 0 };
  const find = keepMade<string>({
    revision: async () => {
      world.asked += 1;
      return world.revision;
    },
    now: () => world.now,
    moment: () => 'a',
    sizeOf: (made) => made.length,
    bytesMax: 100_000,
  });
  const ask = async (key: string, make: (at: At) => string | Promise<string>): Promise<string> => {
    const { made, fill } = await find(key);
    return made ?? fill(async (at) => make(at));
  };
  /** Nobody has written for a while. */
  const quiet = async (): Promise<void> => {
    await ask('first', () => '');
    world.now += 1_001;
  };
  return { world, ask, quiet };
}
/** Makes a result as a statement does that finds the site at a revision. */
const foundAt =
  (world: { readonly revision: string }) =>
  ({ revision, confirm }: At): string => {
    confirm?.(world.revision);
    return `of ${revision}`;
  };

test('if a statement confirms the revision, it is not asked for separately', async () => {
  const { world, ask, quiet } = supposing();
  await quiet();
  expect([await ask('k', foundAt(world)), world.asked]).toEqual(['of 1', 1]);
  expect([await ask('k', () => 'never made'), world.asked]).toEqual(['of 1', 2]);
});

test('without a confirmation, the revision is asked for before the result is given', async () => {
  const { world, ask, quiet } = supposing();
  await quiet();
  expect([await ask('k', ({ revision }) => `of ${revision}`), world.asked]).toEqual(['of 1', 2]);
  world.revision = '2';
  expect(await ask('other', ({ revision }) => `of ${revision}`)).toBe('of 2');
});

test('a result of another revision than assumed is made again for all who wait', async () => {
  const { world, ask, quiet } = supposing();
  await quiet();
  world.revision = '2';
  const [one, two] = [ask('k', foundAt(world)), ask('k', foundAt(world))];
  expect(await Promise.all([one, two])).toEqual(['of 2', 'of 2']);
  expect(await ask('k', () => 'never made')).toBe('of 2');
});

test('a result read at two revisions is made again', async () => {
  const { world, ask, quiet } = supposing();
  await quiet();
  const made = await ask('k', ({ revision, confirm }) => {
    confirm?.(world.revision);
    world.revision = '2';
    confirm?.(world.revision);
    return `of ${revision}`;
  });
  expect(made).toBe('of 2');
});

test('a request waits for the same result in the making, unless there was a write since', async () => {
  const { world, ask, quiet } = supposing();
  await quiet();
  const slow = Promise.withResolvers<string>();
  const one = ask('k', async ({ confirm }) => {
    confirm?.('1');
    return slow.promise;
  });
  await Promise.resolve();
  const two = ask('k', () => 'never made');
  await new Promise(setImmediate);
  world.revision = '2';
  const three = ask('k', foundAt(world));
  expect(await three).toBe('of 2');
  slow.resolve('of 1');
  expect(await Promise.all([one, two])).toEqual(['of 1', 'of 1']);
});

test('no revision is assumed for a second after a write', async () => {
  const { world, ask, quiet } = supposing();
  await quiet();
  world.revision = '2';
  expect([await ask('one', foundAt(world)), world.asked]).toEqual(['of 2', 2]);
  world.now += 1_000;
  expect([await ask('other', foundAt(world)), world.asked]).toEqual(['of 2', 3]);
  world.now += 1;
  expect([await ask('third', foundAt(world)), world.asked]).toEqual(['of 2', 3]);
});
