import type { Config } from '../../config/config.ts';
import { claimPort } from '../../web/port.ts';
import { openState } from '../open/open-database.ts';
import { withPortOwner } from '../open/port-owner.ts';
import { headline, type Part } from '../open/tell-start.ts';
import { commandOf, type Call } from '../terminal/command.ts';
import type { ExitCode } from '../terminal/io.ts';
import { WrongUse } from '../terminal/wrong-use.ts';

const ROLES = ['all', 'web', 'worker'];

/** `start [--role all|web|worker]`: the daemon. */
export const command = commandOf({
  group: 'Start and check',
  usage: 'start',
  stopsItself: true,
  beginsHere: true,
  description: 'the daemon: schedules, syncs, serves the site and the feeds until it is stopped',
  example: 'start --role worker',
  choices: { role: ROLES },
  options: [['--role <role>', 'all, web (serves only) or worker (syncs only)', 'all']],
  act: start,
});

async function start(call: Call): Promise<ExitCode> {
  const { io, options } = call;
  const role = String(options['role']);
  if (!ROLES.includes(role)) throw new WrongUse(`There is no role "${role}": it is all, web or worker.`);
  const part: Part = { serves: role !== 'worker', syncs: role !== 'web' };
  const config = part.serves ? { ...call.config, port: await freePort(call.config) } : call.config;
  if (!options.json) io.out(headline(config));
  // PostgreSQL starts while the rest of the program is loaded, which takes this process longer.
  const { promise: coming, resolve: onComing } = Promise.withResolvers<void>();
  const opening = openState(config, io, onComing);
  await Promise.race([coming, opening]);
  const { runDaemon } = await import('../daemon/run-daemon.ts');
  return runDaemon(call, config, part, opening);
}

const freePort = (config: Config): Promise<number> =>
  claimPort(config).catch((error: unknown) => {
    throw withPortOwner(error, config.port);
  });
