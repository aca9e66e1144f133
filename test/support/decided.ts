import type { ActRequest } from '../../src/run/watch/acts.ts';

/** A decision made by a test. */
export const DECIDED: ActRequest = { by: { name: 'tester', from: 'command' } };
