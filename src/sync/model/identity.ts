import type { EventDraft } from './draft.ts';

export type Rung = 'uid' | 'url' | 'fingerprint';
export interface Identity {
  readonly rung: Rung;
  readonly identity: string;
}

const RUNGS: readonly Rung[] = ['uid', 'url', 'fingerprint'];

/**
 * The identities that a draft could go by, best first, from the source's current rung downwards; the last one is always
 * there.
 */
export function identitiesOf(draft: Pick<EventDraft, 'rungs'>, from: Rung): readonly Identity[] {
  return RUNGS.slice(RUNGS.indexOf(from)).flatMap((rung) => {
    const identity = identityOf(draft, rung);
    return identity === null ? [] : [{ rung, identity }];
  });
}

/** The lower of two rungs. */
export const lowerRung = (one: Rung, other: Rung): Rung => (RUNGS.indexOf(other) > RUNGS.indexOf(one) ? other : one);

/**
 * A draft's identity on one rung, null where its feed does not give it. An occurrence adds its RECURRENCE-ID (RFC 5545,
 * 3.8.4.4).
 */
export function identityOf({ rungs }: Pick<EventDraft, 'rungs'>, rung: Rung): string | null {
  const base = rungs[rung];
  if (base === null || base === '') return null;
  return rung === 'fingerprint' || rungs.recurrenceId === null ? base : `${base}\t${rungs.recurrenceId}`;
}

/** An identity as one text, the one that keys are made of. */
export const identityText = ({ rung, identity }: Identity): string => `${rung}:${identity}`;

/** Drafts that share an identity are told apart by an ordinal; the first one has none. */
export const withOrdinal = (identity: string, ordinal: number): string =>
  ordinal === 1 ? identity : `${identity}\t~${ordinal}`;
export const withoutOrdinal = (identity: string): string => identity.replace(/\t~\d+$/, '');
export const ordinalIn = (identity: string): number => Number(/\t~(\d+)$/.exec(identity)?.[1] ?? 1);
