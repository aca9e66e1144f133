import type { StartOutcome } from '../../run/steps/keep-plan.ts';
import type { Asked } from '../frame/operator.ts';

/** The pages of one source: its timeline (the empty string), and those of other areas. */
export type SourceTab = '' | 'problems' | 'rules' | 'settings' | 'report' | 'plan' | 'feed' | 'left';

/** Relative to `/operator`. */
export const sourcePath = (source: string, tab: SourceTab = ''): string =>
  `/sources/${encodeURIComponent(source)}/${tab === '' ? '' : `${tab}/`}`;

export const runPath = (run: string): string => `/runs/${encodeURIComponent(run)}/`;

/** The comparison of a held run's feed with the one read before. */
export const feedsPath = (run: string): string => `${runPath(run)}feeds/`;

export const runsPath = (source?: string): string =>
  source === undefined ? '/runs/' : `/runs/?source=${encodeURIComponent(source)}`;

/** The page of an event. With several sites, includes the site's name, because two sites may use the same slug. */
export function eventPath(
  { operator }: Pick<Asked, 'operator'>,
  { slug, site }: { readonly slug: string; readonly site: string | undefined },
): string {
  const named = operator.sites().length > 1 ? operator.sites().find(({ key }) => key === site)?.name : undefined;
  return `/events/${encodeURIComponent(slug)}/${named === undefined ? '' : `?site=${encodeURIComponent(named)}`}`;
}

/** The button on an event's page that sends a picture again that the site refused. */
export const TRY_AGAIN = 'Try it again now';

export const eventsPath = (source: string): string => `/events/?source=${encodeURIComponent(source)}`;

export const conflictsPath = (source: string): string => `/conflicts/?source=${encodeURIComponent(source)}`;

/** The page that shows what was started; `orElse` if another run of the source is in progress. */
export function startedPath(started: StartOutcome, orElse: string): string {
  if (started.kind === 'busy') return orElse;
  return runPath(started.kind === 'ended' ? started.report.run : started.run);
}
