import type { Asked } from '../../src/run/watch/acts.ts';

/** A decision of a test. */
export const DECIDED: Asked = { by: { name: 'tester', from: 'command' } };
