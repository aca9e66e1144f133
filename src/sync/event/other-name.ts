import { countInWords, grouped } from '../../count-in-words.ts';
import type { Identified } from '../identity/identify-drafts.ts';
import type { HoldReason, LedgerEntry } from '../model/plan.ts';
import { identityKey } from '../model/slug.ts';

/** An event left behind by a source that is no longer configured. */
export type LeftBehindEvent = Pick<LedgerEntry, 'key' | 'title' | 'startsAt'> & { readonly source: string };

/**
 * Why the first plan of a source needs a review if the site already has its events from a source that is no longer
 * configured, probably the same one under its former name; null if it does not. The title or the start must match as
 * well as the identity, since feeds number their events alike.
 */
export function otherNameReason(drafts: readonly Identified[], left: readonly LeftBehindEvent[]): HoldReason | null {
  if (left.length === 0) return null;
  const byIdentity = Map.groupBy(left, ({ key }) => identityKey(key));
  const named = drafts.flatMap(({ key, draft }) => {
    const same = (byIdentity.get(identityKey(key)) ?? []).find(
      ({ title, startsAt }) => title === draft.fields.title || startsAt === draft.startsAt,
    );
    return same ? [same.source] : [];
  });
  const [most] = [...Map.groupBy(named, (source) => source)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  if (!most) return null;
  const [source, { length: count }] = most;
  const them = count === 1 ? 'it' : 'them';
  return {
    kind: 'other-name',
    count,
    all: drafts.length,
    message:
      `${grouped(count)} of ${countInWords(drafts.length, 'event')} ${count === 1 ? 'is' : 'are'} on the site already, ` +
      `from the source "${source}", which is no longer configured. If this is that source under another name, add ` +
      `"was: ${source}" to it. "npm run -s calsyncd -- forget ${source} --trash" takes the old ones off; ` +
      `approving creates ${them} a second time.`,
  };
}
