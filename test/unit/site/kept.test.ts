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

test('what was made is given again until something is written, or the moment is over', async () => {
  const { world, ask } = keeping();
  expect([await ask('k'), await ask('k'), await ask('other')]).toEqual(['x1', 'x1', 'x2']);
  world.revision = '2';
  expect([await ask('k'), await ask('k')]).toEqual(['x3', 'x3']);
  world.moment = 'b';
  expect([await ask('k'), await ask('k')]).toEqual(['x4', 'x4']);
});

test('what is not to be kept is made each time, as is everything while the revision is not known', async () => {
  const { world, ask } = keeping();
  expect([await ask('k', '!'), await ask('k', '!')]).toEqual(['!1', '!2']);
  world.revision = undefined;
  expect([await ask('k'), await ask('k')]).toEqual(['x3', 'x4']);
});

test('what was made while somebody wrote is not kept', async () => {
  const { world, ask, keep } = keeping();
  const first = await keep('k', async () => {
    world.revision = '2';
    await ask('other');
    return 'made of the former content';
  });
  expect([first, await ask('k')]).toEqual(['made of the former content', 'x2']);
});

test('what several ask for at the same time is made once, but not for who asks after a write', async () => {
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

test('what could not be made is tried again', async () => {
  const { keep, ask } = keeping();
  await expect(keep('k', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await ask('k')).toBe('x1');
});

test('the oldest go first when there is too much, and one that is too large is not kept', async () => {
  const { ask } = keeping(3_020);
  const [one, two, three] = [await ask('1'), await ask('2'), await ask('3')];
  expect([await ask('1'), await ask('2'), await ask('3')]).toEqual([one, two, three]);
  await ask('4');
  expect(await ask('2')).toBe(two);
  expect(await ask('1')).not.toBe(one);
  const large = 'x'.repeat(3_000);
  expect(await ask('large', large)).not.toBe(await ask('large', large));
});

test('addresses count, too: strangers make them as long as they like', async () => {
  const { ask } = keeping(10_000);
  const long = 'k'.repeat(5_000);
  expect(await ask(long)).not.toBe(await ask(long));
});

test('what was asked for once goes before what was asked for again, however many strangers ask', async () => {
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

test('what is asked for again is kept in the form for that', async () => {
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
/** As by a statement that finds the site at a revision. */
const foundAt =
  (world: { readonly revision: string }) =>
  ({ revision, confirm }: At): string => {
    confirm?.(world.revision);
    return `of ${revision}`;
  };

test('what a statement confirms is made without asking for the revision, and kept', async () => {
  const { world, ask, quiet } = supposing();
  await quiet();
  expect([await ask('k', foundAt(world)), world.asked]).toEqual(['of 1', 1]);
  expect([await ask('k', () => 'never made'), world.asked]).toEqual(['of 1', 2]);
});

test('what no statement confirms goes out once the revision has been asked for', async () => {
  const { world, ask, quiet } = supposing();
  await quiet();
  expect([await ask('k', ({ revision }) => `of ${revision}`), world.asked]).toEqual(['of 1', 2]);
  world.revision = '2';
  expect(await ask('other', ({ revision }) => `of ${revision}`)).toBe('of 2');
});

test('what was made of another revision than supposed is made again, for all who ask for it', async () => {
  const { world, ask, quiet } = supposing();
  await quiet();
  world.revision = '2';
  const [one, two] = [ask('k', foundAt(world)), ask('k', foundAt(world))];
  expect(await Promise.all([one, two])).toEqual(['of 2', 'of 2']);
  expect(await ask('k', () => 'never made')).toBe('of 2');
});

test('what was found at two revisions is made again', async () => {
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

test('who asks while the same is made at what is supposed waits for it, unless somebody has written since', async () => {
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

test('nothing is supposed while somebody writes', async () => {
  const { world, ask, quiet } = supposing();
  await quiet();
  world.revision = '2';
  expect([await ask('one', foundAt(world)), world.asked]).toEqual(['of 2', 2]);
  world.now += 1_000;
  expect([await ask('other', foundAt(world)), world.asked]).toEqual(['of 2', 3]);
  world.now += 1;
  expect([await ask('third', foundAt(world)), world.asked]).toEqual(['of 2', 3]);
});
