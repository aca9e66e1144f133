import { makeFeedParser } from '../../src/run/parse/parse-pool.ts';

/**
 * One for all programs that tests open in a process, which ends it: its thread takes longer to start than most of these
 * tests.
 */
export const sharedParser = makeFeedParser();
