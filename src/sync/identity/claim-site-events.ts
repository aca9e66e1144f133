import { claimInOrder, groupsOf, unlessBlank, type Aspect, type Claims, type ClaimRule } from './claims.ts';
import type { Identified } from './identify-drafts.ts';
import { onlyOne } from './pairings.ts';
import { looksSame } from '../compare/looks-same.ts';
import { foldedWords } from '../../ascii.ts';
import { instantOf } from '../model/event-times.ts';
import type { SiteEvent, Snapshot } from '../model/plan.ts';
import { withoutPrefix } from '../../contract/cancelled-title.ts';

type SiteAspect = Aspect<Identified, SiteEvent>;
type SiteRule = ClaimRule<Identified, SiteEvent>;

/** The site event that each draft continues, and the drafts with several possible matches. */
export interface SiteClaims {
  readonly claims: Claims<Identified, SiteEvent>['claims'];
  readonly unsure: readonly Identified[];
}

/**
 * Pairs drafts with the source's own events on the site after the ledger was lost. Besides the identity, one thing may
 * have changed: the place or the title.
 */
export function claimOwnEvents(
  drafts: readonly Identified[],
  events: readonly SiteEvent[],
  { venues }: Snapshot,
): SiteClaims {
  const place = placeAmong(venues);
  const rules: readonly SiteRule[] = [
    { by: 'likeness', same: [START, WORDS, place], pair: onlyOne },
    { by: 'title', same: [START, WORDS], pair: onlyOne },
  ];
  const renamed: SiteRule = { by: 'place', same: [START, unlessBlank(place)], pair: onlyOne, provided: hasSameText };
  const alike = claimInOrder(drafts, events, rules);
  const unsure = unsureIn(alike);
  const doubtful = new Set(unsure);
  const sure = alike.drafts.filter((draft) => !doubtful.has(draft));
  return { claims: new Map([...alike.claims, ...claimInOrder(sure, alike.candidates, [renamed]).claims]), unsure };
}

/** Pairs drafts with events made by others that have the same title and start, and the same place if both give one. */
export function claimStrangers(
  drafts: readonly Identified[],
  events: readonly SiteEvent[],
  { venues }: Snapshot,
): SiteClaims {
  const place = placeAmong(venues);
  const rules: readonly SiteRule[] = [
    { by: 'likeness', same: [START, WORDS, place], pair: onlyOne },
    {
      by: 'title',
      same: [START, WORDS],
      pair: onlyOne,
      provided: (draft, event) => !place.ofDraft(draft) || !place.ofCandidate(event),
    },
  ];
  const alike = claimInOrder(drafts, events, rules);
  return { claims: alike.claims, unsure: unsureIn(alike) };
}

const unsureIn = ({ drafts, candidates }: Claims<Identified, SiteEvent>): readonly Identified[] =>
  groupsOf([START, WORDS], drafts, candidates).flatMap(([some, others]) =>
    onlyOne(some, others).length === 0 ? some : [],
  );

const START: SiteAspect = {
  ofDraft: ({ draft }) => draft.startsAt,
  ofCandidate: ({ values }) => instantOf(values.start_date, values.timezone),
};
const WORDS: SiteAspect = {
  ofDraft: ({ draft }) => foldedWords(withoutPrefix(draft.fields.title)),
  ofCandidate: ({ values }) => foldedWords(withoutPrefix(String(values.title ?? ''))),
};

function placeAmong(venues: Snapshot['venues']): SiteAspect {
  const names = new Map(venues.map(({ id, venue }): [unknown, string] => [id, venue]));
  return {
    ofDraft: ({ draft }) => foldedWords(draft.fields.venue?.[0]?.venue ?? ''),
    ofCandidate: ({ values: { venue } }) => foldedWords(names.get(Array.isArray(venue) ? venue[0] : undefined) ?? ''),
  };
}

/** A different text means another event that is booked into the same room. */
const hasSameText = ({ draft }: Identified, { values }: SiteEvent): boolean =>
  looksSame('description', draft.fields.description ?? '', values.description ?? '');
