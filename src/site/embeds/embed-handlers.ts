import type { FetchPage } from './fetch-page.ts';
import { foreignEmbed } from './foreign-embed.ts';
import { ownAddress, ownEmbed, unknownPage } from './own-embed.ts';
import type { SiteHandlers } from '../handlers.ts';

/**
 * The oEmbed handlers: everybody may embed this site's published events; users who may write here may embed other
 * sites' pages.
 */
export const makeEmbedHandlers = (fetchPage: FetchPage): Pick<SiteHandlers, 'readEmbed' | 'readEmbedProxy'> => ({
  readEmbed: async ({ url, maxwidth }, ctx) => {
    const own = ownAddress(url, ctx.settings.publicUrl);
    if (!own) throw unknownPage();
    return { body: await ownEmbed(own, maxwidth, ctx) };
  },
  readEmbedProxy: async ({ url, maxwidth, maxheight = 0, format, discover }, ctx) => {
    const own = ownAddress(url, ctx.settings.publicUrl);
    return {
      body: own
        ? await ownEmbed(own, maxwidth, ctx)
        : await foreignEmbed({ url, format, maxwidth, maxheight, discover }, fetchPage, ctx),
    };
  },
});
