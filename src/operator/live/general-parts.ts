import { loadRun } from '../../run/state/records.ts';
import type { LivePart } from '../frame/operator.ts';

/** What several areas have on their pages. */
export const parts: readonly LivePart[] = [
  {
    // `held:RUN` on a page that decides on a held run.
    name: 'held',
    concerns: ({ kind, run }, of) => kind === 'run' && run === of,
    show: async ({ operator }, of) => {
      const found = await loadRun(operator.context.database.query(), of);
      return found?.state === 'held' ? undefined : 'superseded';
    },
  },
];
