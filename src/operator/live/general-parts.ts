import { loadRun } from '../../run/state/records.ts';
import type { Html } from '../../html/template.ts';
import type { Asked, LivePart } from '../frame/operator.ts';

/** The parts that several areas use. */
export const parts: readonly LivePart[] = [
  {
    // `held:RUN`, on a page that decides on a held run.
    name: 'held',
    concerns: ({ kind, run }, of) => kind === 'run' && run === of,
    show: async ({ operator }, of) => {
      const found = await loadRun(operator.context.database.query(), of);
      return found?.state === 'held' ? undefined : 'superseded';
    },
  },
];

/**
 * `page`: the whole page except the bar above it, for pages where nobody fills in more than a line. `page:NAME` is
 * updated only after changes of that run or source.
 */
export const wholePage = (show: (asked: Asked) => Promise<Html | undefined>): LivePart => ({
  name: 'page',
  isPersonal: true,
  concerns: ({ run, source }, of) => of === '' || run === of || source === of,
  show: (asked) => show(asked),
});

/** `waiting`, in the navigation of every page. */
export const inNavigation = (show: (asked: Asked) => Promise<Html>): LivePart => ({
  name: 'waiting',
  isPersonal: true,
  concerns: () => true,
  show: (asked) => show(asked),
});
