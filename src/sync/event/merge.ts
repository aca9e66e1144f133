import type { Authority, FieldName, Policy } from '../model/plan.ts';

/** What becomes of one unit: `conflict` leaves the site as it is and lists the difference for a person. */
export type Verdict = 'nothing' | 'write' | 'leave' | 'adopt' | 'conflict';

export interface Changes {
  /** The draft's value is not the last one that was handled. */
  readonly feed: boolean;
  /** The site's value is not what the site made of our last write. */
  readonly site: boolean;
  /** The site already shows what the draft wants. */
  readonly same: boolean;
}

const RULES: Readonly<Record<'feed' | 'site' | 'both', Readonly<Record<Authority, Verdict>>>> = {
  feed: { preserve: 'write', feed: 'write', site: 'leave' },
  site: { preserve: 'leave', feed: 'write', site: 'leave' },
  both: { preserve: 'conflict', feed: 'write', site: 'leave' },
};

/** The rule of the three-way merge, whole. In every row the draft's value becomes the one that was handled last. */
export function merge({ feed, site, same }: Changes, authority: Authority): Verdict {
  if (!feed && !site) return 'nothing';
  if (same) return 'adopt';
  if (feed && site) return RULES.both[authority];
  return RULES[feed ? 'feed' : 'site'][authority];
}

/** Who decides about fields that are decided together. */
export const authorityOf = ({ authority }: Pick<Policy, 'authority'>, fields: readonly FieldName[]): Authority =>
  fields.map((field) => authority.fields[field]).find((each) => each !== undefined) ?? authority.default;
