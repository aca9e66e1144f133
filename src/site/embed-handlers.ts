import type { Embed, Event } from '../contract/representation.ts';
import { escapeHtml } from '../html.ts';
import type { HandlerContext } from './context.ts';
import { HttpProblem } from './http-problem.ts';
import type { SiteHandlers } from './handlers.ts';
import { eventHandlers } from './store/events.ts';

/** oEmbed: the pages of this site's own published events. */
export const embedHandlers: Pick<SiteHandlers, 'readEmbed' | 'readEmbedProxy'> = {
  readEmbed: async ({ url, maxwidth }, ctx) => ({ body: await embedOf(url, maxwidth, ctx) }),
  readEmbedProxy: async ({ url, maxwidth }, ctx) => ({ body: await embedOf(url, maxwidth, ctx) }),
};

const WIDTH = { min: 200, max: 600 };

async function embedOf(url: string, maxwidth: number, ctx: HandlerContext): Promise<Embed> {
  const event = await publicEvent(url, ctx);
  const { settings: { title, publicUrl } } = ctx;
  const width = Math.min(WIDTH.max, Math.max(WIDTH.min, maxwidth));
  const height = Math.max(WIDTH.min, Math.ceil((width * 9) / 16));
  return {
    version: '1.0', provider_name: title, provider_url: publicUrl, author_name: title, author_url: publicUrl,
    title: event.title, type: 'rich', width, height, html: frame(event, width, height), ...thumbnail(event),
  };
}

/** The published event that a page's address shows; what nobody may read is as unknown as what is not there. */
async function publicEvent(url: string, ctx: HandlerContext): Promise<Event> {
  const unknown = new HttpProblem('oembed_invalid_url', `${url === '' ? 'An empty address' : 'This address'} is not the page of a published event of this site.`);
  const slug = url.startsWith(`${ctx.settings.publicUrl}/event/`) ? /^\/event\/([^/]+)\/?$/.exec(URL.parse(url)?.pathname ?? '')?.[1] : undefined;
  if (slug === undefined) throw unknown;
  try {
    return (await eventHandlers.readEventBySlug({ slug }, { ...ctx, caller: null })).body;
  } catch (error) {
    throw error instanceof HttpProblem ? unknown : error;
  }
}

const frame = ({ url, title }: Event, width: number, height: number): string =>
  `<blockquote class="wp-embedded-content"><a href="${escapeHtml(url)}">${title}</a></blockquote>`
  + `<iframe sandbox="allow-scripts allow-popups" src="${escapeHtml(url.replace(/\/?$/, '/embed/'))}" width="${width}" height="${height}" title="${escapeHtml(title)}" frameborder="0" class="wp-embedded-content"></iframe>`;

const thumbnail = ({ image }: Event): Partial<Embed> =>
  (image && image.width !== undefined && image.height !== undefined ? { thumbnail_url: image.url, thumbnail_width: image.width, thumbnail_height: image.height } : {});
