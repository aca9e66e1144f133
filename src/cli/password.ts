import type { Command } from 'commander';
import { createApplicationPassword } from '../site/application-passwords.ts';
import type { SiteTables } from '../site/tables.ts';
import { addCommand, type Run } from './command.ts';
import { EXIT, printJson } from './io.ts';
import { withDatabase } from './open-database.ts';

/** `password USER APPLICATION`: a new application password on the built-in site. */
export const addPassword = (program: Command, run: Run): void => addCommand(program, run, {
  usage: 'password <user> <application>',
  description: 'a new application password on the built-in site; a user who does not exist is made, as an administrator',
  act: async ({ io, config, options, args: [user, application] }) => withDatabase(config, io, async (database) => {
    const { login, password, userCreated } = await createApplicationPassword(database.query<SiteTables>(), user!, application!);
    if (options.json) printJson(io, { username: login, application_password: password });
    else io.out(`${userCreated ? `Made the user "${login}", an administrator.\n` : ''}The password of "${login}" for ${application}, shown only now:\n\n  ${password.replace(/(.{4})(?=.)/g, '$1 ')}\n`);
    return EXIT.done;
  }),
});
