import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { loadConfig } from '../../src/config.ts';
import { expandEnvironment } from '../../src/config/environment.ts';

interface Service {
  readonly image?: string;
  readonly build?: { readonly dockerfile_inline: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck: { readonly test: readonly string[]; readonly interval: string; readonly timeout: string; readonly retries: number };
}

// Of the Compose specification, what a service of ours may use.
const SERVICE_KEYS = ['image', 'build', 'command', 'environment', 'volumes', 'ports', 'depends_on', 'healthcheck', 'init', 'restart', 'stop_grace_period'];

const document = parseDocument(readFileSync('docker-compose.yml', 'utf8'), { merge: true });
const compose = document.toJS() as { readonly services: Readonly<Record<string, Service>>; readonly volumes: Readonly<Record<string, null>> };
const services = Object.entries(compose.services);
const calsyncd = compose.services['calsyncd'] as Service;
// Compose's ${NAME:?message} is a ${NAME} that must be set.
const environment = Object.fromEntries(Object.entries(calsyncd.environment ?? {}).map(([name, text]) => [name, expandEnvironment(text.replace(/:\?[^}]*\}/, '}'), { POSTGRES_PASSWORD: 'secret' }).text]));

test('the file is YAML, and has only the keys of the specification', () => {
  expect([document.errors, document.warnings]).toEqual([[], []]);
  expect(Object.keys(compose)).toEqual(['services', 'volumes']);
});

describe.each(services)('%s', (_, service) => {
  test('has only known keys, an image or a build, and restarts', () => {
    expect(Object.keys(service).filter((key) => !SERVICE_KEYS.includes(key))).toEqual([]);
    expect([service.image, service.build].filter(Boolean)).toHaveLength(1);
    expect(service).toMatchObject({ restart: 'unless-stopped' });
  });

  test('tells whether it is healthy', () => {
    expect(service.healthcheck.test[0]).toBe('CMD');
    for (const duration of [service.healthcheck.interval, service.healthcheck.timeout]) expect(duration).toMatch(/^\d+s$/);
    expect(service.healthcheck.retries).toBeGreaterThan(0);
  });

  test('waits for services that can be waited for, and mounts what there is', () => {
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) expect([condition, compose.services[name]?.healthcheck === undefined]).toEqual(['service_healthy', false]);
    for (const volume of service.volumes ?? []) {
      const [from = ''] = volume.split(':');
      expect(from.startsWith('./') ? existsSync(from) : from in compose.volumes).toBe(true);
    }
  });
});

test('the configuration accepts what calsyncd is given, and it names its neighbours', () => {
  const { value, problems } = loadConfig({ path: 'config/calsyncd.yaml', env: environment });
  expect(problems).toEqual([]);
  expect([value?.port, value?.host, value?.dataDir]).toEqual([8080, '0.0.0.0', '/app/data']);
  expect(new URL(value?.databaseUrl?.reveal() ?? '').hostname in compose.services).toBe(true);
  expect(new URL(value?.redisUrl?.reveal() ?? '').hostname in compose.services).toBe(true);
  expect(Object.keys(calsyncd.depends_on ?? {}).toSorted()).toEqual(['postgres', 'valkey']);
  expect(calsyncd.ports).toEqual([`127.0.0.1:8080:${value?.port}`]);
  expect(calsyncd.healthcheck.test.at(-1)).toContain(`http://127.0.0.1:${value?.port}/readyz`);
});

test('the queue neither forgets nor throws away', () => {
  expect(compose.services['valkey']?.command?.join(' ')).toBe('valkey-server --appendonly yes --maxmemory-policy noeviction');
});

test('the image copies what there is, and starts the launcher as another user than root', () => {
  const dockerfile = calsyncd.build?.dockerfile_inline ?? '';
  const copied = [...dockerfile.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));
  expect(copied).toEqual(expect.arrayContaining(['package.json', 'package-lock.json', 'src', 'config']));
  expect(copied.filter((source) => !existsSync(source))).toEqual([]);
  expect(dockerfile).toMatch(/^USER node\nENTRYPOINT \["node", "src\/launch\.js"\]\nCMD \["start"\]$/m);
});
