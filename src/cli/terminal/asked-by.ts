import { commandActor, type Asked } from '../../run/watch/acts.ts';
import type { Call } from './command.ts';

/** The option of every command that decides something. */
export const REASON = ['--reason <text>', 'why, for the history'] as const;

/** Who gave a command, and the reason that it gives. */
export function askedBy({ options }: Pick<Call, 'options'>): Asked {
  const { reason } = options;
  return { by: commandActor(), ...(typeof reason === 'string' ? { reason } : {}) };
}
