// Sites whose pages do not always link to their oEmbed data, and whose players need scripts of their own origin.
const PROVIDERS: readonly (readonly [page: RegExp, endpoint: string])[] = [
  [
    /^https?:\/\/(?:(?:www|m)\.)?youtube\.com\/(?:watch|playlist|shorts\/|live\/)|^https?:\/\/youtu\.be\//i,
    'https://www.youtube.com/oembed',
  ],
  [/^https?:\/\/(?:www\.)?vimeo\.com\//i, 'https://vimeo.com/api/oembed.json'],
  [/^https?:\/\/(?:www\.)?dailymotion\.com\/|^https?:\/\/dai\.ly\//i, 'https://www.dailymotion.com/services/oembed'],
  [/^https?:\/\/(?:www\.|m\.)?soundcloud\.com\//i, 'https://soundcloud.com/oembed'],
  [/^https?:\/\/(?:open|play)\.spotify\.com\//i, 'https://open.spotify.com/oembed'],
  [/^https?:\/\/(?:www\.)?mixcloud\.com\//i, 'https://app.mixcloud.com/oembed/'],
  [/^https?:\/\/(?:www\.)?flickr\.com\/|^https?:\/\/flic\.kr\//i, 'https://www.flickr.com/services/oembed/'],
  [/^https?:\/\/(?:www\.|m\.)?(?:twitter|x)\.com\/\w+\/status/i, 'https://publish.twitter.com/oembed'],
  [/^https?:\/\/(?:www\.)?tiktok\.com\//i, 'https://www.tiktok.com/oembed'],
  [/^https?:\/\/(?:www\.)?reddit\.com\/r\//i, 'https://www.reddit.com/oembed'],
];

/** A known provider's endpoint for a page; undefined for other pages. */
export const providerOf = (page: string): string | undefined => PROVIDERS.find(([pattern]) => pattern.test(page))?.[1];
