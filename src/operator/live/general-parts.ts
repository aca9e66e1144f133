import { loadRun } from '../../run/state/records.ts';
import type { Html } from '../../html/template.ts';
import type { Asked, LivePart } from '../frame/operator.ts';

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

/**
 * `page`, all of a page but the bar above it: for pages on which nobody fills in more than a line. With `page:NAME`, only
 * after what concerns that run or source.
 */
export const wholePage = (show: (asked: Asked) => Promise<Html | undefined>): LivePart => ({
  name: 'page',
  isPersonal: true,
  concerns: ({ run, source }, of) => of === '' || run === of || source === of,
  show: (asked) => show(asked),
});

/** `waiting`, which every page has in its navigation. */
export const inNavigation = (show: (asked: Asked) => Promise<Html>): LivePart => ({
  name: 'waiting',
  isPersonal: true,
  concerns: () => true,
  show: (asked) => show(asked),
});
