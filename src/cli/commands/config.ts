import type { Saved } from '../../config/change/config-store.ts';
import { maskSecrets } from '../../config/change/mask-secrets.ts';
import { hashOf } from '../../config/change/write-file.ts';
import { readConfig, type Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import { zonesOfSites } from '../../run/state/site-zones.ts';
import { commandActor } from '../../run/watch/acts.ts';
import { findVersion, listVersions, type ConfigVersion } from '../../run/watch/config-versions.ts';
import { withDatabase } from '../open/open-database.ts';
import { openFile } from '../reload/config-file.ts';
import { confirm, YES } from '../terminal/confirmed.ts';
import { commandOf, type Call } from '../terminal/command.ts';
import { EXIT, printJson, type ExitCode } from '../terminal/io.ts';
import { printTable, screenOf } from '../terminal/screen.ts';
import { timeColumn } from '../text/time-column.ts';
import { problemInWords } from '../terminal/words.ts';
import { WrongUse } from '../terminal/wrong-use.ts';

type ConfigCall = Call<readonly [action?: string, version?: string]>;

/** `config [versions | show N | restore N]`: lists, shows or restores valid versions of the configuration file. */
export const command = commandOf({
  group: 'Start and check',
  usage: 'config [action] [version]',
  description: 'versions: the last good versions of the configuration file; show N; restore N writes one of them',
  example: 'config restore 12',
  choices: { action: ['versions', 'show', 'restore'] },
  options: [['--secrets', 'show: print the secrets in the file as well'], YES],
  worksWithout: 'unread',
  act: async (call) => {
    const [action = 'versions', version] = call.args;
    const act = ACTIONS[action];
    if (!act) throw new WrongUse(`There is no "config ${action}": it is versions, show N or restore N.`);
    return withDatabase(call.config, call.io, (database) => act(call, database, version));
  },
});

type Act = (call: ConfigCall, database: Database, version: string | undefined) => Promise<ExitCode>;

const ACTIONS: Readonly<Record<string, Act>> = { versions, show, restore };

async function versions({ io, options, config, file }: ConfigCall, database: Database): Promise<ExitCode> {
  const kept = await listVersions(database.query());
  if (options.json) {
    printJson(io, { versions: kept });
    return EXIT.done;
  }
  const zoneOf = await zonesOfSites(database.query(), config.builtin.timezone);
  const current = hashOf(file.bytes);
  if (kept.length === 0) io.out('No version is kept yet: a running calsyncd keeps them.\n');
  const when = timeColumn('kept', ['builtin'], zoneOf, screenOf(io));
  printTable(io, {
    headings: ['version', when.heading, 'by', 'what changed'],
    rows: kept.map(({ id, at, by, changes, hash }) => ({
      cells: [
        String(id).padStart(5),
        when.cell('builtin', at),
        by.name,
        `${changes || 'when calsyncd started'}${hash === current ? '  (the current file)' : ''}`,
      ],
    })),
  });
  return EXIT.done;
}

async function show({ io, options }: ConfigCall, database: Database, version: string | undefined): Promise<ExitCode> {
  const { bytes, ...found } = await versionNamed(database, version);
  const text = bytes.toString('utf8');
  const shown = options['secrets'] === true ? text : maskSecrets(text);
  if (options.json) printJson(io, { ...found, text: shown });
  else io.out(shown);
  return EXIT.done;
}

async function restore(call: ConfigCall, database: Database, version: string | undefined): Promise<ExitCode> {
  const { io, options, file } = call;
  const { id, bytes } = await versionNamed(database, version);
  const current = hashOf(file.bytes);
  if (file.bytes.length > 0 && !(await listVersions(database.query())).some(({ hash }) => hash === current))
    await confirm(call, `${file.name} has changed since the last version that is kept, and version ${id} replaces it.`);
  const lastGood = await lastGoodConfig(call, database);
  const store = openFile({ database, name: file.name, inForce: () => lastGood });
  const saved = await store.save(bytes.toString('utf8'), current, commandActor(), {
    details: { version: id },
  });
  if (options.json) printJson(io, { restored: saved.kind === 'saved' ? id : null, ...saved });
  if (saved.kind === 'saved') {
    if (!options.json)
      io.out(`${file.name} is as it was in version ${id}. A running calsyncd notices within seconds.\n`);
    return EXIT.done;
  }
  io.err(`Nothing was written: ${whyNot(saved)}\n`);
  return EXIT.failed;
}

/**
 * The configuration in force, as far as a command can know: the file's or, if that is broken, the last valid version's.
 */
async function lastGoodConfig({ isBroken, config, file }: ConfigCall, database: Database): Promise<Config | undefined> {
  if (!isBroken) return config;
  const [last] = await listVersions(database.query());
  const version = last && (await findVersion(database.query(), last.id));
  return version && readConfig(file.name, version.bytes).value;
}

function whyNot(saved: Exclude<Saved, { readonly kind: 'saved' }>): string {
  if (saved.kind === 'edited') return 'somebody else has just changed the file. Look at it, and try again.';
  if (saved.kind === 'read-only')
    return `${saved.reason}. "config show N --secrets" prints the version, for you to put there yourself.`;
  const problems = saved.problems.map((problem) => `  ${problemInWords(problem)}`).join('\n');
  return `that version cannot be used any more:\n${problems}`;
}

async function versionNamed(
  database: Database,
  named: string | undefined,
): Promise<ConfigVersion & { readonly bytes: Buffer }> {
  if (named === undefined) throw new WrongUse('Name a version by its number: "config versions" lists them.');
  const found = await findVersion(database.query(), Number(named) || 0);
  if (!found)
    throw new AppError('version-unknown', `There is no version ${named}: "config versions" lists those that are kept.`);
  return found;
}
