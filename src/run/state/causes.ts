/** The cause of a run that takes another one back. */
export const undoCause = (run: string): string => `undo of ${run}`;

/** The cause of a run that settles an event for one side. */
export const settleCause = (slug: string, winner: 'feed' | 'site'): string => `settle ${slug} for the ${winner}`;

/** The cause of a run that brings an event back. */
export const restoreCause = (slug: string): string => `restore ${slug}`;

export const ADOPT = 'adopt';
export const FORGET = 'forget';

/** Whether a run has a plan of its own that a person asked for: it is no sync of its source. */
export const isAskedFor = (cause: string): boolean => /^(?:undo of |settle |restore |adopt$|forget$)/.test(cause);
