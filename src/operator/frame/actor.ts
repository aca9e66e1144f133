import type { Actor } from '../../run/watch/acts.ts';
import type { Asked, Sent } from './operator.ts';
import { startOf } from '../../html/shortened.ts';

/** The person who sends a form of the console. */
export const actorOf = ({ person, peer }: Pick<Asked, 'person' | 'peer'>): Actor => ({
  name: person.login,
  from: 'console',
  address: peer,
});

/** The maximum length of a reason, which every field for one declares. */
export const REASON_MAX = 1_000;

/** The reason given in a form. Browsers count a line break as one character but send two. */
export const reasonIn = ({ field }: Pick<Sent, 'field'>, name = 'reason'): string =>
  startOf(field(name).replaceAll('\r\n', '\n').trim(), REASON_MAX);
