/**
 * The figures from before the performance work, by row name and number of events (0 if that does not matter), measured
 * on 22 November 2026 on two cores of a virtual machine with Node.js 26.10 and PostgreSQL 18. A ratio is relative to
 * the row's floor; if the floor was a different one then, it is named.
 */
export const FIRST_FIGURES: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  'first sync': { 1_000: '54 ×', 10_000: '85 s, 51 ×' },
  'unchanged, 304': { 10_000: '0.7 s' },
  'unchanged, the same bytes': { 10_000: '0.7 s' },
  'one changed, one new, one gone': { 10_000: '8.7 s, 11 ×' },
  'whole comparison (--full)': { 10_000: '3.0 s, 7.4 ×' },
  'REST, single read, again': { 1_000: '10.6 ×' },
  'REST, list of 50, again': { 1_000: '2.0 ×' },
  'REST, search, again': { 1_000: '4.2 ×' },
  'REST, list page, again': { 1_000: '5 to 7 ×' },
  'REST, month page, again': { 1_000: '5 to 7 ×' },
  'REST, event page, again': { 1_000: '5 to 7 ×' },
  'REST, single read': { 1_000: '2.7 ×' },
  'REST, list of 50': { 1_000: '17 ms, 3.4 ×' },
  'REST, create': { 1_000: '319 a second, 1.8 × of the driver alone' },
  'REST, batch of 25': { 1_000: '102 a second, 1.8 × of the driver alone' },
  'first sync into a site elsewhere, daemon': { 500: '9.6 s' },
  'start, warm, to ready': { 0: '1.6 s' },
  'runs, beside a daemon': { 0: '1.5 s' },
  'memory, first sync': { 10_000: '330 MB' },
};
