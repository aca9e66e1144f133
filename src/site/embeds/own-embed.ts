import { decodedPart } from '../../ascii.ts';
import { INTEGER_MAX } from '../../contract/limits.ts';
import type { Embed, Event } from '../../contract/representation.ts';
import { sql } from '../../db/database.ts';
import { safeFrame, safeLink } from '../../html/link.ts';
import { html } from '../../html/template.ts';
import { textFromHtml } from '../../html/text.ts';
import type { HandlerContext } from '../context.ts';
import { HttpProblem } from '../http-problem.ts';
import { eventHandlers } from '../store/events.ts';
import { smallerSizes } from '../store/image-sizes.ts';
import { SYNC_LOGIN, type User } from '../users/users.ts';

const WIDTH = { min: 200, max: 600 };

/** What an address on this site refers to; undefined for addresses of other sites. */
export type OwnAddress = { readonly slug: string } | { readonly id: number } | { readonly other: true };

/** Parses an address. http and https, with and without "www", are the same site. */
export function ownAddress(address: string, publicUrl: string): OwnAddress | undefined {
  const [url, own] = [URL.parse(address), new URL(publicUrl)];
  if (!url || !/^https?:$/.test(url.protocol) || bare(url.host) !== bare(own.host)) return undefined;
  const base = own.pathname.replace(/\/$/, '');
  if (!url.pathname.startsWith(`${base}/`) && url.pathname !== base) return { other: true };
  return pageAt(url.pathname.slice(base.length), url.searchParams.get('p') ?? '') ?? { other: true };
}

/** The page at a path of the site, or the post with an id (`/?p=12`). */
function pageAt(path: string, post: string): OwnAddress | undefined {
  const slug = /^\/event\/([^/]+)(?:\/embed)?\/?$/.exec(path)?.[1];
  if (slug !== undefined) return { slug };
  const id = /^\/?$/.test(path) && /^\d+$/.test(post) ? Number(post) : 0;
  return id > 0 && id <= INTEGER_MAX ? { id } : undefined;
}

const bare = (host: string): string => host.toLowerCase().replace(/^www\./, '');

/**
 * Returns the oEmbed data of a page of this site. Throws HttpProblem for anything but the page of a published event,
 * whoever asks.
 */
export async function ownEmbed(address: OwnAddress, maxwidth: number, ctx: HandlerContext): Promise<Embed> {
  const event = await publicEvent(address, ctx);
  const {
    settings: { title, publicUrl },
  } = ctx;
  const width = Math.min(WIDTH.max, Math.max(WIDTH.min, maxwidth));
  const height = Math.max(WIDTH.min, Math.ceil((width * 9) / 16));
  return {
    version: '1.0',
    provider_name: title,
    provider_url: publicUrl,
    author_name: await authorOf(event, ctx),
    author_url: publicUrl,
    title: event.title,
    type: 'rich',
    width,
    height,
    html: frame(event, width, height),
    ...thumbnail(event, width, publicUrl),
  };
}

export const unknownPage = (): HttpProblem =>
  new HttpProblem('oembed_invalid_url', 'This address is not a page that can be embedded.');

async function publicEvent(address: OwnAddress, ctx: HandlerContext): Promise<Event> {
  const nobody = { ...ctx, caller: null };
  try {
    if ('slug' in address)
      return (await eventHandlers.readEventBySlug({ slug: decodedPart(address.slug) }, nobody)).body;
    if ('id' in address) return (await eventHandlers.readEvent({ id: address.id }, nobody)).body;
  } catch (error) {
    // Pages that nobody may read get the same answer as missing ones.
    if (!(error instanceof HttpProblem)) throw error;
  }
  throw unknownPage();
}

/** The author of an event, or the site if the event comes from the sync. */
async function authorOf({ author }: Event, { db, settings: { title } }: HandlerContext): Promise<string> {
  const {
    rows: [user],
  } = await sql<Pick<User, 'login' | 'display_name'>>`
    select login, display_name from site.users where id = ${Number(author)}`.execute(db);
  return user && user.login !== SYNC_LOGIN ? user.display_name : title;
}

function frame({ url, title }: Event, width: number, height: number): string {
  const text = textFromHtml(title);
  const source = url.replace(/\/?$/, '/embed/');
  const shown = safeFrame({
    sandbox: 'allow-scripts allow-popups allow-popups-to-escape-sandbox',
    security: 'restricted',
    src: source,
    width,
    height,
    title: text,
    frameborder: 0,
    marginwidth: 0,
    marginheight: 0,
    scrolling: 'no',
    class: 'wp-embedded-content',
  });
  return html`<blockquote class="wp-embedded-content">${safeLink({ href: url }, text)}</blockquote>${shown}`.markup;
}

/** The image, no wider than `widthMax`, from the smallest file that is wide enough. */
function thumbnail({ image }: Event, widthMax: number, publicUrl: string): Partial<Embed> {
  if (!image || image.width === undefined || image.height === undefined) return {};
  const width = Math.min(image.width, widthMax);
  const [url] = smallerSizes(publicUrl, image).find(([, each]) => each >= width) ?? [image.url];
  return {
    thumbnail_url: url,
    thumbnail_width: width,
    thumbnail_height: Math.max(1, Math.round((image.height * width) / image.width)),
  };
}
