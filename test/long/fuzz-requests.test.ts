import { testRandomRequests } from '../contract/fuzz-site.ts';

// FUZZ_RUNS sets how many requests there are; FUZZ_SEED makes other ones.
testRandomRequests(Number(process.env['FUZZ_RUNS'] ?? 10_000), Number(process.env['FUZZ_SEED'] ?? 20_261_120));
