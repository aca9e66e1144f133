import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { comingStart } from '../support/coming.ts';
import { freePort, programHome, type Daemon, type Home } from '../support/daemon.ts';
import { blocksIn, textOf } from '../support/documents.ts';
import { isInstalled } from '../support/program.ts';
import { scratchPath } from '../support/scratch.ts';
import { until } from '../support/until.ts';

// The configurations in docs/proxies.md, in front of a real daemon: each block as it is, except for names, ports and
// certificates.

const page = textOf('docs/proxies.md');
const directory = mkdtempSync(scratchPath('proxies'));
chmodSync(directory, 0o755);
const inPlace = (name: string): string => path.join(directory, name);
const CERTIFICATE = inPlace('certificate.pem');
const KEY = inPlace('key.pem');
const outside = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

interface Ports {
  readonly http: number;
  readonly https: number;
  readonly daemon: number;
}

interface Proxy {
  readonly name: string;
  readonly binary: string;
  readonly version: readonly string[];
  /** Completes a block of the page to a configuration with our ports and certificate. */
  readonly configuration: (block: string, ports: Ports) => string;
  /** The block for a path, or the main block changed as the page says. */
  readonly below: (block: string) => string;
  readonly start: (file: string) => readonly [command: string, ...args: string[]];
}

const certified = (block: string): string =>
  block.replace(/\/etc\/\S*fullchain\.pem/, CERTIFICATE).replace(/\/etc\/\S*privkey\.pem/, KEY);
const atDaemon = (block: string, { daemon }: Ports): string =>
  block.replaceAll('127.0.0.1:8080', `127.0.0.1:${daemon}`);

const PROXIES: readonly Proxy[] = [
  {
    name: 'caddy',
    binary: 'caddy',
    version: ['version'],
    configuration: (block, ports) =>
      `{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n\tstorage file_system ${directory}\n}\n${atDaemon(
        block,
        ports,
      ).replace(/^\S+ \{/, `https://:${ports.https} {\n\ttls ${CERTIFICATE} ${KEY}`)}`,
    below: () => blocksIn(page, 'caddy')[1] ?? '',
    start: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
  },
  {
    name: 'nginx',
    binary: 'nginx',
    version: ['-v'],
    configuration: (block, ports) => `
      daemon off; pid ${inPlace('nginx.pid')}; error_log stderr;
      ${process.getuid?.() === 0 ? 'user root;' : ''}
      events {}
      http {
        access_log off;
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${inPlace(each)};`).join(' ')}
        ${certified(atDaemon(block, ports)).replace('listen 443', `listen ${ports.https}`).replace('listen 80;', `listen ${ports.http};`)}
      }`,
    below: (block) => block.replace('location / ', 'location /calendar/ ').replace('8080;', '8080/;'),
    start: (file) => ['nginx', '-p', directory, '-c', file],
  },
  {
    name: 'apache',
    binary: 'apache2',
    version: ['-v'],
    configuration: (block, ports) => `
      ServerRoot ${directory}
      ServerName localhost
      PidFile ${inPlace('apache.pid')}
      ErrorLog ${inPlace('apache.log')}
      ${['mpm_event', 'authz_core', 'alias', 'socache_shmcb', 'ssl', 'headers', 'proxy', 'proxy_http']
        .map((each) => `LoadModule ${each}_module /usr/lib/apache2/modules/mod_${each}.so`)
        .join('\n')}
      ${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
      Mutex file:${directory}
      DefaultRuntimeDir ${directory}
      Listen ${ports.https}
      Listen ${ports.http}
      ${certified(atDaemon(block, ports)).replace('*:443', `*:${ports.https}`).replace('*:80', `*:${ports.http}`)}`,
    below: (block) => block.replace('ProxyPass / ', 'ProxyPass /calendar/ '),
    start: (file) => ['apache2', '-X', '-f', file],
  },
];

let home: Home;
let ports: Ports;
let daemon: Daemon;
let password: string;

const configured = (publicUrl: string): string => `
builtin: { title: Behind a proxy, public_url: "${publicUrl}" }
sources: {}
`;

beforeAll(async () => {
  const made = spawnSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1 -keyout ${KEY} -out ${CERTIFICATE}`.split(
      ' ',
    ),
  );
  if (made.status !== 0) throw new Error(String(made.stderr));
  chmodSync(KEY, 0o644);
  const [http, https] = [await freePort(), await freePort()];
  home = await programHome(configured(`https://127.0.0.1:${https}`));
  ports = { http, https, daemon: Number(home.env['PORT']) };
  daemon = home.start();
  await daemon.ready();
  password = /only this once:\n\n {2}(\S+)/.exec(daemon.stdout())?.[1] ?? '';
});

let proxy: ChildProcess | undefined;
afterEach(async () => {
  if (proxy?.exitCode === null) {
    proxy.kill('SIGTERM');
    await once(proxy, 'exit');
  }
});
afterAll(async () => {
  await home.close();
  rmSync(directory, { recursive: true, force: true });
});

async function startProxy(which: Proxy, block: string): Promise<void> {
  const file = inPlace(`${which.name}.conf`);
  writeFileSync(file, which.configuration(block, ports));
  const [command, ...args] = which.start(file);
  const started = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: directory } });
  proxy = started;
  let said = '';
  started.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  started.stdout.resume();
  await until(`${which.name} to answer`, async () => {
    if (started.exitCode !== null) throw new Error(`${which.name} ended: ${said}`);
    return (await ask('/healthz').catch(() => undefined)) ? true : undefined;
  });
}

interface Asked extends RequestOptions {
  readonly body?: string | Uint8Array;
}

/** Resolves when the headers of the answer have arrived. */
async function open(pathname: string, { body, ...options }: Asked = {}): Promise<IncomingMessage> {
  const asked = request({
    host: '127.0.0.1',
    port: ports.https,
    path: pathname,
    rejectUnauthorized: false,
    ...options,
  });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}

async function ask(
  pathname: string,
  asked: Asked = {},
): Promise<{ status: number; text: string; to: string; cookies: string }> {
  const answer = await open(pathname, asked);
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return {
    status: answer.statusCode ?? 0,
    text: Buffer.concat(chunks).toString(),
    to: answer.headers.location ?? '',
    cookies: (answer.headers['set-cookie'] ?? []).join('\n'),
  };
}

const cookieOf = (cookies: string): string =>
  cookies
    .split('\n')
    .map((one) => one.replace(/;.*/, ''))
    .join('; ');
const tokenIn = (text: string): string => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };

/** Signs in as a browser does; returns the cookies. */
async function signIn(base: string): Promise<string> {
  const gate = await ask(`${base}/operator/`);
  expect(gate.cookies).toContain('Secure');
  const cookie = cookieOf(gate.cookies);
  const body = new URLSearchParams({ token: tokenIn(gate.text), login: 'admin', password, do: 'signin' }).toString();
  const done = await ask(`${base}/operator/`, { method: 'POST', headers: { ...FORM, cookie }, body });
  expect([done.status, done.to]).toEqual([303, `${base}/operator/`]);
  return `${cookie}; ${cookieOf(done.cookies)}`;
}

const CALENDAR = (bytes: number): string => {
  const line = `X-FILLER:${'x'.repeat(63)}\r\n`;
  return [
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n',
    line.repeat(Math.floor(bytes / line.length)),
    `BEGIN:VEVENT\r\nUID:one@test\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:${comingStart(0)}Z\r\n`,
    'SUMMARY:One event in much paper\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  ].join('');
};

async function upload(base: string, cookie: string, bytes: number): Promise<{ status: number; text: string }> {
  const { text } = await ask(`${base}/operator/add/`, { headers: { cookie } });
  const form = new FormData();
  form.append('token', tokenIn(text));
  form.append('do', 'upload');
  form.append('file', new Blob([CALENDAR(bytes)]), 'large.ics');
  const sent = new Response(form);
  const body = new Uint8Array(await sent.arrayBuffer());
  const headers = {
    cookie,
    'sec-fetch-site': 'same-origin',
    'content-type': sent.headers.get('content-type') ?? '',
    'content-length': body.length,
  };
  return ask(`${base}/operator/add/`, { method: 'POST', headers, body });
}

const isThere = ({ binary, version }: Proxy): boolean => isInstalled(binary, version, `apt-get install ${binary}`);

describe.each(PROXIES.filter(isThere))('$name', (which) => {
  const block = blocksIn(page, which.name)[0] ?? '';

  test('passes on the client’s address, and ignores a forged X-Forwarded-For', async ({ skip }) => {
    await startProxy(which, block);
    expect((await ask('/')).text).toContain('Behind a proxy');
    if (outside === undefined) return skip('this machine has only one address');
    const { status, text } = await ask('/operator/', { host: outside, headers: { 'x-forwarded-for': '127.0.0.1' } });
    expect([status, text]).toEqual([403, expect.stringContaining(`you come from ${outside}.`)]);
  });

  test('sends Strict-Transport-Security with every answer', async () => {
    await startProxy(which, block);
    for (const place of ['/', '/operator/', '/no-such-page'])
      expect((await open(place)).headers['strict-transport-security']).toBe('max-age=31536000');
  });

  // Caddy redirects by default.
  test.runIf(which.name !== 'caddy')('redirects http to https', async () => {
    await startProxy(which, block);
    const { status, headers } = await fetch(`http://127.0.0.1:${ports.http}/edit?a=b`, {
      headers: { host: 'calendar.example.org' },
      redirect: 'manual',
    });
    expect([status, headers.get('location')]).toEqual([
      301,
      expect.stringMatching(/^https:\/\/(?:127\.0\.0\.1|calendar\.example\.org)\/edit\?a=b$/),
    ]);
  });

  test('lets people sign in, pages update themselves, and files of 10 MB be uploaded', async () => {
    await startProxy(which, block);
    const cookie = await signIn('');
    const stream = await open('/operator/live?page=/operator/&part=page', { headers: { cookie } });
    const [first] = (await once(stream, 'data')) as [Buffer];
    expect([stream.headers['content-type'], first.toString(), stream.complete]).toEqual([
      'text/event-stream; charset=utf-8',
      expect.stringMatching(/^retry: /),
      false,
    ]);
    stream.destroy();
    const taken = await upload('', cookie, 9_900_000);
    expect([taken.status, taken.text]).toEqual([200, expect.stringContaining('One event in much paper')]);
  });
});

describe('below a path', () => {
  beforeAll(async () => {
    await daemon.stop('SIGTERM');
    await home.write('calsyncd.yaml', configured(`https://127.0.0.1:${ports.https}/calendar`));
    daemon = home.start();
    await daemon.ready();
  });

  test.each(PROXIES.filter(isThere))('$name strips the path, and links on pages include it', async (which) => {
    await startProxy(which, which.below(blocksIn(page, which.name)[0] ?? ''));
    const { text } = await ask('/calendar/');
    const links = [...text.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, to = '']) => to);
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((to) => !to.startsWith('/calendar/'))).toEqual([]);
    const style = links.find((to) => to.includes('.css')) ?? '';
    expect((await ask(style)).status).toBe(200);
    const cookie = await signIn('/calendar');
    expect((await ask('/calendar/operator/add/', { headers: { cookie } })).status).toBe(200);
  });
});

test('the page has the expected blocks for each proxy', () => {
  expect(PROXIES.map(({ name }) => blocksIn(page, name).length)).toEqual([2, 1, 1]);
});
