import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * A ring of tests, by its folder. The limits are for a machine that is many times slower than a quiet one: what hangs
 * is to end, nothing more.
 */
const ring = (name: string, testTimeout: number, extra: object = {}) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    env: { TZ: 'UTC' },
    // As the launcher runs the program.
    execArgv: ['--expose-gc'],
    ...extra,
  },
});

const onDatabase = { globalSetup: 'test/support/database-setup.ts' };

/**
 * What `npm test` runs leaves nothing behind in its process: the next file takes it over, with all that it has loaded,
 * which takes half a second (so no vi.mock there).
 */
const shared = { isolate: false };

/** A file of a line or two lets a machine run that lies elsewhere, for minutes. */
const isShort = ({ moduleId }: TestSpecification): boolean => statSync(moduleId).size < 400;

/** Reads more than a thousand feeds, however short it is. */
const isOfCorpus = ({ project }: TestSpecification): boolean => project.name === 'corpus';

/** What takes longest goes first, so that it does not run alone at the end: the corpus, short files, then the larger ones. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rings = Map.groupBy(
      [...sorted.filter(isOfCorpus), ...sorted.filter((file) => !isOfCorpus(file))],
      ({ project }) => project.name,
    );
    return [...rings.values()].flatMap((own) => [...own.filter(isShort), ...own.filter((file) => !isShort(file))]);
  }
}

/** Tests wait for databases, browsers and other processes more than they compute: two processors carry four files. */
const FILES_AT_ONCE = 4;

export default defineConfig({
  test: {
    // What is wrong is said whole: a report without its lines of differences, too, tells what came instead.
    chaiConfig: { truncateThreshold: 0 },
    sequence: { sequencer: LongestFirst },
    maxWorkers: Math.max(FILES_AT_ONCE, availableParallelism() - 1),
    projects: [
      ring('unit', 600_000, { include: ['test/unit/**/*.test.ts', 'test/architecture.test.ts'], ...shared }),
      ring('contract', 120_000, { ...onDatabase, ...shared }),
      ring('integration', 120_000, { ...onDatabase, ...shared }),
      ring('e2e', 300_000, onDatabase),
      ring('long', 1_200_000, onDatabase),
      ring('attack', 120_000, onDatabase),
      ring('corpus', 1_800_000, onDatabase),
      // Real processes that are killed, frozen and cut off: by themselves, and three files at a time (package.json),
      // as they watch the clock of others, and wait half of the time.
      ring('faults', 600_000, { globalSetup: 'test/faults/table.ts' }),
    ],
  },
});
