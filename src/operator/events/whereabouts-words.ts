import type { Explanation } from '../../run/decisions/explain-event.ts';
import { isBroughtBack } from '../../run/events/why-not-newer.ts';

/** By the event's status on the site. */
const KEPT: Readonly<Record<string, string>> = {
  publish: 'on the site, published',
  trash: 'taken off the site, in its trash',
};
/** Whether a person has put it into the trash since the last comparison, even if we had removed it before. */
export const isTrashedSinceComparison = ({ state, onSite, changedHere }: Explanation): boolean =>
  onSite === 'trash' && state !== 'ignored' && (state !== 'removed' || changedHere !== null);

/** Whether visitors cannot find it on the site. */
export const isOffSite = (explanation: Explanation): boolean =>
  (explanation.removed === 'trash' && isAway(explanation)) ||
  (explanation.state === 'ignored' && !isBroughtBack(explanation)) ||
  isTrashedSinceComparison(explanation);

const isAway = ({ onSite }: Pick<Explanation, 'onSite'>): boolean => onSite === null || onSite === 'trash';

/** How we have removed an event. */
export const REMOVED = {
  trash: 'taken off the site by us',
  draft: 'a draft: withdrawn by us',
  cancel: 'on the site, marked as cancelled by us',
} as const;

const STATES: Readonly<Record<Explanation['state'], (explanation: Explanation) => string>> = {
  kept: ({ onSite }) => KEPT[onSite ?? ''] ?? `on the site, ${onSite ?? 'but not found there now'}`,
  removed: ({ removed, onSite }) =>
    `${REMOVED[removed ?? 'trash']}${removed === 'trash' && !isAway({ onSite }) ? ', and back there since' : ''}`,
  ignored: ({ onSite }) =>
    `taken off the site by a person${isBroughtBack({ state: 'ignored', onSite }) ? ', and back there since' : ''}`,
  detached: () => 'somebody’s own: its source leaves it alone',
};

/** Where an event is, and who put it there. */
export const whereaboutsInWords = (explanation: Explanation): string => STATES[explanation.state](explanation);
