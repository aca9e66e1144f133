import type { Call } from './command.ts';
import { WrongUse } from './wrong-use.ts';

/** The option that skips the question before an irreversible step. */
export const YES = ['--yes', 'do not ask for confirmation'] as const;

/** The message if the person declines. */
const NOTHING_DONE = 'Nothing was done.';

/** The person was asked and declined. */
export class Declined extends Error {
  constructor() {
    super(NOTHING_DONE);
  }
}

type Asked = Pick<Call, 'io' | 'options'>;

/**
 * Returns once an irreversible step is confirmed by `--yes` or by the person at the terminal. `what` is a sentence that
 * says what would happen. Throws Declined, or WrongUse if nobody can be asked.
 */
export async function confirm(call: Asked, what: string): Promise<void> {
  if (!(await isAgreed(call, `${what} This cannot be undone.`)))
    throw new WrongUse(`${what} This cannot be undone, and there is no terminal to ask on: add --yes to do it.`);
}

/**
 * Whether to do what was shown: true if `--yes` or the person at the terminal says so, false if nobody can be asked, as
 * with `--json`. Throws Declined.
 */
export async function isAgreed(call: Asked, what: string): Promise<boolean> {
  if (call.options['yes'] === true) return true;
  if (!canAsk(call)) return false;
  const answer = await call.io.ask?.(`${what} Do it? [y/N] `);
  if (!/^y(?:es)?$/i.test(answer?.trim() ?? '')) throw new Declined();
  return true;
}

/** Whether a person reads the output and can answer. */
export const canAsk = ({ io, options }: Asked): boolean => io.ask !== undefined && options.json !== true;
