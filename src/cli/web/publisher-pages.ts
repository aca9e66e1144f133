import { loadFacts } from '../../run/watch/facts.ts';
import { zonesOfSites } from '../../run/state/site-zones.ts';
import type { Handle, Route } from '../../web/start-web.ts';
import type { App } from '../open/open-context.ts';
import { VERSION } from '../terminal/version.ts';
import { watchedSources } from '../terminal/watched-sources.ts';

/** `/publisher/{token}`. Its modules are loaded with the first request. */
export function publisherRoutes({ context, inForce }: Pick<App, 'context' | 'inForce'>): readonly Route[] {
  let made: Promise<Handle> | undefined;
  const query = context.database.query();
  const make = async (): Promise<Handle> => {
    const { makePublisherPages } = await import('../../publisher/handle-publisher.ts');
    return makePublisherPages({
      context,
      facts: async ({ name }, now) => {
        const [facts] = await loadFacts(query, await watchedSources(inForce.config(), [name]), now);
        if (facts === undefined) throw new TypeError(`nothing is known of the source ${name}`);
        return facts;
      },
      zones: () => zonesOfSites(query, inForce.config().builtin.timezone),
      title: () => inForce.config().builtin.title,
      version: VERSION,
    });
  };
  return [['/publisher/*', async (request, peer) => (await (made ??= make()))(request, peer)]];
}
