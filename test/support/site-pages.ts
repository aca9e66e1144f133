import { makeAuthorize } from '../../src/site/authorize/handle-authorize.ts';
import type { EventSources } from '../../src/site/edit/editor.ts';
import { makeEdit } from '../../src/site/edit/handle-edit.ts';
import { makeSuggest } from '../../src/site/edit/suggest.ts';
import { makeEmbedHandlers } from '../../src/site/embeds/embed-handlers.ts';
import { openRest } from '../../src/site/requests/handle.ts';
import { withDocPage } from '../../src/site/pages/doc/doc-page.ts';
import { makePages, type PageParts } from '../../src/site/pages/handle-pages.ts';
import { frameOf } from '../../src/site/pages/frame/layout.ts';
import { storeHandlers, storeSets, storeStatements } from '../../src/site/store/store-handlers.ts';
import { siteRevision } from '../../src/site/store/turn.ts';
import type { TestSite } from './builtin-site.ts';

export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}

const NO_SOURCES: EventSources = {
  of: async () => undefined,
  detach: async () => 'unknown',
  attach: async () => 'unknown',
};

/** A minimal browser: it keeps cookies and sends forms, but follows no redirects. */
export interface Browser {
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Shown>;
  readonly post: (path: string, fields: Readonly<Record<string, string>> | FormData) => Promise<Shown>;
  /** Sends a form with additional headers, as real browsers do. */
  readonly send: (path: string, form: URLSearchParams, headers?: Readonly<Record<string, string>>) => Promise<Shown>;
  readonly cookies: Map<string, string>;
}

/** The pages of a `builtinSite`, wired as `start` wires them. `peer` is the browser's address. */
export function pagesOf(
  { counted: db, settings, clock, errors }: TestSite,
  originOf: NonNullable<PageParts['originOf']> = async () => undefined,
  sources: EventSources = NO_SOURCES,
): (peer?: string) => Browser {
  const now = (): number => clock.now;
  const { handle: rest, answer } = openRest({
    db,
    settings,
    handlers: {
      ...storeHandlers,
      ...makeEmbedHandlers(async () => ({ kind: 'failed', message: 'Tests reach no other sites.' })),
    },
    sets: storeSets,
    statements: storeStatements,
    now,
    report: (error) => errors.push(error),
  });
  const pages = makePages({ db, originOf, settings, answer, revision: () => siteRevision(db), now });
  const authorize = makeAuthorize({ db, settings, now });
  const edit = makeEdit({ db, settings, answer, sources, now });
  const suggest = makeSuggest({ db, settings, now });
  const api = withDocPage(frameOf(settings), (request, peer) => rest(request, undefined, peer));
  return (peer = '192.0.2.1') => {
    const cookies = new Map<string, string>();
    const send = async (path: string, init: RequestInit): Promise<Shown> => {
      const headers = new Headers(init.headers);
      if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
      const request = new Request(`${new URL(settings.publicUrl).origin}${path}`, { ...init, headers });
      const answer = await (path.startsWith('/api')
        ? api(request, peer)
        : path.startsWith('/authorize')
          ? authorize(request, peer)
          : /^\/edit(?:\/|$)/.test(path)
            ? edit(request, peer)
            : path.startsWith('/suggest')
              ? suggest(request, peer)
              : pages(request));
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      return {
        status: answer.status,
        headers: answer.headers,
        html: (await answer.text()).replace(/<style>[\s\S]*?<\/style>/, '<style></style>'),
      };
    };
    return {
      cookies,
      get: (path, headers = {}) => send(path, { headers }),
      send: (path, form, headers = {}) => send(path, { method: 'POST', body: form, headers }),
      post: (path, fields) =>
        send(path, { method: 'POST', body: fields instanceof FormData ? fields : new URLSearchParams(fields) }),
    };
  };
}

/** The token of the first form on a page. */
export const tokenOf = ({ html }: Shown): string => /name="token" value="([^"]+)"/.exec(html)?.[1] ?? '';
