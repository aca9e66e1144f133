import { afterAll, beforeAll } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../database.ts';
import { builtinGrounds } from './builtin-grounds.ts';
import { configured } from './configured.ts';
import { realGrounds } from './real-grounds.ts';
import { openStage, type Stage } from './world.ts';

export const SITES = ['the built-in site', 'a real site'] as const;

/** Sets up a stage for the tests of a file. */
export function stageOn(site: (typeof SITES)[number]): () => Stage {
  let fresh: FreshDatabase;
  let stage: Stage;
  beforeAll(async () => {
    const config = await configured(
      'builtin: { timezone: Europe/Warsaw }\nsources:\n  town: { url: "https://town.example/feed.ics" }\n  club: { url: "https://club.example/feed.ics" }\n',
    );
    fresh = await freshDatabase();
    stage = await openStage(
      fresh.database,
      (now) => (site === 'a real site' ? realGrounds(now) : builtinGrounds(config, fresh.database, now)),
      config.sources,
    );
  });
  afterAll(async () => {
    await stage.close();
    await fresh.close();
  });
  return () => stage;
}
