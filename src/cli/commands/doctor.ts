import { hashOf } from '../../config/change/write-file.ts';
import { receiverNames } from '../../alerts/alert-settings.ts';
import { openBackend } from '../../queue/backend.ts';
import { SYNC_QUEUE } from '../../queue/jobs.ts';
import { rowOf, sql } from '../../db/database.ts';
import { countInWords, grouped, timesInWords } from '../../count-in-words.ts';
import { bytesInWords } from '../../backup/words.ts';
import { AppError } from '../../error.ts';
import type { Problem } from '../../problem.ts';
import { listConfigs, type NamedProcessConfig } from '../../run/watch/process-configs.ts';
import { waitingForPerson } from '../../run/state/troubles.ts';
import { undelivered } from '../../run/deliveries/deliveries.ts';
import { commandOf, type Call } from '../terminal/command.ts';
import { whileReading } from '../progress/while-reading.ts';
import { EXIT, printJson, type ExitCode } from '../terminal/io.ts';
import { withAppToLook, type App } from '../open/open-context.ts';
import { tryBackups } from '../backups/try-backups.ts';
import type { Finding } from '../doctor/finding.ts';
import { tryEarlierRuns } from '../doctor/try-earlier-runs.ts';
import { trySite } from '../doctor/try-site.ts';
import { trySource } from '../doctor/try-source.ts';
import { timesAtSites, zonesOfSites } from '../../run/state/site-zones.ts';
import { okOrBad, printLines, printTable } from '../terminal/screen.ts';
import type { Line, Row } from '../text/table.ts';
import { zonesNote } from '../text/time-column.ts';
import { problemInWords } from '../terminal/words.ts';

/**
 * `doctor`: tests the database, the queue, each site with its features and our rights there, and each source. Changes
 * nothing.
 */
export const command = commandOf({
  group: 'Start and check',
  usage: 'doctor',
  description: 'test everything: database, queue, sites and rights, sources',
  example: 'doctor',
  act: async (call) => {
    let isOpen = false;
    try {
      return await withAppToLook(call.config, call.io, (app) => {
        isOpen = true;
        return examine(app, call);
      });
    } catch (error) {
      if (isOpen || !(error instanceof AppError) || error.code === 'stopped') throw error;
      return await tellOfNoDatabase(error, call);
    }
  },
});

/** Without the database nothing else can be tested, because it holds all that is known about sites and sources. */
async function tellOfNoDatabase(error: AppError, { io, options }: Call): Promise<ExitCode> {
  const finding = await tried({ part: 'database', name: 'database', test: () => Promise.reject(error) });
  const { problems } = finding;
  if (options.json) printJson(io, { ok: false, problems, ...factsOf([{ ...finding, part: 'database' }]) });
  else {
    printTable(io, { rows: [rowOfFinding(finding)] });
    io.out('Nothing else was tested: everything else needs the database.\n');
  }
  return EXIT.failed;
}

/** A test with its result. */
interface Tested extends Finding {
  readonly name: string;
}

/** A test, in the order of reporting; `part` is its name in JSON. */
interface Test {
  readonly part: keyof typeof PARTS;
  readonly name: string;
  /** Which item is tested, for a part that has several. */
  readonly one?: string;
  readonly test: () => Promise<Finding>;
}

/** The parts of the JSON, and whether a part has one item or several. */
const PARTS = {
  database: 'one',
  queue: 'one',
  configuration: 'one',
  sites: 'several',
  sources: 'several',
  failing: 'one',
  waiting: 'one',
  alerts: 'one',
  backups: 'one',
} as const;

const testsOf = (app: App, call: Call): readonly Test[] => [
  { part: 'database', name: 'database', test: () => tryDatabase(app) },
  { part: 'queue', name: 'queue', test: () => tryQueue(app, call) },
  { part: 'configuration', name: 'configuration', test: () => tryConfigs(app, call) },
  ...[...app.sites.sites.values()].map((site): Test => ({
    part: 'sites',
    name: `site ${site.name}`,
    one: site.name,
    test: () =>
      trySite(
        site,
        call.config.sources.filter((source) => source.site === site.name),
      ),
  })),
  ...call.config.sources.map((source): Test => ({
    part: 'sources',
    name: `source ${source.name}`,
    one: source.name,
    test: () => trySource(app, source),
  })),
  { part: 'failing', name: 'earlier runs', test: () => tryEarlierRuns(app, call) },
  { part: 'waiting', name: 'decisions', test: () => tryDecisions(app, call) },
  { part: 'alerts', name: 'alerts', test: () => tryAlerts(app, call) },
  { part: 'backups', name: 'backups', test: () => tryBackups(app) },
];

async function examine(app: App, call: Call): Promise<ExitCode> {
  const { io, config, options } = call;
  const tests = testsOf(app, call);
  const all = await whileReading(app, io, 'testing', async ({ tell }) => {
    const found: (Tested & Pick<Test, 'part'>)[] = [];
    for (const test of tests) {
      tell({ done: found.length, of: tests.length, unit: 'tests', doing: test.name });
      found.push({ part: test.part, ...(await tried(test)) });
    }
    return found;
  });
  const problems = all.flatMap((finding) => finding.problems);
  if (options.json) printJson(io, { ok: problems.length === 0, problems, ...factsOf(all) });
  else {
    printTable(io, { rows: all.map(rowOfFinding) });
    const sites = [...app.sites.sites.values()].map(({ key }) => key);
    printLines(io, [zonesNote(sites, await zonesOfSites(app.state.database.query(), config.builtin.timezone))]);
  }
  if (problems.length === 0) return EXIT.done;
  const isOnlyWaiting = all.every((finding) => finding.part === 'waiting' || finding.problems.length === 0);
  return isOnlyWaiting ? EXIT.needsPerson : EXIT.failed;
}

const factsOf = (all: readonly (Pick<Finding, 'facts'> & Pick<Test, 'part'>)[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(PARTS).map(([part, count]) => {
      const facts = all.filter((finding) => finding.part === part).map((finding) => finding.facts);
      return [part, count === 'one' ? facts[0] : facts];
    }),
  );

/** Whether the running processes use the configuration file in its current version. */
async function tryConfigs({ state }: App, { file, config }: Call): Promise<Finding> {
  const running = await listConfigs(state.database.query());
  const problems = running.flatMap((one) => one.problems);
  const hash = hashOf(file.bytes);
  const behind = running.filter((one) => one.file === config.file && one.hash !== hash && one.problems.length === 0);
  const restart = [...new Set(running.flatMap((one) => one.restart))];
  const waits = restart.length === 0 ? '' : `; at the next start: ${restart.join(', ')}`;
  return {
    found:
      running.length === 0
        ? 'no daemon is running'
        : `${countInWords(running.length, 'process', 'processes')} using it${waits}`,
    // A change is picked up within seconds; other machines may have a file of their own.
    remarks: behind.map(({ process }) => `${process} uses another version of ${config.file} than the one here`),
    facts: { ok: problems.length === 0, processes: running },
    // All processes of a machine report the same file's problems.
    problems: [...new Map(problems.map((problem) => [problemInWords(problem), problem])).values()],
  };
}

/** The receivers of alerts, and those who could not be reached. `alerts test` sends a message. */
async function tryAlerts({ state }: App, { config }: Call): Promise<Finding> {
  const names = receiverNames(config);
  const unreached = (await undelivered(state.database.query())).filter(({ receiver }) => names.includes(receiver));
  return {
    found:
      names.length === 0 ? 'nobody is notified' : `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} notified`,
    facts: { ok: unreached.length === 0, receivers: names },
    problems: unreached.map(({ receiver, answer, tries }) => ({
      code: 'alert-not-sent',
      where: { field: receiver },
      message:
        `${receiver} did not accept the last message (tried ${timesInWords(tries)}): ` +
        `${answer}. "npm run -s calsyncd -- alerts test ${receiver}" tries again.`,
    })),
  };
}

/** What waits for a person's decision. */
async function tryDecisions({ context }: App, { config }: Call): Promise<Finding> {
  const times = await timesAtSites(context.database.query(), config.builtin.timezone);
  const problems = await waitingForPerson(context, times);
  return {
    found: problems.length === 0 ? 'nothing needs review' : '',
    facts: { ok: problems.length === 0, waiting: problems.length },
    problems,
  };
}

async function tried({ name, one = name, test }: Test): Promise<Tested> {
  try {
    return { name, ...(await test()) };
  } catch (error) {
    const code = error instanceof AppError ? error.code : 'unexpected';
    const message = error instanceof Error ? error.message : String(error);
    return {
      name,
      found: '',
      facts: { name: one, ok: false },
      problems: [{ code, message: `${name}: ${message}`, where: {} }],
    };
  }
}

const rowOfFinding = ({ name, found, remarks = [], problems }: Tested): Row => ({
  cells: [okOrBad(problems.length === 0), name, found],
  below: [
    ...remarks.map((remark) => `~ ${remark}`),
    // The row shows the name already, which the problems repeat for JSON.
    ...problems.map((problem): Line => ({
      text: `! ${problemInWords(problem).replace(`${name}: `, '')}`,
      style: 'bad',
    })),
  ],
});

async function tryDatabase({ state }: App): Promise<Finding> {
  const result = await sql<{ version: string; size: number; waits: number }>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as size,
    current_setting('max_connections')::int as waits`.execute(state.database.query());
  const { version, size, waits } = rowOf(result);
  const kind = 'url' in state.address ? 'of DATABASE_URL' : 'embedded';
  return {
    found: `PostgreSQL ${version}, ${kind}, ${bytesInWords(size)}, ${waits} connections`,
    facts: { ok: true, version, kind, bytes: size, connections: waits },
    problems: [],
  };
}

async function tryQueue({ state, context }: App, { config }: Call): Promise<Finding> {
  const backend = await openBackend(
    config.redisUrl ? { redisUrl: config.redisUrl.reveal() } : { database: state.address },
    1,
    context.log,
  );
  try {
    const counts = await (await backend.queue(SYNC_QUEUE)).getJobCounts('waiting', 'active', 'delayed', 'failed');
    const running = await listConfigs(state.database.query());
    const problems = [...(await backend.problems()), ...otherQueues(running, backend.kind)];
    return {
      found: `BullMQ on ${backend.kind}: ${Object.entries(counts)
        .map(([kind, count]) => `${grouped(count)} ${kind}`)
        .join(', ')}`,
      facts: { ok: problems.length === 0, kind: backend.kind, jobs: counts },
      problems,
    };
  } finally {
    await backend.close();
  }
}

const QUEUES = { redis: 'Redis (REDIS_URL)', postgresql: 'the database (no REDIS_URL)' } as const;

/** Processes that use another queue and will never carry out what is put into this one. */
const otherQueues = (running: readonly NamedProcessConfig[], ours: keyof typeof QUEUES): readonly Problem[] =>
  running.flatMap(({ process, queue }) =>
    queue === null || queue === ours
      ? []
      : [
          {
            code: 'queue-other',
            where: { field: 'REDIS_URL' },
            message:
              `${process} has its queue in ${QUEUES[queue]}, this command in ${QUEUES[ours]}. Give all processes and ` +
              'commands of a database the same REDIS_URL, or none: jobs in one queue are never done by the processes of another.',
          },
        ],
  );
