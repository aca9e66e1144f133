import type { Config } from '../config.ts';

/**
 * Part of a program that works with the configuration: brings itself in line with one that comes into force. `version`
 * is its name, the same in all processes and no other's. `part`: something of it has to wait, so it is to be called
 * again.
 */
export type Take = (after: Config, version: string) => Promise<'all' | 'part'>;

/** The configuration that a process works with. Whoever needs it asks each time, and keeps no copy. */
export interface ConfigInForce {
  readonly config: () => Config;
  /** Calls `take` with each configuration that comes into force, after those that were registered earlier. */
  readonly onTake: (take: Take) => void;
  /**
   * Puts a configuration into force. `part`, or a rejection: not everything has taken it over yet, and it should be
   * given again; whoever has taken it already finds nothing new in it.
   */
  readonly take: (config: Config, version: string) => Promise<'all' | 'part'>;
}

/** Begins with a configuration, which stays in force until another is taken. */
export function inForce(first: Config): ConfigInForce {
  let current = first;
  const takes: Take[] = [];
  // One after the other: each part brings itself from one configuration to the next.
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
