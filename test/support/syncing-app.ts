import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SiteClient } from '../../src/client/site-client.ts';
import { openApp, type App } from '../../src/cli/open/open-context.ts';
import type { Io } from '../../src/cli/terminal/io.ts';
import { openReload, type Reload } from '../../src/cli/reload/open-reload.ts';
import { loadConfig, type Config } from '../../src/config.ts';
import type { Event } from '../../src/contract/representation.ts';
import type { DatabaseAddress } from '../../src/db/database.ts';
import type { SourceSetup } from '../../src/run/state/context.ts';
import { startRun } from '../../src/run/steps/start-run.ts';
import { carryOn } from '../../src/run/steps/carry-on.ts';
import type { Report } from '../../src/sync/model/plan.ts';
import { urlOf } from './database-address.ts';
import { freshDatabase } from './database.ts';
import { scratchPath } from './scratch.ts';
import { sharedParser } from './shared-parser.ts';

/** The whole program in this process, on its own database, with a clock that the test moves. */
export interface SyncingApp {
  readonly directory: string;
  readonly address: DatabaseAddress;
  readonly clock: { now: number };
  /** The environment for reading configurations. */
  readonly env: Readonly<Record<string, string>>;
  /** Opens the program with a configuration (YAML). Several can be open at a time, like several processes. */
  readonly open: (
    yaml: string,
    environment?: Readonly<Record<string, string>>,
    looksOnly?: boolean,
  ) => Promise<OpenedApp>;
  readonly close: () => Promise<void>;
}

export interface OpenedApp extends App {
  readonly config: Config;
  /** The configuration file is watched only on request. */
  readonly reload: Reload;
  /** The client of the first site. */
  readonly site: SiteClient;
  readonly setup: (source: string) => SourceSetup;
  /** Makes one run in this process. */
  readonly sync: (source: string, full?: boolean) => Promise<Report>;
  /** All events of the first site except those in the trash. */
  readonly events: () => Promise<readonly Event[]>;
}

export const START = Date.UTC(2027, 0, 15, 12);

export async function syncingApp(): Promise<SyncingApp> {
  const { address, close } = await freshDatabase();
  const directory = await mkdtemp(scratchPath('syncing'));
  const clock = { now: START };
  const opened: App[] = [];
  const env = {
    DATABASE_URL: urlOf(address),
    LOG_LEVEL: 'fatal',
    PORT: '8080',
    DATA_DIR: path.join(directory, 'data'),
  };
  let files = 0;
  const open: SyncingApp['open'] = async (yaml, environment = {}, looksOnly = false) => {
    const file = path.join(directory, `config-${(files += 1)}.yaml`);
    await writeFile(file, yaml);
    const { value: config, problems } = loadConfig({ path: file, env: { ...env, ...environment } });
    if (!config) throw new Error(problems.map(({ message }) => message).join('\n'));
    const io: Io = {
      out: ignore,
      err: ignore,
      isTerminal: false,
      now: () => clock.now,
      stopped: new Promise(() => undefined),
      parser: sharedParser,
    };
    const app = await openApp(config, io, undefined, looksOnly);
    let closed = false;
    const once = {
      ...app,
      get publicUrl() {
        return app.publicUrl;
      },
      close: async () => {
        if (!closed) {
          closed = true;
          await app.close();
        }
      },
    };
    opened.push(once);
    return withShortcuts(once, config, openReload(once, { name: file, bytes: Buffer.from(yaml), config, env }));
  };
  return {
    directory,
    address,
    clock,
    env,
    open,
    close: async () => {
      for (const app of opened) await app.close();
      await close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const ignore = (): void => undefined;

function withShortcuts(app: App, config: Config, reload: Reload): OpenedApp {
  const site = [...app.sites.sites.values()][0]!.client();
  const setup = (source: string): SourceSetup => app.context.sources.get(source)!;
  return {
    ...app,
    get publicUrl() {
      return app.publicUrl;
    },
    config,
    reload,
    site,
    setup,
    sync: async (source, full = false) => {
      const own = setup(source);
      const report = await carryOn(app.context, own, await startRun(app.context, own, 'command', full), ignore);
      if (!report) throw new Error(`${source} is busy`);
      return report;
    },
    events: async () => {
      const all: Event[] = [];
      for await (const event of site.list('events', {
        starts_after: '1971-01-01',
        per_page: '50',
        status: 'publish,draft,pending,private',
      }))
        all.push(event);
      return all;
    },
  };
}
