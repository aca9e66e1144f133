import { AppError } from '../../error.ts';
import type { Engine } from '../../operator/frame/operator.ts';
import { findEntries } from '../../run/state/ledger.ts';
import type { EventSources } from '../../site/edit/editor.ts';
import type { App } from '../open/open-context.ts';
import { keyOfSite } from '../terminal/site-key.ts';
import { nameInWords } from './event-origins.ts';

/** The sources of the built-in site's events, and what editors may decide about them. */
export function eventSources({ context, state }: App, engine: Engine): EventSources {
  const site = keyOfSite({ url: 'builtin', namespace: '' });
  const entryOf = async (slug: string) =>
    (await findEntries(state.database.query(), slug)).find((entry) => entry.site === site);
  const begin =
    (name: 'startDetach' | 'startAttach'): EventSources['detach'] =>
    async (slug, { login, peer }) => {
      const entry = await entryOf(slug);
      const setup = entry && context.sources.get(entry.source);
      if (!setup) return 'unknown';
      const { [name]: start } = await import('../../run/decisions/detach-event.ts');
      try {
        const by = { name: login, from: 'console' as const, address: peer };
        const { kind } = await engine.carryOut(setup, () => start(context, setup, slug, { by }));
        return kind === 'busy' ? 'busy' : 'begun';
      } catch (error) {
        // Another person has decided in the meantime, so the page shows the new state.
        if (error instanceof AppError) return 'unknown';
        throw error;
      }
    };
  return {
    of: async (slug) => {
      const entry = await entryOf(slug);
      if (!entry || !context.sources.has(entry.source)) return undefined;
      if (entry.state !== 'kept' && entry.state !== 'detached') return undefined;
      return { name: nameInWords(entry.source), isOurs: entry.state === 'detached' };
    },
    detach: begin('startDetach'),
    attach: begin('startAttach'),
  };
}
