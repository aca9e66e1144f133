import { decodedPart } from '../../ascii.ts';
import { CODED_FACTOR, codedOf, type Coded } from '../../files/coded.ts';
import { wallFromInstant } from '../../time.ts';
import type { Queryable } from '../../db/database.ts';
import type { SiteSettings } from '../context.ts';
import { HttpProblem } from '../http-problem.ts';
import { keepMade, type At } from '../kept.ts';
import { STRANGER_BYTES_MAX } from '../../request-bytes.ts';
import { bodyParams } from '../requests/request-params.ts';
import type { Outcome } from '../requests/outcome.ts';
import { partsRevision } from '../store/changes.ts';
import { keptTables } from '../store/kept-tables.ts';
import { nextFor } from '../store/next-events.ts';
import { eventTables } from '../store/series.ts';
import { aroundFor, listedById } from '../store/shown-events.ts';
import type { Asking, ValueRequest } from '../requests/handle.ts';
import { makeAssets } from './frame/assets.ts';
import { categoryPage, organizerPage, tagPage, venuePage } from './archive/archive-page.ts';
import { beyondOf, type Beyond } from './frame/beyond.ts';
import type { Day } from './frame/dates.ts';
import { sharePicture } from './card/card-picture.ts';
import { embedBuilder } from './embed/embed-builder.ts';
import { embedPage } from './embed/embed-page.ts';
import { embedCard } from './event/embed-card.ts';
import type { AskedEvent } from './event/asked-event.ts';
import { eventPage } from './event/event-page.ts';
import { lookPolicy } from '../../look/policy.ts';
import { apiAddress, htmlDocument, frameOf, type Frame, type Page } from './frame/layout.ts';
import { markedFrames } from './frame/marked-frame.ts';
import { finderOf, type Finder } from './list/finder.ts';
import { listPage } from './list/list-page.ts';
import { datesPage } from './views/dates-page.ts';
import { monthPage } from './views/month-page.ts';
import { weekPage } from './views/week-page.ts';
import { weekSheet } from './views/week-sheet.ts';
import { eventSheet } from './event/event-sheet.ts';
import { addressOfPost, calendarOf } from './found/post-address.ts';
import { notFound, readerOf, type Read } from './frame/read.ts';
import { sitemap } from './found/sitemap.ts';
import { retryAfter } from '../../budget.ts';

/** `peer` is the client's address. */
type Handle = (request: Request, peer?: string) => Promise<Response>;

export interface PageParts {
  readonly db: Queryable;
  readonly settings: SiteSettings;
  /** The REST interface, which the pages read anonymously. */
  readonly answer: (request: ValueRequest, caller: null, asking: Asking) => Promise<Outcome>;
  /** Changes with every write. */
  readonly revision: () => Promise<string>;
  /** Finds where events come from; unknown if unset. */
  readonly originOf?: Beyond['originOf'];
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** The request for a page, with the path's parts decoded. */
interface Asked extends AskedEvent {
  readonly find: Finder;
  readonly query: URLSearchParams;
}

/** A page ready to be sent. */
interface Made {
  readonly status: number;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Headers;
  /** The content, if everybody who requests it gets the same. */
  readonly coded?: Coded;
}

type Headers = Readonly<Record<string, string>>;
type TypedHeaders = Headers & { readonly 'content-type': string };

const EVENT = /^\/event\/([^/]+)\/?$/;
const PAGES: readonly (readonly [path: RegExp, page: (asked: Asked) => Promise<Page>])[] = [
  [/^\/$/, ({ frame, find, query }) => listPage(frame, find, query)],
  [/^\/embed\/new\/?$/, ({ frame, find, query }) => embedBuilder(frame, find, query)],
  [/^\/month\/?$/, (asked) => monthPage(asked, undefined)],
  [/^\/month\/([^/]+)\/?$/, (asked) => monthPage(asked, asked.slug)],
  [/^\/week\/?$/, (asked) => weekPage(asked, undefined)],
  [/^\/week\/sheet\/?$/, (asked) => weekSheet(asked, undefined)],
  [/^\/week\/([^/]+)\/?$/, (asked) => weekPage(asked, asked.slug)],
  [/^\/week\/([^/]+)\/sheet\/?$/, (asked) => weekSheet(asked, asked.slug)],
  [EVENT, (asked) => eventPage(eventAsked(asked))],
  [/^\/event\/([^/]+)\/sheet\/?$/, ({ frame, read, slug }) => eventSheet(frame, read, encodeURIComponent(slug))],
  [/^\/event\/([^/]+)\/dates\/?$/, (asked) => datesPage(eventAsked(asked))],
  [/^\/category\/([^/]+)\/?$/, categoryPage],
  [/^\/tag\/([^/]+)\/?$/, tagPage],
  [/^\/venue\/([^/]+)\/?$/, venuePage],
  [/^\/organizer\/([^/]+)\/?$/, organizerPage],
];
const EMBED = /^\/event\/([^/]+)\/embed\/?$/;
const CARD = /^\/event\/([^/]+)\/card\.png$/;
const EMBEDDED = /^\/embed\/?$/;
const SITEMAP = /^\/sitemap(?:-(\d{1,6}))?\.xml$/;

// A few hundred pages.
const KEPT_BYTES_MAX = 16_000_000;
// Some two hundred images.
const CARDS_BYTES_MAX = 8_000_000;

/** How outdated the time of a source's last reading on an event's page may be. */
const READ_SHOWN_MS = 5 * 60_000;

const nobodyKnows: Beyond['originOf'] = async () => undefined;

/** Serves the built-in site's public pages and the files that they load, for GET and HEAD; anything else is 404. */
export function makePages({
  db,
  settings,
  answer: answerOf,
  revision,
  originOf = nobodyKnows,
  now,
}: PageParts): Handle {
  const frame = frameOf(settings);
  const beyond = beyondOf(db, now, originOf);
  const reader = (asking: Asking): Read =>
    readerOf((url) => answerOf({ method: 'GET', url }, null, asking), settings.namespace);
  const marked = markedFrames(frame);
  const asset = makeAssets(frame.look);
  const tablesAt = keptTables(eventTables(db));
  const storedAt = (at: At): Pick<Asked, 'tables' | 'listed' | 'around' | 'next'> => {
    const ctx = { db, caller: null, now: now(), settings, ...at };
    const tables = tablesAt(at.revision);
    return { tables, listed: (ids) => listedById(ids, ctx), around: aroundFor(tables.around, ctx), next: nextFor(ctx) };
  };
  const today = (): Day => wallFromInstant(now(), settings.timezone).slice(0, 10);
  // A page is kept until there is a write or the day ends.
  const keeping = (bytesMax: number) =>
    keepMade<Made>({
      revision,
      now,
      moment: today,
      sizeOf: ({ coded }) => coded && coded.octets * CODED_FACTOR,
      bytesMax,
    });
  const [keep, keepCard] = [keeping(KEPT_BYTES_MAX), keeping(CARDS_BYTES_MAX)];
  // An event's page says when its source was last read, which changes without a write to the site.
  const keyOf = ({ pathname, search }: URL): string =>
    `${pathname}${search}${EVENT.test(pathname) ? ` ${Math.floor(now() / READ_SHOWN_MS)}` : ''}`;
  const make = async (url: URL, at: At): Promise<Made> => {
    const { revision } = at;
    const [read, stored] = [reader(at), storedAt(at)];
    const find = finderOf({ db, settings, now: now() }, stored.tables, today(), at);
    const parts = revision === undefined ? undefined : partsRevision(db, revision);
    return makePage({ read, find, ...stored, beyond, today: today(), frame: await marked(read, parts) }, url);
  };
  const answer = async (request: Request, url: URL): Promise<Response> => {
    const { made, fill } = CARD.test(url.pathname) ? await keepCard(url.pathname) : await keep(keyOf(url));
    const { status, body, headers, coded } = made ?? (await fill((at) => make(url, at)));
    // Most pages are never requested again, and compressing them would take as long as making them.
    if (coded) return coded.answer(request, made === undefined);
    return new Response(request.method === 'HEAD' || body.length === 0 ? null : body, { status, headers });
  };

  return async (request, peer) => {
    const protectedSlug = request.method === 'POST' ? slugIn(EVENT, new URL(request.url).pathname) : undefined;
    if (protectedSlug !== undefined)
      return opened(
        whole(
          frame,
          await eventPage(
            eventAsked({
              frame: await marked(reader({}), undefined),
              read: reader({ peer }),
              ...storedAt({}),
              beyond,
              slug: protectedSlug,
              today: today(),
            }),
            await passwordIn(request),
          ),
        ),
      );
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response('Pages are read with GET or HEAD.\n', {
        status: 405,
        headers: { Allow: 'GET, HEAD', 'Content-Type': 'text/plain; charset=utf-8' },
      });
    const url = new URL(request.url);
    return (await asset(request, url.pathname)) ?? answer(request, url);
  };
}

async function makePage(around: Omit<Asked, 'slug' | 'query'>, url: URL): Promise<Made> {
  const { frame, read, find } = around;
  const moved = await addressOfPost(read, url.searchParams, url.pathname);
  if (moved !== undefined) return emptyOf(301, { location: moved });
  const calendar = calendarOf(url);
  if (calendar !== undefined) return emptyOf(302, { location: `${frame.base}${calendar}` });
  for (const [path, make] of OTHERS) {
    const slug = slugIn(path, url.pathname);
    if (slug !== undefined) return make({ ...around, slug, query: url.searchParams });
  }
  const map = SITEMAP.exec(url.pathname);
  const mapped = map ? await sitemap(frame, read, find, map[1] === undefined ? undefined : Number(map[1])) : undefined;
  if (mapped !== undefined) return madeOf(200, mapped, { ...HTML, 'content-type': 'application/xml; charset=utf-8' });
  for (const [path, make] of PAGES) {
    const slug = slugIn(path, url.pathname);
    if (slug !== undefined) return whole(frame, await make({ ...around, slug, query: url.searchParams }));
  }
  return whole(frame, notFound(frame));
}

/** Answers that are not pages in the site's frame. */
const OTHERS: readonly (readonly [path: RegExp, make: (asked: Asked) => Promise<Made>])[] = [
  [EMBED, oneEmbedded],
  [CARD, shared],
  [EMBEDDED, listEmbedded],
];

async function oneEmbedded({ frame, read, slug }: Asked): Promise<Made> {
  const { status, html, policy } = await embedCard(frame, read, encodeURIComponent(slug));
  return madeOf(status, html, { ...HTML, 'content-security-policy': policy });
}

async function listEmbedded({ frame, find, query }: Asked): Promise<Made> {
  const { status, html } = await embedPage(frame, find, query);
  const policy = lookPolicy({ framedBy: '*' });
  return madeOf(status, html, { ...HTML, 'content-security-policy': policy, 'x-robots-tag': 'noindex' });
}

async function shared({ frame, read, slug }: Asked): Promise<Made> {
  const picture = await sharePicture(frame, read, encodeURIComponent(slug));
  if (picture === 404) return whole(frame, notFound(frame));
  return picture === 503 ? emptyOf(503, { 'retry-after': '5' }) : madeOf(200, picture, PNG);
}

/** Slugs are stored as they appear in addresses. */
const eventAsked = ({ slug, ...around }: Omit<Asked, 'query' | 'find'>): AskedEvent => ({
  ...around,
  slug: encodeURIComponent(slug),
});

/** The password sent for a protected event; '' if the form has none. */
async function passwordIn(request: Request): Promise<string> {
  try {
    const {
      form: { password },
    } = await bodyParams(request, STRANGER_BYTES_MAX);
    return typeof password === 'string' ? password : '';
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    // Too large or malformed, so it has no password.
    return '';
  }
}

/** What a password has opened must not be cached. */
const opened = ({ status, body, headers }: Made): Response =>
  new Response(body, { status, headers: { ...headers, 'cache-control': 'no-store' } });

/** The variable part of a path, '' if the pattern has none; undefined if it does not match. */
function slugIn(path: RegExp, pathname: string): string | undefined {
  const match = path.exec(pathname);
  return match ? decodedPart(match[1] ?? '').replaceAll('\0', '') : undefined;
}

const PNG = {
  'content-type': 'image/png',
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=3600',
};

const HTML = {
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer-when-downgrade',
  'cache-control': 'no-cache',
};

function whole(frame: Frame, page: Page): Made {
  if (page.location !== undefined) return emptyOf(302, { location: page.location });
  const {
    settings: { publicUrl },
    apiRoot,
  } = frame;
  return madeOf(page.status ?? 200, htmlDocument(frame, page), {
    ...HTML,
    'content-security-policy': lookPolicy({ frames: page.frames }),
    // By these headers, clients of real sites find the interface from a page.
    link: `<${apiRoot}>; rel="https://api.w.org/"`,
    'x-tec-api-version': 'v1',
    'x-tec-api-root': apiAddress(frame, page.api ?? ''),
    'x-tec-api-origin': publicUrl,
    ...(page.waitMs !== undefined && retryAfter(page.waitMs)),
  });
}

function madeOf(status: number, content: string | Uint8Array, headers: TypedHeaders): Made {
  const body = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
  return status === 200 ? { status, body, headers, coded: codedOf(body, headers) } : { status, body, headers };
}

const emptyOf = (status: number, headers: Headers): Made => ({ status, body: new Uint8Array(), headers });
