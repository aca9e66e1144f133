import type { RunContext, SourceSetup } from '../../run/state/context.ts';
import { WrongUse } from './wrong-use.ts';

/** The configured source with a name. Throws WrongUse with the known names. */
export function sourceNamed({ sources }: Pick<RunContext, 'sources'>, name: string): SourceSetup {
  const setup = sources.get(name);
  if (!setup)
    throw new WrongUse(
      `The configuration has no source "${name}". It has: ${[...sources.keys()].join(', ') || 'none'}.`,
    );
  return setup;
}
