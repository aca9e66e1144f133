import { eventZone } from '../../contract/event-zone.ts';
import { instantFromWall } from '../../time.ts';
import { withoutPrefix } from '../model/state-tags.ts';
import type { Identified } from './identify-drafts.ts';
import { looksSame } from '../compare/looks-same.ts';
import type { SiteEvent, Snapshot } from '../model/plan.ts';
import { foldedWords } from '../../ascii.ts';

/** Drafts and events of the site with the same title, start and place, one to one; `unsure` are drafts that more than one would fit. */
export function pairByLikeness(drafts: readonly Identified[], events: readonly SiteEvent[], snapshot: Snapshot): Pairs {
  const others = Map.groupBy(events, (event) =>
    pairKey(withoutPrefix(String(event.values.title ?? '')), startOf(event)),
  );
  const groups = [
    ...Map.groupBy(drafts, ({ draft }) => pairKey(withoutPrefix(draft.fields.title), draft.startsAt)),
  ].flatMap(([key, group]) => {
    const found = others.get(key);
    return found ? [pairsOf(group, found, snapshot)] : [];
  });
  return { pairs: groups.flatMap(({ pairs }) => pairs), unsure: groups.flatMap(({ unsure }) => unsure) };
}

/** Drafts and events of a source of which one thing has changed besides their identities, the place or else the title, where there is just one on each side. */
export function pairChanged(
  drafts: readonly Identified[],
  events: readonly SiteEvent[],
  snapshot: Snapshot,
): Pairs['pairs'] {
  const titled = pairOnly(
    drafts,
    events,
    ({ draft }) => pairKey(withoutPrefix(draft.fields.title), draft.startsAt),
    (event) => pairKey(withoutPrefix(String(event.values.title ?? '')), startOf(event)),
  );
  const [taken, found] = [new Set(titled.map(([draft]) => draft)), new Set(titled.map(([, event]) => event))];
  const placed = pairOnly(
    drafts.filter((draft) => !taken.has(draft) && placeOf(draft) !== ''),
    events.filter((event) => !found.has(event)),
    (draft) => pairKey(placeOf(draft), draft.draft.startsAt),
    (event) => pairKey(placeOnSite(event, snapshot), startOf(event)),
  );
  // What else has another text is another event that has got the same room.
  return [
    ...titled,
    ...placed.filter(([{ draft }, { values }]) =>
      looksSame('description', draft.fields.description ?? '', values.description ?? ''),
    ),
  ];
}

function pairOnly(
  drafts: readonly Identified[],
  events: readonly SiteEvent[],
  keyOfDraft: (draft: Identified) => string,
  keyOfEvent: (event: SiteEvent) => string,
): Pairs['pairs'] {
  const others = Map.groupBy(events, keyOfEvent);
  return [...Map.groupBy(drafts, keyOfDraft)].flatMap(([key, [draft, ...more]]) => {
    const [event, ...further] = others.get(key) ?? [];
    return draft && event && more.length + further.length === 0 ? [[draft, event] as const] : [];
  });
}

const pairKey = (title: string, startsAt: number): string => `${foldedWords(title)}|${startsAt}`;

function startOf({ values: { start_date: wall, timezone } }: SiteEvent): number {
  const zone = typeof timezone === 'string' ? eventZone(timezone) : undefined;
  return typeof wall === 'string' && zone !== undefined ? instantFromWall(wall, zone) : Number.NaN;
}

interface Pairs {
  readonly pairs: readonly (readonly [Identified, SiteEvent])[];
  readonly unsure: readonly Identified[];
}

/** Those of one title and start: by place where both sides name one; a single pair without a place on one side is one all the same. */
function pairsOf(drafts: readonly Identified[], events: readonly SiteEvent[], snapshot: Snapshot): Pairs {
  const byPlace = Map.groupBy(events, (event) => placeOnSite(event, snapshot));
  const draftsByPlace = Map.groupBy(drafts, placeOf);
  const exact = [...draftsByPlace].flatMap(([place, group]) => {
    const [event, ...more] = byPlace.get(place) ?? [];
    return group.length === 1 && event && more.length === 0 ? [[group[0]!, event] as const] : [];
  });
  const openDrafts = drafts.filter((draft) => !exact.some(([one]) => one === draft));
  const openEvents = events.filter((event) => !exact.some(([, one]) => one === event));
  const [draft, event] = [openDrafts[0], openEvents[0]];
  if (!draft || !event) return { pairs: exact, unsure: [] };
  const isSingle = openDrafts.length === 1 && openEvents.length === 1;
  if (isSingle && (placeOf(draft) === '' || placeOnSite(event, snapshot) === ''))
    return { pairs: [...exact, [draft, event]], unsure: [] };
  return { pairs: exact, unsure: isSingle ? [] : openDrafts };
}

const placeOf = ({ draft }: Identified): string => foldedWords(draft.fields.venue?.[0]?.venue ?? '');

function placeOnSite({ values }: SiteEvent, { venues }: Snapshot): string {
  const id: unknown = Array.isArray(values.venue) ? values.venue[0] : undefined;
  return foldedWords(venues.find((venue) => venue.id === id)?.venue ?? '');
}
