import { makeFeedParser, type FeedParser } from '../../run/parse/parse-pool.ts';
import type { Io } from '../terminal/io.ts';

/** The parser for a command: the given one, which `close` leaves open, or one of its own. */
export const openParser = ({ parser }: Io): FeedParser =>
  parser ? { ...parser, close: () => Promise.resolve() } : makeFeedParser();
