import { afterAll } from 'vitest';
import { makeFeedParser } from '../../src/run/parse/parse-pool.ts';

/** One for all programs that the tests of a file open: its thread takes longer to start than most of these tests. */
export const sharedParser = makeFeedParser();
afterAll(() => sharedParser.close());
