import type { SiteClient } from '../../client/site-client.ts';

/** Requests to a site, and how many of them were answered with each status; `none` where there was no answer. */
export interface Traffic {
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** Gives what a client has sent and got since the last call, or since now. */
export function trafficOf(client: Pick<SiteClient, 'requests' | 'statuses'>): () => Traffic {
  const soFar = (): Traffic => ({ requests: client.requests(), statuses: client.statuses() });
  let before = soFar();
  return () => {
    const [former, now] = [before, soFar()];
    before = now;
    const statuses = Object.entries(now.statuses).flatMap(([status, count]) => {
      const more = count - (former.statuses[status] ?? 0);
      return more > 0 ? [[status, more] as const] : [];
    });
    return { requests: now.requests - former.requests, statuses: Object.fromEntries(statuses) };
  };
}

/** "3 × 200, 1 × 404, 2 without an answer". */
export const statusesInWords = (statuses: Traffic['statuses']): string =>
  Object.entries(statuses)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([status, count]) => (status === 'none' ? `${count} without an answer` : `${count} × ${status}`))
    .join(', ');
