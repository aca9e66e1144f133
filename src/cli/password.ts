import type { Command } from 'commander';
import { createApplicationPassword } from '../site/application-passwords.ts';
import { resetAccountPassword } from '../site/authorize/accounts.ts';
import type { SiteTables } from '../site/tables.ts';
import { addCommand, type Call, type Run } from './command.ts';
import { EXIT, printJson, type ExitCode } from './io.ts';
import { withDatabase } from './open-database.ts';
import { WrongUse } from './wrong-use.ts';

/** `password USER APPLICATION`: a new application password on the built-in site; with `--account`, a new one for signing in there. */
export const addPassword = (program: Command, run: Run): void => addCommand(program, run, {
  usage: 'password <user> [application]',
  description: 'a new application password on the built-in site; a user who does not exist is made, as an administrator',
  options: [['--account', 'a new password for signing in at /authorize instead; whoever is signed in as this user is signed out']],
  act: async (call) => (call.options['account'] ? newAccountPassword(call) : newApplicationPassword(call)),
});

async function newApplicationPassword({ io, config, options, args: [user, application] }: Call): Promise<ExitCode> {
  if (application === undefined) throw new WrongUse('Name the application that will use the password: calsyncd password USER APPLICATION.');
  return withDatabase(config, io, async (database) => {
    const { login, password, userCreated } = await createApplicationPassword(database.query<SiteTables>(), user!, application);
    if (options.json) printJson(io, { username: login, application_password: password });
    else io.out(`${userCreated ? `Made the user "${login}", an administrator.\n` : ''}The password of "${login}" for ${application}, shown only now:\n\n  ${password.replace(/(.{4})(?=.)/g, '$1 ')}\n`);
    return EXIT.done;
  });
}

async function newAccountPassword({ io, config, options, args: [user, application] }: Call): Promise<ExitCode> {
  if (application !== undefined) throw new WrongUse('An account password is for no application: calsyncd password USER --account.');
  return withDatabase(config, io, async (database) => {
    const { login, password } = await resetAccountPassword(database.query<SiteTables>(), user!);
    if (options.json) printJson(io, { username: login, password });
    else io.out(`The password with which "${login}" signs in at /authorize, shown only now:\n\n  ${password}\n`);
    return EXIT.done;
  });
}
