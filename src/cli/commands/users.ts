import type { Database } from '../../db/database.ts';
import { commandActor, recordAct } from '../../run/watch/acts.ts';
import { zonesOfSites } from '../../run/state/site-zones.ts';
import { ROLES, type Role } from '../../site/roles.ts';
import { listUsers } from '../../site/users/list-users.ts';
import { roleNamed } from '../../site/users/make-user.ts';
import { removableUser } from '../../site/users/remove-user.ts';
import { withDatabase } from '../open/open-database.ts';
import { accountNamed } from '../terminal/account-named.ts';
import { commandOf, type Call } from '../terminal/command.ts';
import { confirm, YES } from '../terminal/confirmed.ts';
import { EXIT, printJson, type ExitCode } from '../terminal/io.ts';
import { textOption } from '../terminal/option-values.ts';
import { printTable, screenOf } from '../terminal/screen.ts';
import { WrongUse } from '../terminal/wrong-use.ts';
import { timeColumn } from '../text/time-column.ts';
import { knownNames } from '../text/unknown-name.ts';
import { peopleOf } from '../web/people.ts';

const LISTED_MAX = 1_000;

/** `users [list | add USER ROLE | role USER ROLE | remove USER]`: manages the accounts of the built-in site. */
export const command = commandOf({
  group: 'The built-in site and the feeds',
  usage: 'users [action] [user] [role]',
  description: 'the accounts of the built-in site and of the console: list, add USER ROLE, role USER ROLE, remove USER',
  example: 'users add anna editor --email anna@town.example',
  choices: { action: ['list', 'add', 'role', 'remove'], role: ROLES },
  options: [['--email <address>', 'add: the e-mail address, which also works for signing in'], YES],
  act: async (call) => {
    const [name = 'list'] = call.args;
    const act = ACTIONS[name];
    if (!act) throw new WrongUse(`There is no "users ${name}". ${knownNames(name, Object.keys(ACTIONS), 'There are')}`);
    return withDatabase(call.config, call.io, (database) => act(call, database));
  },
});

type UsersCall = Call<readonly [action?: string, user?: string, role?: string]>;
type Act = (call: UsersCall, database: Database) => Promise<ExitCode>;

const ACTIONS: Readonly<Record<string, Act>> = { list, add, role: changeRole, remove };

async function list({ io, config, options }: UsersCall, database: Database): Promise<ExitCode> {
  const users = await listUsers(database.query(), LISTED_MAX + 1);
  const shown = users.slice(0, LISTED_MAX);
  if (options.json)
    printJson(io, {
      users: shown.map(({ login, email, role, canSignIn, lastHere, programs, isProgram }) => ({
        username: login,
        email,
        role,
        can_sign_in: canSignIn,
        last_here: lastHere?.toISOString() ?? null,
        application_passwords: programs,
        is_calsyncd: isProgram,
      })),
      more: users.length > LISTED_MAX,
    });
  else {
    const zoneOf = await zonesOfSites(database.query(), config.builtin.timezone);
    const when = timeColumn('last sign-in', ['builtin'], zoneOf, screenOf(io));
    printTable(io, {
      headings: ['user', 'role', when.heading, 'programs', 'e-mail', ''],
      rows: shown.map(({ login, email, role, canSignIn, lastHere, programs, isProgram }) => ({
        cells: [
          login,
          role,
          lastHere ? when.cell('builtin', lastHere) : '–',
          programs === 0 ? '–' : String(programs),
          email,
          noteOn(isProgram, canSignIn),
        ],
      })),
    });
    if (users.length > LISTED_MAX) io.out(`There are more than ${LISTED_MAX}; the console finds them by name.\n`);
  }
  return EXIT.done;
}

function noteOn(isProgram: boolean, canSignIn: boolean): string {
  if (isProgram) return 'the account that calsyncd writes with';
  return canSignIn ? '' : 'cannot sign in: "password USER --account" makes a password';
}

async function add(call: UsersCall, database: Database): Promise<ExitCode> {
  const [login, role] = [userIn(call), roleIn(call)];
  const password = await peopleOf(() => database.query()).invite(login, role, textOption(call.options['email']));
  await record(database, `made an account for ${login}, with the role ${role}`);
  if (call.options.json) printJson(call.io, { username: login, role, password });
  else
    call.io.out(
      `Created "${login}". Role: ${role}. The password for signing in, shown only this once:\n\n  ${password}\n`,
    );
  return EXIT.done;
}

async function changeRole(call: UsersCall, database: Database): Promise<ExitCode> {
  const [named, role] = [userIn(call), roleIn(call)];
  const login = await accountNamed(database.query(), named);
  await peopleOf(() => database.query()).setRole(login, role);
  await record(database, `gave ${login} the role ${role}`);
  if (call.options.json) printJson(call.io, { username: login, role });
  else call.io.out(`"${login}" is now: ${role}.\n`);
  return EXIT.done;
}

async function remove(call: UsersCall, database: Database): Promise<ExitCode> {
  const login = await accountNamed(database.query(), userIn(call));
  const people = peopleOf(() => database.query());
  // Refuse before asking.
  await removableUser(database.query(), login);
  await confirm(call, `The account "${login}" will be removed, with its passwords; what it wrote stays.`);
  await people.remove(login);
  await record(database, `removed the account ${login}`);
  if (call.options.json) printJson(call.io, { username: login, removed: true });
  else call.io.out(`Removed "${login}". What it wrote stays.\n`);
  return EXIT.done;
}

function userIn({ args: [action = '', login] }: UsersCall): string {
  if (login === undefined) throw new WrongUse(`Name the user: npm run -s calsyncd -- users ${action} USER.`);
  return login;
}

function roleIn({ args: [action = '', login = '', name] }: UsersCall): Role {
  const role = roleNamed(name ?? '');
  if (role) return role;
  const said = name === undefined ? '' : `There is no role "${name}". `;
  throw new WrongUse(
    `${said}Name the role, one of ${ROLES.join(', ')}: npm run -s calsyncd -- users ${action} ${login} editor.`,
  );
}

const record = (database: Database, changes: string): Promise<void> =>
  recordAct(database.query(), commandActor(), { kind: 'account', details: { changes } });
