import type { Arg, ArgContext, Args } from './arg.ts';
import { pathParams, type Contract, type Endpoint } from './endpoint.ts';

/** The published form of a route. */
export interface RouteEntry {
  readonly namespace: string;
  readonly methods: readonly string[];
  readonly endpoints: readonly {
    readonly methods: readonly string[];
    readonly allow_batch?: { readonly v1: true };
    readonly args: object;
  }[];
  readonly _links?: { readonly self: readonly { readonly href: string }[] };
}

/** `root` is the address of the interface: `https://site.example/api/`. */
export interface Place extends ArgContext {
  readonly root: string;
}

/** A route: the endpoints that share a path. */
export interface Route {
  readonly namespace: string;
  readonly path: string;
  readonly endpoints: readonly Endpoint[];
}

/**
 * The endpoints of a contract by their full paths (`/calendar/events/v1/events/{id}`), in the order of the contract.
 */
export function routesOf(contract: Contract, namespace: string): readonly Route[] {
  const routes = new Map<string, { namespace: string; path: string; endpoints: Endpoint[] }>();
  for (const endpoint of Object.values(contract)) {
    const own = endpoint.namespace === 'calendar' ? namespace : endpoint.namespace;
    const path = own === '' ? endpoint.path : `/${own}${endpoint.path}`;
    const route = routes.get(path) ?? { namespace: own, path, endpoints: [] };
    routes.set(path, { ...route, endpoints: [...route.endpoints, endpoint] });
  }
  return [...routes.values()];
}

/** The published key of a route, with its placeholders as patterns. */
export const routeKey = (path: string): string =>
  path.replace('{id}', String.raw`(?P<id>\d+)`).replace('{slug}', '(?P<slug>[^/]+)');

export function describeRoute(route: Route, place: Place): RouteEntry {
  return {
    namespace: route.namespace,
    methods: [...new Set(route.endpoints.flatMap(({ methods }) => methods))],
    endpoints: route.endpoints.map(({ methods, batch, args }) => ({
      methods,
      ...(batch && { allow_batch: { v1: true as const } }),
      args: describeArgs(args, place),
    })),
    ...(pathParams(route.path).length === 0 && { _links: { self: [{ href: place.root + route.path.slice(1) }] } }),
  };
}

/** `args` as a real site prints them; without any, PHP's empty list. */
function describeArgs(args: Args, context: ArgContext): object {
  const entries = Object.entries(args).map(([name, arg]) => [name, describeArg(arg, context)]);
  return entries.length === 0 ? [] : Object.fromEntries(entries);
}

function describeArg({ about, presence, default: shown }: Arg, context: ArgContext): object {
  const { enum: words, ...rest } = about;
  const allowed = typeof words === 'function' ? words(context) : words;
  return {
    // A function is a default that depends on the clock.
    ...(shown !== undefined && {
      default: typeof shown === 'function' ? (shown as (context: ArgContext) => unknown)(context) : shown,
    }),
    ...rest,
    ...(allowed && allowed.length > 0 && { enum: allowed }),
    required: presence === 'required',
  };
}
