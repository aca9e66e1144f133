import type { EventDraft } from './draft.ts';

export type Rung = 'uid' | 'url' | 'fingerprint';
export interface Identity {
  readonly rung: Rung;
  readonly identity: string;
}

const RUNGS: readonly Rung[] = ['uid', 'url', 'fingerprint'];

/** The identities that a draft could have, best first, from the source's current rung downwards; never empty. */
export function identitiesOf(draft: Pick<EventDraft, 'rungs'>, from: Rung): readonly Identity[] {
  return RUNGS.slice(RUNGS.indexOf(from)).flatMap((rung) => {
    const identity = identityOf(draft, rung);
    return identity === null ? [] : [{ rung, identity }];
  });
}

/** The lower of two rungs, that is, the less reliable one. */
export const lowerRung = (one: Rung, other: Rung): Rung => (RUNGS.indexOf(other) > RUNGS.indexOf(one) ? other : one);

/**
 * A draft's identity on one rung; null if its feed does not give it. Occurrences add their RECURRENCE-ID (RFC 5545,
 * 3.8.4.4).
 */
export function identityOf({ rungs }: Pick<EventDraft, 'rungs'>, rung: Rung): string | null {
  const base = rungs[rung];
  if (base === null || base === '') return null;
  return rung === 'fingerprint' || rungs.recurrenceId === null ? base : `${base}\t${rungs.recurrenceId}`;
}

/** An identity as text; keys are derived from it. */
export const identityText = ({ rung, identity }: Identity): string => `${rung}:${identity}`;

/**
 * Parses a text written by `identityText`; throws a TypeError if it names no rung. If the identity equals `likely`,
 * that string is returned instead of a slice, which would keep the longer text in memory.
 */
export function identityIn(text: string, likely: string | null): Identity {
  const colon = text.indexOf(':');
  const identity = text.slice(colon + 1);
  const rung = RUNGS.find((each) => each.length === colon && text.startsWith(each));
  if (rung === undefined) throw new TypeError(`no identity is written as "${text}"`);
  return { rung, identity: identity === likely ? likely : identity };
}

/** Adds an ordinal to an identity that several drafts share; the first draft has none. */
export const withOrdinal = (identity: string, ordinal: number): string =>
  ordinal === 1 ? identity : `${identity}\t~${ordinal}`;
export const withoutOrdinal = (identity: string): string => identity.replace(/\t~\d+$/, '');
export const ordinalIn = (identity: string): number => Number(/\t~(\d+)$/.exec(identity)?.[1] ?? 1);
