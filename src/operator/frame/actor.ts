import type { Actor } from '../../run/watch/acts.ts';
import type { Asked } from './operator.ts';

/** Who sends a form of the console. */
export const actorOf = ({ person, peer }: Pick<Asked, 'person' | 'peer'>): Actor => ({
  name: person.login,
  from: 'console',
  address: peer,
});
