import type { ConfigStore } from '../../config/change/config-store.ts';
import { differenceOf, withRestartSettingsOf, type Difference } from '../../config/change/difference.ts';
import type { Environment } from '../../config/environment.ts';
import { watchFile, type FileContent } from '../../config/change/watch-file.ts';
import { hashOf } from '../../config/change/write-file.ts';
import { unreadable, type Config, type LoadedConfig } from '../../config.ts';
import type { Problem } from '../../problem.ts';
import { redact } from '../../redact.ts';
import type { Actor } from '../../run/watch/acts.ts';
import { recordProcessConfig, type ProcessConfig } from '../../run/watch/process-configs.ts';
import type { App } from '../open/open-context.ts';
import { problemInWords } from '../terminal/words.ts';
import { changesInWords, keepFile, openFile, readWhileRunning } from './config-file.ts';

/** Keeps the configuration in force in line with its file. */
export interface Reload extends ConfigStore {
  /** Looks at the file once. Failures are logged, and the next look tries again. */
  readonly look: () => Promise<void>;
}

/** The configuration at the start of the program: the file's name as given, its content, and the parsed value. */
export interface StartedWith {
  readonly name: string;
  readonly bytes: Buffer;
  readonly config: Config;
  /** Where `${NAME}` is looked up; by default the process's environment. */
  readonly env?: Environment;
}

const LOOK_EVERY_MS = 2_000;

const SOURCES_REMOVED =
  'sources were removed; their events stay on the site. "forget NAME" drops such a source, with --trash its events as well';

/** A person who edits the file by hand. */
const EDITOR: Actor = { name: 'somebody', from: 'file' };

/** Looks at the file now and at regular intervals. Returns a function that ends this. */
export async function watchRepeatedly({ look }: Reload): Promise<() => void> {
  await look();
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/** Opens the reload of the configuration that the program was started with. */
export function openReload(app: App, started: StartedWith): Reload {
  const { log, now } = app.context;
  const { name, bytes, env } = started;
  const reload = makeReload(app, started);
  const watch = watchFile(name, hashOf(bytes), reload.onContent, now);
  const file = openFile({ database: app.state.database, name, env, inForce: reload.accepted });
  const load = async (): Promise<ProcessConfig> => {
    await watch.readNow();
    await reload.catchUp();
    return reload.state();
  };
  let isLogged = false;
  return {
    ...file,
    load,
    state: reload.state,
    save: async (...asked) => {
      const saved = await file.save(...asked);
      if (saved.kind === 'saved') await load();
      return saved;
    },
    look: async () => {
      try {
        await watch.look();
        await reload.catchUp();
        isLogged = false;
      } catch (error) {
        // Usually the database is unavailable, and more looks follow.
        if (!isLogged) log.error({ error }, 'the configuration file could not be checked; trying again');
        isLogged = true;
      }
    },
  };
}

/** The problem of a valid configuration that could not be put into force. */
const cannotBeApplied = (file: string, error: unknown): Problem => ({
  code: 'config-not-applied',
  where: { file },
  message:
    `The file is valid, but not all of it could be put into force: ${error instanceof Error ? error.message : String(error)}. ` +
    'This is tried again every two seconds, unless the file changes again.',
});

interface Steps {
  readonly onContent: (content: FileContent) => Promise<void>;
  /** Puts whatever of the file is not yet in force into force, and reports the result. */
  readonly catchUp: () => Promise<void>;
  readonly state: () => ProcessConfig;
  /** The configuration in force; settings that need a restart are those of the start. */
  readonly accepted: () => Config;
}

function makeReload(app: App, { name, bytes: first, config: started, env }: StartedWith): Steps {
  const { log, member, now } = app.context;
  const database = app.state.database;
  let state: ProcessConfig = {
    file: app.inForce.config().file,
    hash: hashOf(first),
    since: new Date(now()),
    problems: [],
    problemsSince: null,
    restart: [],
    queue: started.redisUrl ? 'redis' : 'postgresql',
  };
  let toldAs: number | undefined;
  let waiting: { readonly config: Config; readonly version: string } | undefined;
  let notApplied: Problem | undefined;
  let accepted = started;
  let isFirstKept = false;
  // Settings that need a restart are reported until it happens.
  const running = (): Config => withRestartSettingsOf(started, accepted);
  const become = (next: Partial<ProcessConfig>): void => {
    state = { ...state, ...next };
    toldAs = undefined;
  };
  const shown = (): ProcessConfig =>
    notApplied
      ? { ...state, problems: [...state.problems, notApplied], problemsSince: state.problemsSince ?? state.since }
      : state;
  const tell = async (): Promise<void> => {
    const process = member.id();
    if (toldAs === process) return;
    await recordProcessConfig(database.query(), process, shown());
    toldAs = process;
  };
  const keepFirst = async (): Promise<void> => {
    if (!isFirstKept) await keepFile(database, first, EDITOR);
    isFirstKept = true;
  };
  const takeWaiting = async (): Promise<void> => {
    const taking = waiting;
    if (!taking) return;
    try {
      const taken = await app.inForce.take(taking.config, taking.version);
      // A newer one may have arrived in the meantime.
      if (taken === 'all' && waiting === taking) waiting = undefined;
      if (notApplied) log.info('the configuration is in force now');
      notApplied = undefined;
    } catch (error) {
      if (notApplied) return;
      log.error({ error }, 'the configuration could not be put into force; trying again');
      notApplied = cannotBeApplied(name, error);
    }
    toldAs = undefined;
  };
  const refuse = (problems: readonly Problem[]): void => {
    become({ problems, problemsSince: state.problemsSince ?? new Date(now()) });
    log.error(
      { problems: problems.map((problem) => redact(problemInWords(problem))) },
      'the configuration file cannot be used: the last good one stays in force',
    );
  };
  const accept = async (bytes: Buffer, value: Config, { doubts, warnings }: LoadedConfig): Promise<void> => {
    const difference = differenceOf(running(), value);
    const changes = changesInWords(difference);
    const version = await keepFile(database, bytes, EDITOR, difference);
    waiting = { config: withRestartSettingsOf(app.inForce.config(), value), version: String(version) };
    notApplied = undefined;
    accepted = value;
    become({
      hash: hashOf(bytes),
      since: new Date(now()),
      problems: [],
      problemsSince: null,
      restart: difference.restart,
    });
    tellTaken(difference, changes);
    for (const problem of [...doubts, ...warnings]) log.warn({ ...problem.where }, redact(problem.message));
  };
  const tellTaken = ({ restart, sources: { removed } }: Difference, changes: string): void => {
    log.info({ changes }, 'the configuration file was read again');
    if (removed.length > 0) log.info({ sources: removed }, SOURCES_REMOVED);
    if (restart.length > 0) log.warn({ restart }, 'a part of the configuration takes effect at the next start');
  };
  return {
    state: shown,
    accepted: running,
    onContent: async (content) => {
      await keepFirst();
      if (content.kind === 'unreadable') return refuse([unreadable(name, content.error)]);
      if (content.hash === state.hash) {
        log.info('the configuration file can be used again: it is as it was');
        return become({ problems: [], problemsSince: null });
      }
      const loaded = readWhileRunning(name, content.bytes, env);
      return loaded.value ? accept(content.bytes, loaded.value, loaded) : refuse(loaded.problems);
    },
    catchUp: async () => {
      await keepFirst();
      await takeWaiting();
      await tell();
    },
  };
}
