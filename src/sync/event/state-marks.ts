import { looksSame } from '../compare/looks-same.ts';
import { isEditedByPerson, isRestored, lastKnown } from '../compare/seen.ts';
import { handledState, type Wanted } from '../compare/wanted.ts';
import { nameOfRef, siteForm } from '../links/link.ts';
import { sameJson } from '../model/json.ts';
import type { Json, LedgerEntry, SiteEvent } from '../model/plan.ts';
import { withoutPrefix } from '../../contract/cancelled-title.ts';
import { isStateTag, stateFromTags, tagsInState, titleInState } from '../model/state-tags.ts';
import type { Links } from '../links/links.ts';
import type { UnitInput, Values } from './decide-unit.ts';
import { authorityOf } from './merge.ts';
import { lacksWriteRecord } from './write-record.ts';

type Marking = Omit<UnitInput, 'marks'>;
type Tagged = Pick<Marking, 'entry' | 'onSite' | 'links'>;
type State = Wanted['state'];

/**
 * What an event's state writes into its title and tags: a cancelled event is marked and a reinstated one unmarked even
 * if a person edited them; the rest of both stays. Tags that a password hides are left alone unless we know them, and
 * are marked once they are shown. `feedTitle` is the draft's title without a prefix.
 */
export function stateMarks(marking: Marking, feedTitle: string): Values {
  if (!isStateNew(marking)) return marking.entry?.fields.tags?.stateTagDue ? tagsMark(marking) : {};
  return { ...titleMark(marking, feedTitle), ...tagsMark(marking) };
}

/** Whether the tag for an event's state has to wait until the event's tags are shown. */
export const isStateTagDue = (marking: Marking): boolean =>
  tagsKnown(marking) === undefined && (isStateNew(marking) || marking.entry?.fields.tags?.stateTagDue === true);

/** Records whether the tag for the event's state is still to be written. */
export function withStateTagDue(fields: LedgerEntry['fields'], isDue: boolean): LedgerEntry['fields'] {
  if (!isDue && !fields.tags?.stateTagDue) return fields;
  const { stateTagDue: _earlier, ...tags } = fields.tags ?? { feed: null, by: 'feed' };
  if (isDue) return { ...fields, tags: { ...tags, stateTagDue: true } };
  return fields.tags ? { ...fields, tags } : fields;
}

/** Whether an event's state needs marking because the feed has changed it or the site has lost the mark. */
function isStateNew(marking: Marking): boolean {
  const { entry, wanted, onSite } = marking;
  if (stateBefore(marking) === wanted.state && !isRestored('tags', entry?.fields.tags, onSite)) return false;
  // It is unknown who marked an event that was only found, so its mark is neither removed nor replaced by a weaker one.
  return !lacksWriteRecord(entry, ['tags']) || wanted.state === 'cancelled' || isUnmarked(marking);
}

/** The state handled last. For tags that were locked until now and not edited, it is the state that the tags show. */
function stateBefore(marking: Marking): State {
  const { entry, onSite } = marking;
  const tags = entry?.fields.tags;
  const shown = tags?.unlocked && !isEditedByPerson('tags', tags, onSite) ? tagsKnown(marking) : undefined;
  return shown ? stateShown(shown) : handledState(entry);
}

const stateShown = (tags: readonly string[]): State => stateFromTags(tags.map(nameOfRef));

const isUnmarked = (marking: Marking): boolean => stateShown(tagsKnown(marking) ?? ['cancelled']) === 'confirmed';

/** The refs of the tags on the site; undefined if a password hides them and the ledger does not know them. */
function tagsKnown({ entry, onSite, links }: Tagged): readonly string[] | undefined {
  const ids = lastKnown('tags', entry?.fields.tags, onSite);
  return ids === undefined ? undefined : links.refsOfIds('tags', ids);
}

/**
 * The refs of the tags on the site, with this state's tag in place of any other state's; undefined if the tags are
 * unknown.
 */
export function tagsWithState(tagged: Tagged, state: State): readonly string[] | undefined {
  const others = tagsKnown(tagged)?.filter((ref) => !isStateTag(nameOfRef(ref)));
  return others && [...new Set([...others, ...tagged.links.refsOf('tags', tagsInState([], state))])];
}

function titleMark(marking: Marking, feedTitle: string): Values {
  const { entry, wanted, onSite, policy } = marking;
  const isKept = authorityOf(policy, ['title']) === 'site';
  if (isKept && !isMarkedByRemoval(marking)) return {};
  const title = String(onSite.values.title ?? entry?.title ?? feedTitle);
  const unmarked = isKept && entry ? ownTitle(entry, onSite) : titleToMark(marking, feedTitle, title);
  const marked = titleInState(unmarked, wanted.state, policy.language);
  return looksSame('title', marked, title) ? {} : { title: marked };
}

/**
 * The title to mark: the feed's, because titles on the site are rendered (typographic quotes), unless a person changed
 * it.
 */
function titleToMark(marking: Marking, feedTitle: string, title: string): string {
  const { entry, onSite } = marking;
  const isTheirs = lacksWriteRecord(entry, ['title'])
    ? !looksSame('title', feedTitle, withoutPrefix(title))
    : isEditedByPerson('title', entry?.fields.title, onSite);
  if (!isTheirs) return feedTitle;
  return stateBefore(marking) === 'cancelled' ? withoutPrefix(title) : title;
}

/** An event's title without a prefix: the feed's if the site's rendered title still looks like it, else the site's. */
export function ownTitle({ title }: LedgerEntry, onSite: SiteEvent): string {
  const own = withoutPrefix(title);
  const shown = withoutPrefix(String(onSite.values.title ?? ''));
  return looksSame('title', own, shown) ? own : shown;
}

/**
 * Whether the event was marked as cancelled because its feed lacked it. The mark is removed when it returns, whoever
 * has authority.
 */
const isMarkedByRemoval = (marking: Marking): boolean =>
  marking.entry?.state === 'removed' && stateBefore(marking) === 'cancelled';

function tagsMark(marking: Marking): Values {
  const { wanted, links, policy } = marking;
  const tags = tagsWithState(marking, wanted.state);
  const mayWrite = authorityOf(policy, ['tags']) !== 'site' || isMarkedByRemoval(marking);
  if (tags === undefined || !mayWrite) return {};
  const isThere = sameJson(idsOf(tags, links), idsOf(tagsKnown(marking), links));
  return isThere ? {} : { tags };
}

const idsOf = (refs: readonly string[] | undefined, { idOf }: Links): Json | undefined => siteForm('tags', refs, idOf);
