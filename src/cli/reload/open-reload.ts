import type { ConfigStore } from '../../config/change/config-store.ts';
import { differenceOf, takenLive, type Difference } from '../../config/change/difference.ts';
import type { Environment } from '../../config/environment.ts';
import { watchFile, type FileContent } from '../../config/change/watch-file.ts';
import { hashOf } from '../../config/change/write-file.ts';
import { readConfig, unreadable, type Config, type LoadedConfig } from '../../config.ts';
import type { Problem } from '../../problem.ts';
import { redact } from '../../redact.ts';
import type { Actor } from '../../run/watch/acts.ts';
import { tellConfig, type ProcessConfig } from '../../run/watch/process-configs.ts';
import type { App } from '../open/open-context.ts';
import { problemInWords } from '../terminal/words.ts';
import { changesInWords, keepFile, openFile } from './config-file.ts';

/** Brings the configuration in force in line with its file. */
export interface Reload extends ConfigStore {
  /** One look at the file; what fails is logged, and tried again at the next. */
  readonly look: () => Promise<void>;
}

/** What the program was started with: the file as it was named, what it held, and what that says. */
export interface StartedWith {
  readonly name: string;
  readonly bytes: Buffer;
  readonly config: Config;
  /** Where `${NAME}` is looked up; that of the process unless given. */
  readonly env?: Environment;
}

const LOOK_EVERY_MS = 2_000;

/** Whoever edits the file by hand. */
const EDITOR: Actor = { name: 'somebody', from: 'file' };

/** Looks at the file again and again, beginning now. Returns what ends that. */
export async function keepLooking({ look }: Reload): Promise<() => void> {
  await look();
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/** Is ready to bring a configuration in line with its file, as that is while it is in force. */
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
        await reload.catchUp();
        await watch.look();
        await reload.catchUp();
        isLogged = false;
      } catch (error) {
        // Mostly the database is away, and more looks follow.
        if (!isLogged) log.error({ error }, 'the configuration file could not be looked after; trying again');
        isLogged = true;
      }
    },
  };
}

interface Steps {
  readonly onContent: (content: FileContent) => Promise<void>;
  /** Does what could not be done to its end yet. */
  readonly catchUp: () => Promise<void>;
  readonly state: () => ProcessConfig;
  /** The configuration in force, with what needs a restart as it was at the start. */
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
  };
  let toldAs: number | undefined;
  let waiting: { readonly config: Config; readonly version: string } | undefined;
  let accepted = started;
  let isFirstKept = false;
  // What needs a restart is told until there is one.
  const running = (): Config => takenLive(started, accepted);
  const become = (next: Partial<ProcessConfig>): void => {
    state = { ...state, ...next };
    toldAs = undefined;
  };
  const tell = async (): Promise<void> => {
    const process = member.id();
    if (toldAs === process) return;
    await tellConfig(database.query(), process, state);
    toldAs = process;
  };
  const take = async (config: Config, version: string): Promise<void> => {
    waiting = { config, version };
    if ((await app.inForce.take(config, version)) === 'all') waiting = undefined;
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
    await take(takenLive(app.inForce.config(), value), String(version));
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
    if (removed.length > 0)
      log.info({ sources: removed }, 'sources were taken out; their events stay on the site until "forget" drops them');
    if (restart.length > 0) log.warn({ restart }, 'a part of the configuration comes into force with the next start');
  };
  return {
    state: () => state,
    accepted: running,
    onContent: async (content) => {
      if (content.kind === 'unreadable') return refuse([unreadable(name, content.error)]);
      if (content.hash === state.hash) {
        log.info('the configuration file can be used again: it is as it was');
        return become({ problems: [], problemsSince: null });
      }
      const loaded = readConfig(name, content.bytes, env);
      return loaded.value ? accept(content.bytes, loaded.value, loaded) : refuse(loaded.problems);
    },
    catchUp: async () => {
      if (!isFirstKept) await keepFile(database, first, EDITOR);
      isFirstKept = true;
      if (waiting) await take(waiting.config, waiting.version);
      await tell();
    },
  };
}
