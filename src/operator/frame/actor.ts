import type { Actor } from '../../run/watch/acts.ts';
import type { Asked, Sent } from './operator.ts';
import { startOf } from '../../html/shortened.ts';

/** Who sends a form of the console. */
export const actorOf = ({ person, peer }: Pick<Asked, 'person' | 'peer'>): Actor => ({
  name: person.login,
  from: 'console',
  address: peer,
});

/** How long a reason may be; every field for one says so. */
export const REASON_MAX = 1_000;

/** Why somebody does what a form does. Browsers count a line break once, and send it as two characters. */
export const reasonIn = ({ field }: Pick<Sent, 'field'>, name = 'reason'): string =>
  startOf(field(name).replaceAll('\r\n', '\n').trim(), REASON_MAX);
