import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandIn, type Said } from '../../support/command.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';

let syncing: SyncingApp;
beforeAll(async () => {
  syncing = await syncingApp();
  for (const application of ['phone', 'phone', 'newsletter', 'shop'])
    await said('password', 'alice', application, '--role', 'editor');
  await said('password', 'bob', 'phone', '--role', 'editor');
});
afterAll(() => syncing.close());

const YAML = 'sources: {}\n';
const said = (...words: readonly string[]): Promise<Said> => commandIn(syncing, YAML, words);

interface Listed {
  readonly application_passwords: readonly { readonly application: string; readonly last_used: string | null }[];
}

const applicationsOf = async (login: string): Promise<readonly string[]> => {
  const { out } = await said('password', login, '--list', '--json');
  return (JSON.parse(out) as Listed).application_passwords.map(({ application }) => application).toSorted();
};

test('the application passwords of another user are listed, and revoked by name or all at once', async () => {
  expect(await applicationsOf('ALICE')).toEqual(['newsletter', 'phone', 'phone', 'shop']);
  expect((await said('password', 'alice', '--list')).out).toMatch(
    /^newsletter +\d{4}-\d\d-\d\d \d\d:\d\d \S+ +never$/m,
  );
  expect((await said('users')).out).toMatch(/^alice +editor +– +4 /m);

  expect(await said('password', 'alice', 'phone', '--revoke')).toMatchObject({
    code: 64,
    err: expect.stringContaining('add --yes to do it'),
  });
  expect(await said('password', 'alice', 'phones', '--revoke', '--yes')).toMatchObject({
    code: 64,
    err: expect.stringContaining('Did you mean "phone"? There are: newsletter, phone, shop.'),
  });
  expect(await applicationsOf('alice')).toHaveLength(4);

  expect(await said('password', 'alice', 'phone', '--revoke', '--yes')).toMatchObject({
    code: 0,
    out: 'Taken back from "alice": phone, phone.\n',
  });
  expect(await applicationsOf('alice')).toEqual(['newsletter', 'shop']);
  const { out } = await said('password', 'alice', '--revoke', '--yes', '--json');
  expect(JSON.parse(out)).toEqual({ username: 'alice', revoked: ['newsletter', 'shop'] });
  expect([await applicationsOf('alice'), await applicationsOf('bob')]).toEqual([[], ['phone']]);
  expect(await said('password', 'alice', '--revoke')).toMatchObject({
    code: 0,
    out: 'No application has a password of "alice".\n',
  });
});

test.each([
  [['--list', '--revoke'], '--list and --revoke cannot be combined'],
  [['--list', '--yes'], '--yes cannot be used with this'],
  [['--list', '--role', 'author'], '--role cannot be used with this'],
  [['--revoke', '--email', 'a@b.example', '--yes'], '--email cannot be used with this'],
  [['phone', '--list'], '--list shows all applications'],
])('password bob %j is a usage error and changes nothing', async (words, why) => {
  expect(await said('password', 'bob', ...words)).toMatchObject({
    code: 64,
    out: '',
    err: expect.stringContaining(why),
  });
  expect(await applicationsOf('bob')).toEqual(['phone']);
});

// A mistyped name must not quietly make an administrator, but a script that makes one must not be stopped.
test.each([
  [['clara', 'phone'], 'n', 1],
  [['clara', 'phone'], 'y', 0],
  [['dora', 'phone', '--yes'], undefined, 0],
  [['emil', 'phone', '--role', 'author'], undefined, 0],
  [['felix', 'phone', '--json'], undefined, 0],
  [['alice', 'tablet'], undefined, 0],
  [['clara/anna', 'phone'], undefined, 1],
  [['gerda', ' '], undefined, 1],
  [['gerda', 'phone', '--email', 'gerda'], undefined, 1],
])('password %j asks only before making an administrator: answer %s, code %d', async (words, answer, code) => {
  const asked: string[] = [];
  const ended = await commandIn(syncing, YAML, ['password', ...words], {
    ask: async (question) => {
      asked.push(question);
      return answer;
    },
  });
  expect({ code: ended.code, asked }).toEqual({
    code,
    asked:
      answer === undefined
        ? []
        : [
            'There is no account "clara" yet. This makes one, as an administrator, who may do everything; --role gives it another role. Do it? [y/N] ',
          ],
  });
  const isThere = new RegExp(`^${words[0]} `, 'm').test((await said('users')).out);
  expect(isThere).toBe(code === 0);
});

test('without a terminal, the account is made without asking, and the command says so', async () => {
  expect(await said('password', 'hans', 'phone')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Created the user "hans". Role: administrator.'),
  });
});
