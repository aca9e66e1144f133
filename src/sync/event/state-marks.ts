import { looksSame } from '../compare/looks-same.ts';
import { isPersons, isRestored } from '../compare/seen.ts';
import { handledState } from '../compare/wanted.ts';
import { nameOfRef, siteForm } from '../links/link.ts';
import { sameJson } from '../model/json.ts';
import { isStateTag, stateFromTags, tagsInState, titleInState, withoutPrefix } from '../model/state-tags.ts';
import type { Deciding, Values } from './decide-unit.ts';
import { authorityOf } from './merge.ts';
import { isOnlyFound } from './only-found.ts';

type Marking = Omit<Deciding, 'marks'>;

/**
 * What an event's state writes into its title and tags: a cancelled event is marked and a reinstated one unmarked, even
 * if a person edited them; the rest of both stays. `feedTitle` is the draft's title without a prefix.
 */
export function stateMarks(marking: Marking, feedTitle: string): Values {
  const { entry, wanted, onSite, links } = marking;
  if (handledState(entry) === wanted.state && !isRestored('tags', entry?.fields.tags, onSite)) return {};
  const tagsShown = links.refsOfIds('tags', onSite.values.tags);
  // If an event was only found, we do not know who marked it, so no mark is removed or replaced by a weaker one.
  const isMarkedThere = stateFromTags(tagsShown.map(nameOfRef)) !== 'confirmed';
  if (isOnlyFound(entry, ['tags']) && wanted.state !== 'cancelled' && isMarkedThere) return {};
  return { ...titleMark(marking, feedTitle), ...tagsMark(marking, tagsShown) };
}

function titleMark({ entry, wanted, onSite, policy }: Marking, feedTitle: string): Values {
  const title = String(onSite.values.title ?? entry?.title ?? feedTitle);
  // Titles on the site are rendered (typographic quotes), so the site's is used only if a person edited it.
  const isTheirs = isOnlyFound(entry, ['title'])
    ? !looksSame('title', feedTitle, withoutPrefix(title))
    : isPersons('title', entry?.fields.title, onSite);
  const theirs = handledState(entry) === 'cancelled' ? withoutPrefix(title) : title;
  const marked = titleInState(isTheirs ? theirs : feedTitle, wanted.state, policy.language);
  return authorityOf(policy, ['title']) === 'site' || looksSame('title', marked, title) ? {} : { title: marked };
}

function tagsMark({ wanted, onSite, links, policy }: Marking, tagsShown: readonly string[]): Values {
  const others = tagsShown.filter((ref) => !isStateTag(nameOfRef(ref)));
  const tags = [...others, ...links.refsOf('tags', tagsInState([], wanted.state))];
  const isThere = sameJson(siteForm('tags', tags, links.idOf), onSite.values.tags);
  return authorityOf(policy, ['tags']) === 'site' || isThere ? {} : { tags };
}
