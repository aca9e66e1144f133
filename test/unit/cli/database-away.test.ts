import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';

// A command that waits for the database says so, and can be stopped at once, even one that usually finishes its work
// first.

async function said(
  words: readonly string[],
  port: number,
  isTerminal: boolean,
): Promise<{ code: number; err: string }> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  let err = '';
  process.env['DATABASE_URL'] = `postgres://someone:secret@127.0.0.1:${port}/town`;
  try {
    const code = await runProgram([...words, '--config', 'config/calsyncd.yaml'], {
      out: () => undefined,
      err: (text) => {
        err += text;
        if (text.includes('waiting for it')) stop();
      },
      isTerminal,
      columns: () => 200,
      now: () => Date.UTC(2027, 0, 1),
      stopped,
    });
    return { code, err };
  } finally {
    delete process.env['DATABASE_URL'];
  }
}

test.each([
  [['runs'], false],
  [['forget', '--event', 'some'], false],
  [['events'], true],
])('%j says that it waits where nothing listens (on a terminal: %s)', async (words, isTerminal) => {
  const begun = performance.now();
  const { code, err } = await said(words, 1, isTerminal);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(
      /The database 127\.0\.0\.1:1\/town does not answer yet \(connect ECONNREFUSED 127\.0\.0\.1:1\): waiting for it, at most 1 min\.\n/,
    ) as string,
  });
  expect(err).not.toContain('secret');
  expect(performance.now() - begun).toBeGreaterThan(900);
});

test('a command also waits for a server that accepts the connection and never answers', async () => {
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => open.add(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect((await said(['runs'], port, false)).err).toBe(
    `The database 127.0.0.1:${port}/town does not answer yet: waiting for it, at most 1 min.\n` +
      'Stopped before the database answered: nothing was done.\n',
  );
  for (const socket of open) socket.destroy();
  server.close();
});

/** What `doctor` prints where the database cannot be opened. */
async function examined(...options: readonly string[]): Promise<{ code: number; out: string }> {
  let out = '';
  process.env['DATA_DIR'] = 'package.json/data';
  try {
    const code = await runProgram(['doctor', ...options, '--config', 'config/calsyncd.yaml'], {
      out: (text) => {
        out += text;
      },
      err: () => undefined,
      isTerminal: false,
      now: () => Date.UTC(2027, 0, 1),
      stopped: new Promise(() => undefined),
    });
    return { code, out };
  } finally {
    delete process.env['DATA_DIR'];
  }
}

test('doctor reports a database that cannot be opened like any other finding', async () => {
  expect(await examined()).toEqual({
    code: 1,
    out: expect.stringMatching(
      /^BAD +database\n +! The data directory .+ cannot be used: .+\nNothing else was tested/,
    ) as string,
  });
  const { code, out } = await examined('--json');
  expect({ code, json: JSON.parse(out) as unknown }).toMatchObject({
    code: 1,
    json: {
      ok: false,
      problems: [{ code: 'data-directory', message: expect.stringContaining('The data directory') as string }],
      database: { ok: false },
    },
  });
});
