import { testBrokenFeeds } from '../support/broken-feeds.ts';

// FUZZ_RUNS sets how many feeds of each kind there are; FUZZ_SEED makes other ones.
testBrokenFeeds(Number(process.env['FUZZ_RUNS'] ?? 1_000), Number(process.env['FUZZ_SEED'] ?? 20_260_101));
