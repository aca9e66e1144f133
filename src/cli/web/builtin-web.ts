import type { Database, Queryable } from '../../db/database.ts';
import { withDocPage } from '../../site/pages/doc/doc-page.ts';
import { makeAssets } from '../../site/pages/frame/assets.ts';
import type { Beyond } from '../../site/pages/frame/beyond.ts';
import { frameOf } from '../../site/pages/frame/layout.ts';
import { unavailableAnswer } from '../../site/pages/frame/unavailable-page.ts';
import type { EventSources } from '../../site/edit/editor.ts';
import { routeNamedBy } from '../../site/requests/route-address.ts';
import { makeMedia } from '../../site/store/media.ts';
import { isResizerInstalled, makeResizer } from '../../site/store/resize.ts';
import type { Handle } from '../../web/start-web.ts';
import type { Builtin } from '../open/open-builtin.ts';

/** The public side of the built-in site. */
export interface BuiltinWeb {
  /** The interface for outside requests: clients are identified by their address, and browsers get a page about it. */
  readonly api: Handle;
  readonly authorize: Handle;
  /** The answer while the database is unavailable. */
  readonly unavailable: (request: Request) => Response;
  /** Includes the interface, for addresses that name a route in their query. */
  readonly pages: Handle;
  /** The pages to write events, below `/edit`. Its modules are loaded with the first request. */
  readonly edit: Handle;
  /** The pages to suggest events, below `/suggest`, if visitors may. */
  readonly suggest: Handle;
  /** The files that pages load, below `/assets/`. Every page needs them, even while the database is unavailable. */
  readonly assets: Handle;
  /** The files of images, below `/media/`. */
  readonly media: Handle;
}

/** Adds what only visitors need to the built-in site. */
export function builtinWeb(
  { settings, rest, answer, revision }: Builtin,
  database: Database,
  now: () => number,
  originsOf: (db: Queryable) => Beyond['originOf'],
  sources: EventSources,
): BuiltinWeb {
  const db = database.query();
  const frame = frameOf(settings);
  const assets = makeAssets(frame.look);
  const pages = loadedOnce(async () => {
    const { makePages } = await import('../../site/pages/handle-pages.ts');
    return makePages({ db, settings, answer, revision, originOf: originsOf(db), now });
  });
  const api = withDocPage(frame, (request, peer, isAwaited) => rest(request, undefined, peer, isAwaited));
  return {
    api,
    authorize: loadedOnce(async () => {
      const { makeAuthorize } = await import('../../site/authorize/handle-authorize.ts');
      return makeAuthorize({ db, settings, now });
    }),
    unavailable: (request) => unavailableAnswer(frame, request),
    pages: (request, peer, isAwaited) =>
      routeNamedBy(new URL(request.url), settings) === undefined
        ? pages(request, peer, isAwaited)
        : api(request, peer, isAwaited),
    assets: async (request) => (await assets(request)) ?? new Response(null, { status: 404 }),
    media: makeMedia(db, isResizerInstalled() ? makeResizer() : undefined),
    edit: loadedOnce(async () => {
      const { makeEdit } = await import('../../site/edit/handle-edit.ts');
      return makeEdit({ db, settings, answer, sources, now });
    }),
    suggest: settings.suggestions
      ? loadedOnce(async () => {
          const { makeSuggest } = await import('../../site/edit/suggest.ts');
          return makeSuggest({ db, settings, now });
        })
      : pages,
  };
}

/** A handler that is loaded with the first request for it. */
function loadedOnce(load: () => Promise<Handle>): Handle {
  let loaded: Promise<Handle> | undefined;
  return async (request, peer, isAwaited) => (await (loaded ??= load()))(request, peer, isAwaited);
}
