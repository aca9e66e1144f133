import { createApplicationPassword } from '../../site/users/application-passwords.ts';
import { resetAccountPassword } from '../../site/authorize/accounts.ts';
import { roleNamed, type UserAsked } from '../../site/users/make-user.ts';
import { signInPaths } from '../../site/authorize/operator-door.ts';
import { ROLES } from '../../site/roles.ts';
import { refuseMisspelt } from '../terminal/account-named.ts';
import { commandOf, type Call } from '../terminal/command.ts';
import { EXIT, printJson, type ExitCode } from '../terminal/io.ts';
import { withDatabase } from '../open/open-database.ts';
import { WrongUse } from '../terminal/wrong-use.ts';

/**
 * `password USER APPLICATION`: creates an application password on the built-in site; with `--account`, a new password
 * for signing in there.
 */
export const command = commandOf({
  group: 'The built-in site and the feeds',
  usage: 'password <user> [application]',
  description: 'a new application password on the built-in site; a user who does not exist is created',
  example: 'password anna newsletter',
  choices: { role: ROLES },
  options: [
    [
      '--account',
      'a new password for signing in at /authorize instead; everybody signed in as this user is signed out, programs keep theirs',
    ],
    ['--role <role>', `${ROLES.join(', ')}: what the user may do from now on (new users: administrator)`],
    ['--email <address>', "the user's e-mail address, which also works for signing in"],
  ],
  act: async (call) => (call.options['account'] ? newAccountPassword(call) : newApplicationPassword(call)),
});

function userAsked({ role: name, email }: Call['options']): UserAsked {
  const role = name === undefined ? undefined : roleNamed(String(name));
  if (name !== undefined && role === undefined)
    throw new WrongUse(`There is no role "${String(name)}": it is one of ${ROLES.join(', ')}.`);
  return { role, email: email === undefined ? undefined : String(email) };
}

type UserCall = Call<readonly [user: string, application?: string]>;

async function newApplicationPassword({ io, config, options, args: [user, application] }: UserCall): Promise<ExitCode> {
  if (application === undefined)
    throw new WrongUse(
      'Name the application that will use the password: npm run -s calsyncd -- password USER APPLICATION.',
    );
  const asked = userAsked(options);
  return withDatabase(config, io, async (database) => {
    if (asked.role === undefined) await refuseMisspelt(database.query(), user);
    const { login, password, userCreated, role } = await createApplicationPassword(
      database.query(),
      user,
      application,
      asked,
    );
    if (options.json) printJson(io, { username: login, application_password: password });
    else
      io.out(
        `${userCreated ? `Created the user "${login}". Role: ${role}.\n` : ''}The password of "${login}" for ` +
          `${application}, shown only this once:\n\n  ${password.replace(/(.{4})(?=.)/g, '$1 ')}\n`,
      );
    return EXIT.done;
  });
}

async function newAccountPassword({ io, config, options, args: [user, application] }: UserCall): Promise<ExitCode> {
  if (application !== undefined)
    throw new WrongUse(
      'An account password is not for an application: npm run -s calsyncd -- password USER --account.',
    );
  const asked = userAsked(options);
  return withDatabase(config, io, async (database) => {
    if (asked.role === undefined) await refuseMisspelt(database.query(), user);
    const { login, password, role } = await resetAccountPassword(database.query(), user, asked);
    if (options.json) printJson(io, { username: login, password });
    else
      io.out(
        `The password with which "${login}" (${role}) signs in at ${signInPaths(role).join(', ')}, shown only this once:\n\n  ${password}\n`,
      );
    return EXIT.done;
  });
}
