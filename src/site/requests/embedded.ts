import type { HandlerContext } from '../context.ts';
import { dispatch, matchRoute, type Site } from './dispatch.ts';
import { rootOf } from './indexes.ts';
import { queryParams } from './request-params.ts';

type Context = Omit<HandlerContext, 'settings'>;
type Links = Readonly<Record<string, unknown>>;
interface Link {
  readonly embeddable?: unknown;
  readonly href?: unknown;
}

/**
 * Adds what `_embed` asks for. `_embedded` contains, by relation, the targets of the embeddable links in `_links`,
 * errors included; a category has its parent there. `wanted` names relations (a comma-separated text or a list); true,
 * 1 and an empty value mean all of them.
 */
export async function withEmbedded(site: Site, body: unknown, wanted: unknown, ctx: Context): Promise<unknown> {
  if (typeof body !== 'object' || body === null) return body;
  const relations = relationsFrom(wanted);
  const links = (body as Readonly<Record<string, unknown>>)['_links'];
  if (typeof links !== 'object' || links === null) return body;
  const embedded = await Promise.all(
    embeddable(links as Links, relations).map(async ([relation, targets]) => [
      relation,
      await Promise.all(targets.map((href) => read(site, href, ctx))),
    ]),
  );
  return embedded.length === 0 ? body : { ...body, _embedded: Object.fromEntries(embedded) as object };
}

function relationsFrom(wanted: unknown): readonly string[] | undefined {
  const names = (Array.isArray(wanted) ? wanted : String(wanted).split(','))
    .map((name) => String(name).trim())
    .filter((name) => name !== '');
  return names.length === 0 || names.some((name) => name === '1' || name === 'true') ? undefined : names;
}

/** The embeddable addresses below this site's interface, by relation. */
function embeddable(
  links: Links,
  relations: readonly string[] | undefined,
): readonly (readonly [string, readonly string[]])[] {
  return Object.entries(links).flatMap(([relation, targets]) => {
    if ((relations && !relations.includes(relation)) || !Array.isArray(targets)) return [];
    const hrefs = (targets as readonly Link[]).flatMap(({ embeddable: may, href }) =>
      may === true && typeof href === 'string' ? [href] : [],
    );
    return hrefs.length === 0 ? [] : [[relation, hrefs] as const];
  });
}

/** Reads a link in process, as the same caller. */
async function read(site: Site, href: string, ctx: Context): Promise<unknown> {
  const { pathname, searchParams } = new URL(href);
  const path = `/${decodeURI(pathname).slice(decodeURI(new URL(rootOf(site.settings)).pathname).length)}`;
  const sources = { json: {}, form: {}, query: queryParams(searchParams.toString()) };
  const outcome = await dispatch(site, matchRoute(site.routes, path), 'GET', sources, ctx);
  return outcome.body;
}
