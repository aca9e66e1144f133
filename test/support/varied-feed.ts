import { buildFeed } from '../../src/feeds/content/build-feed.ts';
import { memoryExportState } from './memory-export-state.ts';
import { memorySite } from './memory-site.ts';
import { variedEvents } from './varied-events.ts';

/** The export of `variedEvents`, as bytes. */
export async function variedFeed(): Promise<Buffer> {
  const site = {
    client: memorySite(variedEvents),
    ourKeys: async () => new Map<number, string>(),
    state: memoryExportState(),
    host: 'site.example',
    publicUrl: 'https://cal.example',
    home: 'https://cal.example/',
  };
  return (await buildFeed(site, { id: 'all', title: 'Everything on' }, Date.UTC(2026, 10, 20, 12))).body.bytes();
}
