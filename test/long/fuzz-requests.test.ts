import { testRandomRequests } from '../contract/fuzz-site.ts';

// FUZZ_RUNS: how many; FUZZ_SEED: another series of them.
testRandomRequests(Number(process.env['FUZZ_RUNS'] ?? 10_000), Number(process.env['FUZZ_SEED'] ?? 20_261_120));
