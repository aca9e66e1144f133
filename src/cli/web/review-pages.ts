import type { Engine } from '../../operator/frame/operator.ts';
import type { Handle, Route } from '../../web/start-web.ts';
import type { App } from '../open/open-context.ts';

/** `/review/{token}`. Its modules are loaded with the first request. */
export function reviewRoutes({ context, inForce }: Pick<App, 'context' | 'inForce'>, engine: Engine): readonly Route[] {
  let made: Promise<Handle> | undefined;
  const make = async (): Promise<Handle> => {
    const { makeReviewPages } = await import('../../operator/alerts/review-link-page.ts');
    return makeReviewPages({ context, config: inForce.config, engine });
  };
  return [['/review/*', async (request, peer) => (await (made ??= make()))(request, peer)]];
}
