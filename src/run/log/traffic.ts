import type { SiteClient } from '../../client/site-client.ts';

/** The number of requests to a site, and of answers by status; `none` counts requests without an answer. */
export interface Traffic {
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** Returns a function that gives a client's traffic since the previous call, at first since now. */
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

/** Statuses in words, such as "3 × 200, 1 × 404, 2 without an answer". */
export const statusesInWords = (statuses: Traffic['statuses']): string =>
  Object.entries(statuses)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([status, count]) => (status === 'none' ? `${count} without an answer` : `${count} × ${status}`))
    .join(', ');
