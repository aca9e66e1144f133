import type { Config } from '../../config/config.ts';
import type { Queryable } from '../../db/database.ts';
import { FIELD_NAMES } from '../../sync/model/fields.ts';

/** Completions for a place in the command line: words and, with `files`, file names. */
export interface Candidates {
  readonly words: readonly string[];
  readonly files?: true;
}

/** Where candidates are looked up. */
export interface Lookup {
  readonly config: Config | undefined;
  /** Asks the database if it is running, without starting it. */
  readonly ask: (question: (query: Queryable) => Promise<readonly string[]>) => Promise<readonly string[]>;
}

/** Shells do not show more than this; typing on narrows the list. */
export const CANDIDATES_MAX = 500;

type Find = (where: Lookup, beginning: string) => Promise<Candidates>;

const sources: Find = async ({ config }) => ({ words: config?.sources.map(({ name }) => name) ?? [] });

const formerSources: Find = async ({ config, ask }) => {
  const configured = new Set(config?.sources.map(({ name }) => name));
  return {
    words: await ask(async (query) => {
      const { sourcesInLedger } = await import('../../run/state/ledger.ts');
      return (await sourcesInLedger(query)).filter((name) => !configured.has(name));
    }),
  };
};

const slugs: Find = async ({ ask }, beginning) => ({
  words: await ask(async (query) => {
    const { slugsBeginning } = await import('../../run/state/ledger.ts');
    return slugsBeginning(query, beginning, CANDIDATES_MAX);
  }),
});

const runs: Find = async ({ ask }, beginning) => ({
  words: [
    'last',
    ...(await ask(async (query) => {
      const { runsBeginning } = await import('../../run/watch/run-list.ts');
      return runsBeginning(query, beginning, CANDIDATES_MAX);
    })),
  ],
});

const users: Find = async ({ ask }) => ({
  words: await ask(async (query) => {
    const { listUsers } = await import('../../site/users/list-users.ts');
    return (await listUsers(query, CANDIDATES_MAX)).map(({ login }) => login);
  }),
});

const versions: Find = async ({ ask }) => ({
  words: await ask(async (query) => {
    const { listVersions } = await import('../../run/watch/config-versions.ts');
    return (await listVersions(query)).map(({ id }) => String(id));
  }),
});

/** Full names and their last parts, because most names begin alike, for example with that of a source. */
const keys: Find = async () => {
  const { configKeys } = await import('../../config/keys/config-keys.ts');
  const paths = configKeys().map(({ path }) => path);
  return { words: [...new Set([...paths, ...paths.map((path) => path.slice(path.lastIndexOf('.') + 1))])] };
};

const files: Find = async () => ({ words: [], files: true });

/** The lookup for each argument and option value, by its name in usages. */
const FINDERS: Readonly<Record<string, Find>> = {
  source: sources,
  sources,
  'former-source': formerSources,
  run: runs,
  slug: slugs,
  slugs,
  user: users,
  version: versions,
  key: keys,
  file: files,
  'file-or-slug': async (where, beginning) => ({ ...(await slugs(where, beginning)), files: true }),
  address: async (where, beginning) => ({ ...(await sources(where, beginning)), files: true }),
  feed: async ({ config }) => ({ words: config?.feeds.map(({ id }) => id) ?? [] }),
  field: async () => ({ words: FIELD_NAMES }),
  receiver: async ({ config }) => {
    if (!config) return { words: [] };
    const { receiverNames } = await import('../../alerts/alert-settings.ts');
    return { words: receiverNames(config) };
  },
};

/** The candidates for an argument or an option value of this name. */
export const candidatesFor = async (name: string, where: Lookup, beginning: string): Promise<Candidates> =>
  FINDERS[name]?.(where, beginning) ?? { words: [] };
