import { AppError } from '../../error.ts';
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

/** The configured source of a run or a ledger entry. Throws AppError if the configuration no longer has it. */
export function setupFor({ sources }: Pick<RunContext, 'sources'>, source: string, site: string): SourceSetup {
  const setup = sources.get(source);
  if (setup?.site.key === site) return setup;
  throw new AppError(
    'source-gone',
    `The configuration no longer has the source "${source}" on ${site}: put it back, or see "forget ${source}".`,
  );
}
