import type { Config } from '../config.ts';

/**
 * Brings a part of the program in line with a configuration that comes into force. `version` identifies it across all
 * processes. `part` means that something has to wait, so it has to be called again.
 */
export type ApplyConfig = (after: Config, version: string) => Promise<'all' | 'part'>;

/** The configuration that a process uses. Ask for it each time, and keep no copy. */
export interface ConfigInForce {
  readonly config: () => Config;
  /** Calls `take` with each configuration that comes into force, after the functions registered earlier. */
  readonly onTake: (take: ApplyConfig) => void;
  /**
   * Puts a configuration into force. After `part` or a rejection, some parts have not applied it yet, and it should be
   * given again; those that have find nothing new.
   */
  readonly take: (config: Config, version: string) => Promise<'all' | 'part'>;
}

/** Starts with a configuration, which stays in force until another is taken. */
export function inForce(first: Config): ConfigInForce {
  let current = first;
  const takes: ApplyConfig[] = [];
  // One at a time, because each part moves from one configuration to the next.
  let last: Promise<unknown> = Promise.resolve();
  const takeAll: ConfigInForce['take'] = async (config, version) => {
    current = config;
    let taken: 'all' | 'part' = 'all';
    for (const take of takes) if ((await take(config, version)) === 'part') taken = 'part';
    return taken;
  };
  return {
    config: () => current,
    onTake: (take) => {
      takes.push(take);
    },
    take: (config, version) => {
      const taking = last.then(() => takeAll(config, version));
      last = taking.catch(() => undefined);
      return taking;
    },
  };
}
