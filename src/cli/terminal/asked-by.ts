import { commandActor, type ActRequest } from '../../run/watch/acts.ts';
import type { Call } from './command.ts';

/** The option of every command that makes a decision. */
export const REASON = ['--reason <text>', 'why, for the history'] as const;

/** The user who gave the command, and the reason given. */
export function askedBy({ options }: Pick<Call, 'options'>): ActRequest {
  const { reason } = options;
  return { by: commandActor(), ...(typeof reason === 'string' ? { reason } : {}) };
}
