import { makeFeedParser, type FeedParser } from '../../run/parse/parse-pool.ts';
import type { Io } from '../terminal/io.ts';

/** The parser that a command uses: the one it is given, which stays open at `close`, or one of its own. */
export const openParser = ({ parser }: Io): FeedParser =>
  parser ? { ...parser, close: () => Promise.resolve() } : makeFeedParser();
