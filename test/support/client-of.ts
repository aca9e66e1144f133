import { makeSiteClient, type SiteSettings } from '../../src/client/make-site-client.ts';
import { networkTransport } from '../../src/client/network-transport.ts';
import type { SiteClient, Transport, WriteAnswer } from '../../src/client/site-client.ts';
import type { RealSite } from './real-site/real-site.ts';

/** Retries that do not slow down a test. */
export const QUICK = { firstWaitMs: 5, waitMsMax: 1500, random: () => 0 };

const opened: SiteClient[] = [];

/** A client of the simulated site, over the network unless another transport is given. */
export function clientOf(site: RealSite, settings: Partial<SiteSettings> = {}, timeoutMs = 5000): SiteClient {
  const transport =
    settings.transport ?? networkTransport({ requestsInFlight: 4, timeoutMs, userAgent: 'calsyncd/test' });
  const made = makeSiteClient({
    root: site.root,
    namespace: site.namespace,
    credentials: site.credentials,
    retry: QUICK,
    ...settings,
    transport,
  });
  opened.push(made);
  return made;
}

export async function closeClients(): Promise<void> {
  await Promise.all(opened.splice(0).map((each) => each.close()));
}

export const EVENT = { title: 'Koncert', start_date: '2027-01-10 18:00:00', end_date: '2027-01-10 20:00:00' };

export const post = (
  slug: string,
  more: object = {},
): { readonly method: 'POST'; readonly path: string; readonly body: Readonly<Record<string, unknown>> } => ({
  method: 'POST',
  path: '/events',
  body: { ...EVENT, slug, ...more },
});

/** The outcome of each write: its status, or `lost`. */
export const statuses = (answers: readonly WriteAnswer[]): unknown[] =>
  answers.map((answer) => (answer.kind === 'answered' ? answer.status : answer.kind));

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** A transport that answers the two indexes of a real site itself, and everything else as told. */
export const indexed =
  (answer: (request: Request) => Response): Transport =>
  (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/wp-json/')) return Promise.resolve(Response.json({ namespaces: ['tribe/events/v1'] }));
    return Promise.resolve(pathname.endsWith('/tribe/events/v1') ? Response.json({ routes: {} }) : answer(request));
  };
