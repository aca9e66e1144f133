import { testBrokenFeeds } from '../support/broken-feeds.ts';

// FUZZ_RUNS: how many of each kind; FUZZ_SEED: others.
testBrokenFeeds(Number(process.env['FUZZ_RUNS'] ?? 1_000), Number(process.env['FUZZ_SEED'] ?? 20_260_101));
