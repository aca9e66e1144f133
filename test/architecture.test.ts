import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageOf, partOf, sourceFiles, type SourceFile } from './support/source-files.ts';

// Which parts of src a part may import, beside itself and the shared files. ARCHITECTURE.md shows the same table.
// A shared file may import those before it in this list.
const SHARED = [
  'feed-codes.ts',
  'codes.ts',
  'problem.ts',
  'error.ts',
  'pauses.ts',
  'time.ts',
  'time-in-words.ts',
  'remembered.ts',
  'html',
  'json.ts',
  'ascii.ts',
  'etag.ts',
  'coalesced.ts',
  'all-ended.ts',
  'count-in-words.ts',
  'redact.ts',
  'budget.ts',
  'request-bytes.ts',
  'files',
  'charset.ts',
  'measures.ts',
  'look',
];
const LAYERS: readonly (readonly [part: string, ...uses: string[]])[] = [
  ['contract'],
  ['selection'],
  ['ical'],
  ['csv'],
  ['sync', 'contract', 'ical', 'csv'],
  ['log.ts'],
  ['db'],
  ['backup', 'db', 'log.ts'],
  ['config', 'ical', 'csv', 'sync'],
  ['config.ts', 'config'],
  ['client', 'contract', 'log.ts'],
  ['site', 'contract', 'selection', 'db'],
  ['run', 'contract', 'ical', 'sync', 'client', 'backup', 'db', 'log.ts'],
  ['feeds', 'contract', 'selection', 'ical', 'sync', 'client', 'db', 'log.ts'],
  ['alerts', 'sync', 'config', 'run', 'client', 'backup', 'db', 'log.ts'],
  ['publisher', 'sync', 'run', 'alerts', 'db', 'log.ts'],
  ['queue', 'sync', 'run', 'db', 'log.ts'],
  [
    'operator',
    'contract',
    'ical',
    'csv',
    'sync',
    'config',
    'client',
    'run',
    'alerts',
    'publisher',
    'backup',
    'db',
    'log.ts',
  ],
  ['web', 'log.ts'],
  [
    'cli',
    'contract',
    'ical',
    'csv',
    'sync',
    'config',
    'config.ts',
    'client',
    'site',
    'run',
    'feeds',
    'alerts',
    'publisher',
    'queue',
    'operator',
    'backup',
    'db',
    'web',
    'log.ts',
  ],
  ['main.ts', 'cli', 'log.ts', 'config.ts'],
];
// The floors of a part, which are its folders from the bottom up ('.' is the part's own folder): a file may import its
// own floor and those below.
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  ical: ['read', 'times', 'occurrences', 'write'],
  sync: ['model', 'drafts', 'formats', 'links', 'compare', 'identity', 'event', 'plan', 'review', 'decisions'],
  look: ['words', '.'],
  site: ['.', 'store', 'users', 'requests', 'embeds', 'pages', 'authorize', 'edit'],
  run: [
    'fetch',
    'parse',
    'discover',
    'log',
    'state',
    'deliveries',
    'watch',
    'site',
    'events',
    'write',
    'steps',
    'decisions',
  ],
  alerts: ['model', 'decide', 'words', 'channels', '.'],
  feeds: ['definition', 'words', 'content', 'serve', 'pages', '.'],
  operator: [
    'metrics',
    'traces',
    'frame',
    'live',
    'sources',
    'add',
    'events',
    'help',
    'runs',
    'todo',
    'rules',
    'settings',
    'alerts',
    '.',
  ],
  cli: [
    'text',
    'complete',
    'terminal',
    'progress',
    'open',
    'preview',
    'backups',
    'doctor',
    'reload',
    'web',
    'daemon',
    'commands',
    '.',
  ],
};
// A folder stays readable up to about twenty files. These are exceptions: migrations are numbered, two folders are
// sorted by prefixes, and each command has a file of its name.
const LARGE_FOLDERS = ['src/db/migrations', 'src/site/store', 'src/contract', 'src/cli/commands'];

const PURE = [
  'contract',
  'selection',
  'ical',
  'csv',
  'sync',
  'problem.ts',
  'time.ts',
  'remembered.ts',
  'html',
  'json.ts',
  'ascii.ts',
  'charset.ts',
  'count-in-words.ts',
  'time-in-words.ts',
];
// Modules of Node.js that only compute.
// `createRequire` loads a pure library on first use.
const PURE_NODE = ['node:crypto', 'node:util', 'node:string_decoder', 'node:module'];

const LIBRARIES: Readonly<Record<string, string>> = {
  luxon: 'src/time.ts',
  'sanitize-html': 'src/html/sanitize.ts',
  htmlparser2: 'src/html/',
  entities: 'src/html/references.ts',
  chardet: 'src/charset.ts',
  pino: 'src/log.ts',
  '@hono/node-server': 'src/web/start-web.ts',
  pg: 'src/db/',
  'pg-copy-streams': 'src/db/copy.ts',
  'node-ical': 'src/ical/',
  'rrule-temporal': 'src/ical/',
  'ical-generator': 'src/ical/',
  'timezones-ical-library': 'src/ical/',
  'windows-iana': 'src/ical/',
  'csv-parse': 'src/csv/',
  undici: 'src/client/',
  'ipaddr.js': 'src/client/',
  nodemailer: 'src/alerts/',
  bullmq: 'src/queue/',
  ioredis: 'src/queue/',
  commander: 'src/cli/',
  'get-east-asian-width': 'src/cli/text/text-width.ts',
  marked: 'src/html/markdown.ts',
  'swagger-ui-dist': 'src/site/',
  uqr: 'src/look/qr.ts',
  '@resvg/resvg-js': 'src/site/pages/card/draw-worker.ts',
  sharp: 'src/site/store/resize.ts',
  yaml: 'src/config/',
};

const IMPURE: Readonly<Record<string, RegExp>> = {
  'the clock': /\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\bperformance\b|\bTemporal\.Now\b/,
  randomness: /\bMath\.random\b|\brandom(?:UUID|Bytes|Int)\b|\bgetRandomValues\b/,
  'the process': /\bprocess\b|\bglobalThis\b/,
  waiting: /\basync\b|\bawait\b|\bPromise\b|\bset(?:Timeout|Interval|Immediate)\b|\bqueueMicrotask\b/,
  'fetch, the console or dynamic imports': /\bfetch\(|\bconsole\b|\bimport\(/,
};

// Tables of texts, or the declaration from which all else is derived. They are read row by row, so they may be long.
const TABLES = ['src/feed-codes.ts', 'src/config/declaration.ts'];

// A future year, alone or in a date as feeds write it; and `feedEvents`, which is for tests with a fixed clock.
const FIXED_DAYS = /\b20(?:2[7-9]|[3-8]\d)(?:\b|[01]\d[0-3]\d)|\bfeedEvents\b/;

// Released migrations, which are never changed.
const WIDE = ['001-site', '011-list-indexes', '012-list-totals', '025-counts-by-statement'].map(
  (name) => `src/db/migrations/${name}.ts`,
);

const files = sourceFiles('src');
const ours = (file: SourceFile): readonly string[] => file.imports.filter((imported) => imported.startsWith('src/'));
// package.json is imported for the program's own version.
const theirs = (file: SourceFile): readonly string[] =>
  file.imports.filter((imported) => !imported.startsWith('src/') && imported !== 'package.json');

describe('which part may import which', () => {
  test('every part of the program is in the table', () => {
    const known = new Set([...SHARED, ...LAYERS.map(([part]) => part)]);
    expect([...new Set(files.map(({ file }) => partOf(file)))].filter((part) => !known.has(part))).toEqual([]);
  });

  test('each imports only what the table allows', () => {
    const allowed = new Map([
      ...SHARED.map((part, index): [string, readonly string[]] => [part, SHARED.slice(0, index + 1)]),
      ...LAYERS.map(([part, ...uses]): [string, readonly string[]] => [part, [part, ...uses, ...SHARED]]),
    ]);
    const wrong = files.flatMap((file) =>
      ours(file)
        .filter((imported) => !(allowed.get(partOf(file.file)) ?? []).includes(partOf(imported)))
        .map((imported) => `${file.file} imports ${imported}`),
    );
    expect(wrong).toEqual([]);
  });

  test('the program imports no tests and no missing files', () => {
    const known = new Set(files.map(({ file }) => file));
    expect(
      files.flatMap((file) =>
        file.imports
          .filter((imported) => /^(?:\.|src\/|test\/)/.test(imported) && !known.has(imported))
          .map((imported) => `${file.file} imports ${imported}`),
      ),
    ).toEqual([]);
  });

  test('ARCHITECTURE.md shows this table', () => {
    const shown =
      /<!-- layers -->\n([\s\S]*?)<!-- \/layers -->/.exec(readFileSync('ARCHITECTURE.md', 'utf8'))?.[1] ?? '';
    const rows = shown
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2)
      .map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    expect(rows).toEqual(
      LAYERS.map(([part, ...uses]) => [
        `\`${part}\``,
        uses.length > 0 ? uses.map((use) => `\`${use}\``).join(', ') : 'none',
      ]),
    );
  });

  test('every folder of a part is one of its floors', () => {
    const unknown = files.filter(({ file }) => FLOORS[partOf(file)]?.includes(floorOf(file)) === false);
    expect(unknown.map(({ file }) => file)).toEqual([]);
  });

  test('each floor imports only itself and those below it', () => {
    const height = (file: string): number => FLOORS[partOf(file)]?.indexOf(floorOf(file)) ?? 0;
    const up = files.flatMap((file) =>
      ours(file)
        .filter((imported) => partOf(imported) === partOf(file.file) && height(imported) > height(file.file))
        .map((imported) => `${file.file} imports ${imported}`),
    );
    expect(up).toEqual([]);
  });

  test('there are no cycles', () =>
    expect(cyclesOf(new Map(files.map((file) => [file.file, ours(file)])))).toEqual([]));
});

describe.each(PURE)('%s is pure', (part) => {
  const own = files.filter(({ file }) => partOf(file) === part);

  test('it imports only modules of Node.js that compute', () => {
    expect(
      own.flatMap((file) =>
        theirs(file)
          .filter((imported) => imported.startsWith('node:') && !PURE_NODE.includes(imported))
          .map((imported) => `${file.file} imports ${imported}`),
      ),
    ).toEqual([]);
  });

  test.each(Object.entries(IMPURE))('it does not use %s', (_, pattern) => {
    expect(
      own.flatMap(({ file, code }) => {
        const found = pattern.exec(code);
        return found ? [`${file}: ${found[0]}`] : [];
      }),
    ).toEqual([]);
  });
});

describe('libraries', () => {
  test('each is imported in one folder or file only', () => {
    const wrong = files.flatMap((file) =>
      theirs(file)
        .filter(
          (imported) => !imported.startsWith('node:') && !file.file.startsWith(LIBRARIES[packageOf(imported)] ?? '-'),
        )
        .map((imported) => `${file.file} imports ${imported}`),
    );
    expect(wrong).toEqual([]);
  });

  test('each is a dependency, and every dependency is used', () => {
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
      'dependencies' | 'optionalDependencies',
      Record<string, string>
    >;
    const used = new Set(
      files
        .flatMap(theirs)
        .filter((imported) => !imported.startsWith('node:'))
        .map(packageOf),
    );
    const needed = [...used].filter((name) => !(name in optionalDependencies));
    expect(needed.toSorted()).toEqual(Object.keys(dependencies).toSorted());
  });
});

describe('files', () => {
  test('a folder has about twenty files at most', () => {
    const folders = Map.groupBy(files, ({ file }) => path.posix.dirname(file));
    const large = [...folders].filter(([folder, all]) => all.length > 22 && !LARGE_FOLDERS.includes(folder));
    expect(large.map(([folder, all]) => `${folder}: ${all.length}`)).toEqual([]);
  });

  test('an exported name is unique within its part', () => {
    // Migrations, commands and the routes of each area export the same names on purpose.
    const exported = files
      .filter(({ file }) => !/^src\/(?:db\/migrations\/|cli\/commands\/|operator\/\w+\/routes\.ts$)/.test(file))
      .flatMap(({ file, code }) => exportsOf(code).map((name) => ({ name: `${partOf(file)} ${name}`, file })));
    const twice = [...Map.groupBy(exported, ({ name }) => name)].filter(
      ([, all]) => new Set(all.map(({ file }) => file)).size > 1,
    );
    expect(twice.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(', ')}`)).toEqual([]);
  });

  test('none has more than 400 formatted lines, except tables', () => {
    expect(
      files
        .filter(({ file, lines }) => lines > 400 && !TABLES.includes(file))
        .map(({ file, lines }) => `${file}: ${lines}`),
    ).toEqual([]);
  });

  test('no line is longer than 160 columns', () => {
    const wide = globSync('{src,test}/**/*.{ts,js,css}').flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => (line.length > 160 ? [{ file, told: `${file}:${index + 1}: ${line.length}` }] : [])),
    );
    expect(wide.filter(({ file }) => !WIDE.includes(file)).map(({ told }) => told)).toEqual([]);
    // A file whose long lines are gone must leave the list.
    expect(WIDE.filter((file) => !wide.some((each) => each.file === file))).toEqual([]);
  });

  test('ARCHITECTURE.md has at most 160 lines', () => {
    expect(readFileSync('ARCHITECTURE.md', 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(160);
  });

  test('no default exports', () =>
    expect(files.filter(({ code }) => /\bexport default\b|\bas default\b/.test(code)).map(({ file }) => file)).toEqual(
      [],
    ));

  test('only config.ts reads the environment', () =>
    expect(
      files.filter(({ code }) => /\bprocess\s*(?:\.\s*env\b|\[)|\bBun\.env\b/.test(code)).map(({ file }) => file),
    ).toEqual(['src/config.ts']));

  test('no catch-all files such as utils.ts, and no barrels', () => {
    expect(
      files.filter(({ file }) => /\/(?:utils?|helpers?|common|misc|lib|index)\.ts$/.test(file)).map(({ file }) => file),
    ).toEqual([]);
    expect(files.filter(({ code }) => /^export \* from/m.test(code)).map(({ file }) => file)).toEqual([]);
  });
});

describe('what entry points load', () => {
  const loads = new Map(files.map(({ file, loads: loaded }) => [file, loaded]));
  const DAEMON = 'src/cli/daemon/run-daemon.ts';
  const loadedBy = (entries: readonly string[]): readonly string[] => {
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const next of loads.get(file) ?? []) visit(next);
    };
    for (const entry of entries) visit(entry);
    return [...seen];
  };
  const librariesOf = (entries: readonly string[]): readonly string[] => {
    const packages = loadedBy(entries).filter((each) => !/^(?:src|node:|package\.json)/.test(each));
    return [...new Set(packages.map(packageOf))].toSorted();
  };

  // Loading is most of a command's run time.
  test.each(['runs', 'show'])('%s, which only queries the database, loads few libraries', (name) =>
    expect(librariesOf(['src/main.ts', `src/cli/commands/${name}.ts`])).toEqual([
      'commander',
      'entities',
      'get-east-asian-width',
      'pg',
      'yaml',
    ]),
  );

  test('explain, which also asks the built-in site, loads no server, queue, feed parser or logger', () => {
    const others = ['pino', '@hono/node-server', 'undici', 'bullmq', 'ioredis', 'node-ical', 'csv-parse'];
    const loaded = librariesOf(['src/main.ts', 'src/cli/commands/explain.ts']);
    expect(loaded.filter((name) => others.includes(name))).toEqual([]);
    expect(loaded).toContain('pg');
  });

  test('start first loads what starts PostgreSQL, and the rest while that comes up', () => {
    const first = ['src/main.ts', 'src/cli/commands/start.ts'];
    const later = ['@hono/node-server', 'bullmq'];
    expect(librariesOf(first).filter((name) => later.includes(name))).toEqual([]);
    expect(loadedBy(first)).toContain('src/db/embedded/start.ts');
    expect(loadedBy([DAEMON]).length).toBeGreaterThan(loadedBy(first).length);
  });

  test('start loads no feed parsers, which run in worker threads', () => {
    const readers = ['node-ical', 'rrule-temporal', 'csv-parse', 'undici'];
    const loaded = librariesOf(['src/main.ts', 'src/cli/commands/start.ts', DAEMON]);
    expect(loaded.filter((name) => readers.includes(name))).toEqual([]);
    expect(loaded).toContain('bullmq');
    expect(librariesOf(['src/run/parse/parse-worker.ts'])).toContain('node-ical');
  });

  test('the parser thread does not load the Windows zone names up front', () =>
    expect(librariesOf(['src/run/parse/parse-worker.ts'])).not.toContain('windows-iana'));

  test('luxon is loaded once, in the build that the queue uses', () => {
    const entries = ['src/main.ts', 'src/cli/commands/start.ts', DAEMON, 'src/run/parse/parse-worker.ts'];
    expect(librariesOf(entries)).not.toContain('luxon');
    expect(createRequire(import.meta.resolve('cron-parser')).resolve('luxon')).toBe(
      createRequire(import.meta.url).resolve('luxon'),
    );
  });

  test('start does not load the Redis client up front', () => {
    expect(librariesOf(['src/main.ts', 'src/cli/commands/start.ts', DAEMON])).not.toContain('ioredis');
  });

  test.each(['src/cli/commands/explain.ts', DAEMON, 'src/run/parse/parse-worker.ts'])(
    '%s does not load the HTML parsers and the charset detector up front',
    (entry) => {
      const seldom = ['sanitize-html', 'htmlparser2', 'chardet'];
      expect(librariesOf([entry]).filter((name) => seldom.includes(name))).toEqual([]);
    },
  );

  test('the daemon does not load the public pages up front', () => {
    const pages = ['src/site/pages/handle-pages.ts', 'src/site/authorize/handle-authorize.ts'];
    expect(loadedBy([DAEMON]).filter((file) => pages.includes(file))).toEqual([]);
  });

  test('explain loads planning code only for an event that has to be read again', () => {
    const loaded = loadedBy(['src/main.ts', 'src/cli/commands/explain.ts']);
    const planning = /^src\/(?:run\/(?:steps|write)|sync\/(?:identity|links|plan\/plan))/;
    expect(loaded.filter((file) => planning.test(file))).toEqual([]);
    expect(loadedBy(['src/run/decisions/place-by-reading.ts']).some((file) => planning.test(file))).toBe(true);
  });
});

describe('tests', () => {
  test('those on the real clock contain no future year: they take their days from `coming`', () => {
    const wrong = onRealClock(sourceFiles('test')).flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => (FIXED_DAYS.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
    );
    expect(wrong).toEqual([]);
  });
});

test('the checks see what they look for', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.find(({ file }) => file === 'src/config.ts')?.imports).toEqual(
    expect.arrayContaining(['node:fs', 'src/config/resolve.ts']),
  );
  expect(
    cyclesOf(
      new Map([
        ['a', ['b']],
        ['b', ['c']],
        ['c', ['b']],
        ['d', ['a']],
      ]),
    ),
  ).toEqual(['b → c → b']);
});

/** The test and support files that start the program, or run one in their process on the real time. */
function onRealClock(tests: readonly SourceFile[]): readonly string[] {
  const found = new Set(['test/support/daemon.ts']);
  for (const { file, code } of tests) if (/\bclock\.now = Date\.now\(\)/.test(code)) found.add(file);
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const { file, imports } of tests) if (imports.some((imported) => found.has(imported))) found.add(file);
  }
  return [...found];
}

/** The floor of a file in its part: the folder below it, or '.'. */
function floorOf(file: string): string {
  const [, , folder, ...below] = file.split('/');
  return below.length > 0 ? folder! : '.';
}

const exportsOf = (code: string): readonly string[] =>
  [...code.matchAll(/^export (?:async )?(?:function\*?|const|interface|type|class) (\w+)/gm)].map(([, name]) => name!);

function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) cycles.push([...way.slice(way.indexOf(file)), file].join(' → '));
    if (done.has(file)) return;
    done.add(file);
    for (const next of graph.get(file) ?? []) visit(next, [...way, file]);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}
