import type { ActRequest } from '../../src/run/watch/acts.ts';

/** Who decides in tests: the tester, with a command. */
export const BY_TESTER: ActRequest = { by: { name: 'tester', from: 'command' } };
