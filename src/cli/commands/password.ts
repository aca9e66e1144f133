import { zonesOfSites } from '../../run/state/site-zones.ts';
import { commandActor, recordAct } from '../../run/watch/acts.ts';
import { applicationNamed, createApplicationPassword } from '../../site/users/application-passwords.ts';
import { resetAccountPassword } from '../../site/authorize/accounts.ts';
import type { ListedPassword } from '../../site/authorize/forms.ts';
import { listPasswords, revokePasswords } from '../../site/authorize/own-passwords.ts';
import { assertPossible, roleNamed, type UserAsked } from '../../site/users/make-user.ts';
import { signInPaths } from '../../site/authorize/operator-door.ts';
import { ROLES } from '../../site/roles.ts';
import { isNewLogin, userNamed } from '../terminal/account-named.ts';
import { commandOf, type Call } from '../terminal/command.ts';
import { isAgreed, confirm, YES } from '../terminal/confirmed.ts';
import { EXIT, printJson, type ExitCode } from '../terminal/io.ts';
import { withDatabase } from '../open/open-database.ts';
import { printTable, screenOf } from '../terminal/screen.ts';
import { WrongUse } from '../terminal/wrong-use.ts';
import { timeColumn, type TimeColumn } from '../text/time-column.ts';
import { knownNames } from '../text/unknown-name.ts';

/**
 * `password USER APPLICATION`: creates an application password on the built-in site. `--account` sets a new password
 * for signing in; `--list` and `--revoke` manage application passwords.
 */
export const command = commandOf({
  group: 'The built-in site and the feeds',
  usage: 'password <user> [application]',
  description:
    'create, list or revoke application passwords of the built-in site; a user who does not exist is created',
  example: 'password anna newsletter',
  choices: { role: ROLES },
  options: [
    ['--list', 'which applications have a password of this user, and when each last used it'],
    ['--revoke', "takes that application's password back, or all of this user's where none is named"],
    [
      '--account',
      'a new password for signing in at /authorize instead; everybody signed in as this user is signed out, programs keep theirs',
    ],
    ['--role <role>', `${ROLES.join(', ')}: what the user may do from now on (new users: administrator)`],
    ['--email <address>', "the user's e-mail address, which also works for signing in"],
    YES,
  ],
  act: async (call) => {
    const [form = NEW, other] = FORMS.filter(({ option }) => call.options[option] === true);
    if (other) throw new WrongUse(`--${form.option} and --${other.option} cannot be combined: do one after the other.`);
    const unused = ['role', 'email', 'yes'].find((option) => option in call.options && !form.takes.includes(option));
    if (unused !== undefined)
      throw new WrongUse(
        `--${unused} cannot be used with this: "npm run -s calsyncd -- password --help" shows what can.`,
      );
    return form.act(call);
  },
});

type UserCall = Call<readonly [user: string, application?: string]>;

/** What the command does with one of its options, and which other options may accompany it. */
interface Form {
  readonly option: string;
  readonly takes: readonly string[];
  readonly act: (call: UserCall) => Promise<ExitCode>;
}

const NEW: Form = { option: 'new', takes: ['role', 'email', 'yes'], act: newApplicationPassword };
const FORMS: readonly Form[] = [
  { option: 'list', takes: [], act: list },
  { option: 'revoke', takes: ['yes'], act: revoke },
  { option: 'account', takes: ['role', 'email'], act: newAccountPassword },
];

function userAsked({ role: name, email }: Call['options']): UserAsked {
  const role = name === undefined ? undefined : roleNamed(String(name));
  if (name !== undefined && role === undefined)
    throw new WrongUse(`There is no role "${String(name)}": it is one of ${ROLES.join(', ')}.`);
  return { role, email: email === undefined ? undefined : String(email) };
}

async function newApplicationPassword(call: UserCall): Promise<ExitCode> {
  const { io, config, options, args } = call;
  const [user, application] = args;
  if (application === undefined)
    throw new WrongUse(
      'Name the application that will use the password: npm run -s calsyncd -- password USER APPLICATION.',
    );
  const asked = userAsked(options);
  return withDatabase(config, io, async (database) => {
    const query = database.query();
    if (asked.role === undefined && (await isNewLogin(query, user))) {
      applicationNamed(application);
      await assertPossible(query, user, asked.email);
      await isAgreed(
        call,
        `There is no account "${user}" yet. This makes one, as an administrator, who may do everything; --role gives it another role.`,
      );
    }
    const { login, password, userCreated, role } = await createApplicationPassword(query, user, application, asked);
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
    if (asked.role === undefined) await isNewLogin(database.query(), user);
    const { login, password, role } = await resetAccountPassword(database.query(), user, asked);
    if (options.json) printJson(io, { username: login, password });
    else
      io.out(
        `The password with which "${login}" (${role}) signs in at ${signInPaths(role).join(', ')}, shown only this once:\n\n  ${password}\n`,
      );
    return EXIT.done;
  });
}

async function list({ io, config, options, args: [user, application] }: UserCall): Promise<ExitCode> {
  if (application !== undefined)
    throw new WrongUse('--list shows all applications of a user: npm run -s calsyncd -- password USER --list.');
  return withDatabase(config, io, async (database) => {
    const query = database.query();
    const { id, login } = await userNamed(query, user);
    const passwords = await listPasswords(query, id);
    if (options.json) printJson(io, { username: login, application_passwords: passwords.map(asJson) });
    else if (passwords.length === 0) io.out(`No application has a password of "${login}".\n`);
    else {
      const zoneOf = await zonesOfSites(query, config.builtin.timezone);
      const timesOf = (heading: string): TimeColumn => timeColumn(heading, ['builtin'], zoneOf, screenOf(io));
      const [made, used] = [timesOf('made'), timesOf('last used')];
      printTable(io, {
        headings: ['application', made.heading, used.heading],
        rows: passwords.map(({ name, created, last_used: last }) => ({
          cells: [name, made.cell('builtin', created), last ? used.cell('builtin', last) : 'never'],
        })),
      });
    }
    return EXIT.done;
  });
}

const asJson = ({ name, created, last_used: last }: ListedPassword): object => ({
  application: name,
  created: created.toISOString(),
  last_used: last?.toISOString() ?? null,
});

async function revoke(call: UserCall): Promise<ExitCode> {
  const [named, application] = call.args;
  return withDatabase(call.config, call.io, async (database) => {
    const query = database.query();
    const { id, login } = await userNamed(query, named);
    const names = [...new Set((await listPasswords(query, id)).map(({ name }) => name))].toSorted();
    if (application !== undefined && !names.includes(application))
      throw new WrongUse(
        `No application "${application}" has a password of "${login}". ${knownNames(application, names, 'There are')}`,
      );
    const meant = application ?? names.join(', ');
    if (meant !== '')
      await confirm(
        call,
        `Programs that sign in as "${login}" with a password for ${meant} will no longer be able to.`,
      );
    const revoked = await revokePasswords(query, id, application);
    if (revoked.length > 0)
      await recordAct(query, commandActor(), {
        kind: 'account',
        details: { changes: `took back application passwords of ${login}: ${revoked.join(', ')}` },
      });
    if (call.options.json) printJson(call.io, { username: login, revoked });
    else if (revoked.length === 0) call.io.out(`No application has a password of "${login}".\n`);
    else call.io.out(`Taken back from "${login}": ${revoked.join(', ')}.\n`);
    return EXIT.done;
  });
}
