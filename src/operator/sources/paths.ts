/** The pages of one source: its timeline, and those of other areas. */
export type SourceTab = '' | 'problems' | 'rules' | 'settings' | 'report';

/** Below `/operator`. */
export const sourcePath = (source: string, tab: SourceTab = ''): string =>
  `/sources/${encodeURIComponent(source)}/${tab === '' ? '' : `${tab}/`}`;

export const runPath = (run: string): string => `/runs/${encodeURIComponent(run)}/`;

export const runsPath = (source?: string): string =>
  source === undefined ? '/runs/' : `/runs/?source=${encodeURIComponent(source)}`;

export const eventsPath = (source: string): string => `/events/?source=${encodeURIComponent(source)}`;

export const conflictsPath = (source: string): string => `/conflicts/?source=${encodeURIComponent(source)}`;
