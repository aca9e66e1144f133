import type { Call } from './command.ts';
import { WrongUse } from './wrong-use.ts';

/** The option that answers the question before what cannot be taken back. */
export const YES = ['--yes', 'do it without a question'] as const;

/** What is said when somebody does not want it. */
const NOTHING_DONE = 'Nothing was done.';

/** Somebody was asked, and does not want it. */
export class Declined extends Error {
  constructor() {
    super(NOTHING_DONE);
  }
}

type Asked = Pick<Call, 'io' | 'options'>;

/**
 * Goes on where something that cannot be taken back is to be done: `--yes` says so, or somebody at the terminal. `what`
 * says what would happen, in a sentence. Throws Declined, or WrongUse where nobody can be asked.
 */
export async function confirm(call: Asked, what: string): Promise<void> {
  if (!(await agreed(call, `${what} This cannot be taken back.`)))
    throw new WrongUse(`${what} This cannot be taken back, and nobody can be asked here: add --yes to do it.`);
}

/**
 * Whether what was shown is to be done: `--yes` says so, or somebody at the terminal; false where nobody can be asked, as
 * for a program that reads JSON. Throws Declined.
 */
export async function agreed(call: Asked, what: string): Promise<boolean> {
  if (call.options['yes'] === true) return true;
  if (!canAsk(call)) return false;
  const answer = await call.io.ask?.(`${what} Do it? [y/N] `);
  if (!/^y(?:es)?$/i.test(answer?.trim() ?? '')) throw new Declined();
  return true;
}

/** Whether somebody reads what is shown, and can answer. */
export const canAsk = ({ io, options }: Asked): boolean => io.ask !== undefined && options.json !== true;
