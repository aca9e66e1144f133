const TIMES = Number(process.env['REPETITIONS'] ?? 0.1);

/** Whether each case is tried in each way, too, as `npm run test:all` does. */
export const isEachWay = TIMES >= 1;

/**
 * How often a law is tried with random values, where `whole` is what `npm run test:all` does. `npm test` does a tenth
 * of it; REPETITIONS=30 does thirty times as much. fast-check tells the seed of what fails.
 */
export const repetitions = (whole: number): number => Math.max(1, Math.ceil(whole * TIMES));
