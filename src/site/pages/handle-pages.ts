import type { Event, EventPage } from '../../contract/representation.ts';
import type { SiteSettings } from '../context.ts';
import { calendarMain } from './calendar-page.ts';
import { eventHead, eventMain } from './event-page.ts';
import { pageResponse } from './layout.ts';

type Handle = (request: Request) => Promise<Response>;

const PER_PAGE = '50';

/** The public pages of the built-in site. They are a reader of its REST interface like any other: what nobody may read is not on them. */
export function makePages(settings: SiteSettings, rest: Handle): Handle {
  const apiRoot = `${settings.publicUrl}/api/`;
  const language = settings.languages[0] ?? 'en';
  const get = (path: string, query: Readonly<Record<string, string>> = {}): Promise<Response> =>
    rest(new Request(`${apiRoot}${settings.namespace}${path}?${new URLSearchParams(query)}`));
  const notFound = (): Response => pageResponse({ site: settings.title, language, title: 'Not found', head: '',
    main: '<h1>Not found</h1>\n<p>There is no such event, or it is no longer announced. <a href="/">What is on</a></p>' }, 404);

  const calendar = async (page: number): Promise<Response> => {
    const answer = await get('/events', { page: String(page), per_page: PER_PAGE });
    if (!answer.ok) return notFound();
    const list = await answer.json() as EventPage;
    return pageResponse({ site: settings.title, language, title: settings.title, head: discovery(apiRoot), main: calendarMain(settings.title, list, page) }, 200, apiHeaders(apiRoot, settings));
  };
  const event = async (slug: string): Promise<Response> => {
    const answer = await get(`/events/by-slug/${slug}`);
    if (!answer.ok) return notFound();
    const found = await answer.json() as Event;
    const head = `${discovery(apiRoot)}\n${eventHead(found, apiRoot)}`;
    return pageResponse({ site: settings.title, language, title: found.title, head, main: eventMain(found) }, 200, apiHeaders(apiRoot, settings));
  };
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const slug = /^\/event\/([^/]+)\/?$/.exec(pathname)?.[1];
    if (slug !== undefined) return event(slug);
    return calendar(Math.max(1, Number.parseInt(searchParams.get('page') ?? '1', 10) || 1));
  };
}

const discovery = (apiRoot: string): string => `<link rel="https://api.w.org/" href="${apiRoot}">`;

/** The headers by which clients of real sites find the interface from a page. */
const apiHeaders = (apiRoot: string, { publicUrl, namespace }: SiteSettings): Record<string, string> => ({
  link: `<${apiRoot}>; rel="https://api.w.org/"`, 'x-tec-api-version': 'v1', 'x-tec-api-root': `${apiRoot}${namespace}/`, 'x-tec-api-origin': publicUrl,
});
