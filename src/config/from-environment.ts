import path from 'node:path';
import type { Problem } from '../problem.ts';
import { LOG_LEVELS, type Config } from './config.ts';
import { decoded, readHeaderList, type Environment } from './environment.ts';
import { Secret } from './secret.ts';

type FromEnvironment = Pick<Config, 'port' | 'host' | 'dataDir' | 'databaseUrl' | 'redisUrl' | 'traces' | 'logLevel'>;

/** Reads the part of the configuration that comes only from the environment. An empty variable counts as unset. */
export function readEnvironment(environment: Environment): {
  readonly value: FromEnvironment;
  readonly problems: readonly Problem[];
} {
  const problems: Problem[] = [];
  const read = (name: string, fallback: string, expected: string, holds: (text: string) => boolean): string => {
    const text = environment[name] || fallback;
    // Does not repeat the value, because an address may contain a password.
    if (text !== '' && !holds(text))
      problems.push({
        code: 'environment',
        message: `${name} in the environment: expected ${expected}.`,
        where: { field: name },
      });
    return text;
  };
  const address = (name: string, protocols: RegExp, example: string): Secret | undefined => {
    const isWhole = decoded(environment[name] ?? '') !== undefined;
    const expected = isWhole
      ? `an address such as ${example}`
      : 'an address in which every % begins an escape in UTF-8, as in %40 for @; write %25 for % itself';
    const text = read(name, '', expected, (written) => isWhole && protocols.test(URL.parse(written)?.protocol ?? ''));
    return text === '' ? undefined : new Secret(text);
  };
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT', '', 'an address such as http://127.0.0.1:4318', (text) =>
    /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
  );
  const traceHeaders = read(
    'OTEL_EXPORTER_OTLP_HEADERS',
    '',
    'headers such as authorization=Bearer%20abc,x-team=calendar, with %20 for a blank and %2C for a comma',
    (text) => readHeaderList(text) !== undefined,
  );
  const value = {
    traces:
      endpoint === ''
        ? undefined
        : {
            endpoint,
            headers: secretsOf(readHeaderList(traceHeaders) ?? {}),
            service: environment['OTEL_SERVICE_NAME'] || 'calsyncd',
          },
    port: Number(
      read(
        'PORT',
        '8080',
        'a port from 0 to 65535 (0: any free one)',
        (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535,
      ),
    ),
    host: read('HOST', '127.0.0.1', 'an address or a name to listen on', (text) => /^[\w.:-]+$/.test(text)),
    dataDir: path.resolve(environment['DATA_DIR'] || 'data'),
    databaseUrl: address('DATABASE_URL', /^postgres(ql)?:$/, 'postgres://user:password@host:5432/calsyncd'),
    redisUrl: address('REDIS_URL', /^rediss?:$/, 'redis://host:6379'),
    logLevel: read('LOG_LEVEL', 'info', `one of ${LOG_LEVELS.join(', ')}`, (text) =>
      (LOG_LEVELS as readonly string[]).includes(text),
    ) as Config['logLevel'],
  };
  return { value, problems };
}

const secretsOf = (texts: Readonly<Record<string, string>>): Readonly<Record<string, Secret>> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, new Secret(text)]));
