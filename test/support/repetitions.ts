const TIMES = Number(process.env['REPETITIONS'] ?? 0.1);

/** Whether each case runs in every variant, as in `npm run test:all`. */
export const runsAllVariants = TIMES >= 1;

/**
 * How many random inputs a property is tested with. `whole` is the number for `npm run test:all`; `npm test` uses a
 * tenth of it, and REPETITIONS=30 thirty times as many. If a property fails, fast-check reports the seed.
 */
export const repetitions = (whole: number): number => Math.max(1, Math.ceil(whole * TIMES));
