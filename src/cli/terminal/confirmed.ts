import type { Call } from './command.ts';
import { WrongUse } from './wrong-use.ts';

/** The option that answers the question before what cannot be taken back. */
export const YES = ['--yes', 'do it without a question'] as const;

/**
 * Whether something that cannot be taken back is to be done: `--yes` says so, or somebody at the terminal. `what` says
 * what would happen, in a sentence. Where nobody can be asked, throws WrongUse.
 */
export async function confirmed({ io, options }: Pick<Call, 'io' | 'options'>, what: string): Promise<boolean> {
  if (options['yes'] === true) return true;
  if (!io.ask)
    throw new WrongUse(`${what} This cannot be taken back, and nobody can be asked here: add --yes to do it.`);
  return saysYes(io.ask, `${what} This cannot be taken back.`);
}

/** Asks somebody at the terminal whether to do what has been shown. */
export async function saysYes(ask: NonNullable<Call['io']['ask']>, what: string): Promise<boolean> {
  const answer = await ask(`${what} Do it? [y/N] `);
  return /^y(?:es)?$/i.test(answer?.trim() ?? '');
}

/** What is said when somebody does not want it. */
export const NOTHING_DONE = 'Nothing was done.\n';
