import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hashPassword, isPasswordOfHash, randomPassword } from '../../../src/site/authorize/account-password.ts';

// A spy, not a mock: the parameters of each call are its cost, on any machine.
const watched = vi.spyOn(crypto, 'argon2');
beforeAll(() => syncBuiltinESMExports());
afterAll(() => {
  watched.mockRestore();
  syncBuiltinESMExports();
});

/** The cost of checking a password. */
async function costOf(hash: string | null | undefined): Promise<readonly unknown[]> {
  watched.mockClear();
  expect(await isPasswordOfHash('x', hash)).toBe(false);
  return watched.mock.calls.map(([kind, { memory, passes, parallelism, tagLength }]) => ({
    kind,
    memory,
    passes,
    parallelism,
    tagLength,
  }));
}

test('a password matches its own hash, in any Unicode form, and no other password does', async () => {
  const [hash, again] = [await hashPassword('Zażółć gęślą jaźń'), await hashPassword('Zażółć gęślą jaźń')];
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(hash).not.toBe(again);
  expect(await isPasswordOfHash('Zażółć gęślą jaźń'.normalize('NFD'), hash)).toBe(true);
  expect(await isPasswordOfHash('Zażółć gęślą jaźn', hash)).toBe(false);
  expect(await isPasswordOfHash('', hash)).toBe(false);
});

test('a hash made with other cost parameters is checked with them', async () => {
  // The reference implementation's: printf password | argon2 somesalt -id -t 2 -m 16 -p 1
  expect(
    await isPasswordOfHash(
      'password',
      '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    ),
  ).toBe(true);
});

test.each([null, undefined, '', 'x', '$2b$10$abcdefghijklmnopqrstuv'])(
  'without a valid hash (%s), every password is refused at the usual cost',
  async (hash) => {
    const cost = await costOf(await hashPassword('y'));
    expect(cost).toHaveLength(1);
    expect(await costOf(hash)).toEqual(cost);
  },
);

test('random passwords differ, and have no characters that look alike', () => {
  const made = new Set(Array.from({ length: 200 }, randomPassword));
  expect(made.size).toBe(200);
  expect([...made].every((password) => /^[a-km-np-zA-HJ-NP-Z2-9]{20}$/.test(password))).toBe(true);
});
