import { makeFeedParser } from '../../src/run/parse/parse-pool.ts';

/**
 * One parser for all programs that tests open in a process. It ends with the process, because its thread takes longer
 * to start than most of these tests run.
 */
export const sharedParser = makeFeedParser();
