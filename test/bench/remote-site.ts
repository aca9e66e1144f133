import { coming } from '../support/coming.ts';
import { realSite, type RealSite } from '../support/real-site/real-site.ts';
import { postsOf } from '../support/real-site/store.ts';
import { madeFeed, numbered } from './made-feed.ts';
import { shortest, sizesAsked, tell, timed } from './measured.ts';
import { BY, FROM, oneSource, saying } from './one-source.ts';

// The first sync to a remote site that takes 50 ms per request, like a fast WordPress. The floor is the same number of
// plain POSTs over the same number of connections. `node src/launch.js test/bench/remote-site.ts [--json] [500]`.

const LATENCY_MS = 50;
const CONNECTIONS = 4;

/** The time from the request for the feed to the report, and the requests to the site. */
interface FirstSync {
  readonly ms: number;
  readonly requests: readonly string[];
}

async function firstSync(count: number, by: keyof typeof BY): Promise<FirstSync> {
  const site = await realSite({ latencyMs: LATENCY_MS });
  const source = await oneSource(saying(madeFeed(numbered(count), FROM)), '1h', configuration(site));
  try {
    const ms = await BY[by](source);
    const made = postsOf(site.store(), 'events').length;
    if (made !== count) throw new Error(`${made} events were made instead of ${count}`);
    return { ms, requests: site.requests };
  } finally {
    await source.close();
    await site.close();
  }
}

const configuration = ({ root, namespace, credentials: { username, applicationPassword } }: RealSite): string => `site:
  url: ${root}
  namespace: ${namespace}
  username: ${username}
  application_password: "${applicationPassword}"
  requests_in_flight: ${CONNECTIONS}`;

/** The number of writes: the events, and their 20 venues and 12 categories. */
const writesOf = (events: number): number => events + Math.min(events, 20) + Math.min(events, 12);

/** The time for plain POSTs of this number of events, over the same connections. */
async function postsAlone(count: number): Promise<number> {
  const site = await realSite({ latencyMs: LATENCY_MS });
  const { username, applicationPassword } = site.credentials;
  const authorization = `Basic ${Buffer.from(`${username}:${applicationPassword}`).toString('base64')}`;
  let next = 0;
  const post = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const answer = await fetch(`${site.root}/${site.namespace}/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify({
          title: `Event number ${next}`,
          description: 'A text of some length, as they are',
          start_date: `${coming(0)} 18:00:00`,
          end_date: `${coming(0)} 19:30:00`,
        }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      await answer.arrayBuffer();
    }
  };
  try {
    return await timed(() => Promise.all(Array.from({ length: CONNECTIONS }, post)));
  } finally {
    await site.close();
  }
}

/** How often each route was requested, most frequent first. */
function routesOf(requests: readonly string[]): string {
  const routes = Map.groupBy(requests, (request) => request.replace(/\?.*$/, '').replace(/\/\d+$/, '/…'));
  return [...routes]
    .map(([route, all]) => `${all.length} ${route}`)
    .toSorted((one, other) => Number.parseInt(other, 10) - Number.parseInt(one, 10))
    .join(', ');
}

for (const events of sizesAsked([500])) {
  const floor = await shortest(2, () => postsAlone(writesOf(events)));
  for (const by of ['daemon', 'sync'] as const) {
    const { ms, requests } = await firstSync(events, by);
    tell({
      what: `first sync into a site elsewhere, ${by}`,
      events,
      value: ms,
      unit: 'ms',
      floor,
      beside: `${writesOf(events)} plain POSTs`,
      goal: { ratio: 1.1 },
      bound:
        `The site, which takes ${LATENCY_MS} ms per request, ${CONNECTIONS} at a time. ` +
        'The plan and the requests before the first write take 0.3 s, the time between two writes is ' +
        `2 ms${by === 'sync' ? '; the command also stops the database' : ''}.`,
    });
    tell({
      what: `its requests for each event, ${by}`,
      events,
      value: requests.length / events,
      unit: 'requests',
      goal: { value: 1.2 },
      bound: `${routesOf(requests)}.`,
    });
  }
}
