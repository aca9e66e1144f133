import type { FieldName } from '../model/fields.ts';
import type { Authority, Policy } from '../model/plan.ts';

/** What happens to one unit. `conflict` leaves the site as it is and reports the difference for a person to settle. */
export type Verdict = 'nothing' | 'write' | 'leave' | 'adopt' | 'conflict';

export interface Changes {
  /** The draft's value differs from the last one handled. */
  readonly feed: boolean;
  /** The site's value differs from what the site returned for our last write. */
  readonly site: boolean;
  /** The site already shows what the draft wants. */
  readonly same: boolean;
}

const RULES: Readonly<Record<'feed' | 'site' | 'both', Readonly<Record<Authority, Verdict>>>> = {
  feed: { preserve: 'write', feed: 'write', site: 'leave' },
  site: { preserve: 'leave', feed: 'write', site: 'leave' },
  both: { preserve: 'conflict', feed: 'write', site: 'leave' },
};

/** The complete rule of the three-way merge. In every case, the draft's value becomes the last one handled. */
export function merge({ feed, site, same }: Changes, authority: Authority): Verdict {
  if (!feed && !site) return 'nothing';
  if (same) return 'adopt';
  if (feed && site) return RULES.both[authority];
  return RULES[feed ? 'feed' : 'site'][authority];
}

/** Who has authority over the fields of a unit. */
export function authorityOf({ authority }: Pick<Policy, 'authority'>, fields: readonly FieldName[]): Authority {
  const named = fields.find((field) => authority.fields[field] !== undefined);
  return (named && authority.fields[named]) ?? authority.default;
}
