type Key = string | number | null;

/** Something in which a draft and a candidate can agree; null never agrees. */
export interface Aspect<Draft, Candidate> {
  readonly ofDraft: (draft: Draft) => Key;
  readonly ofCandidate: (candidate: Candidate) => Key;
}

/**
 * A way to recognise an event: drafts and candidates that agree in every aspect form a group, and `pair` matches them
 * within it.
 */
export interface ClaimRule<Draft, Candidate, By extends string = string> {
  /** What the two share, for later use. */
  readonly by: By;
  /** Aspects in which both must agree; the first should be cheap and selective. */
  readonly same: readonly Aspect<Draft, Candidate>[];
  /** The candidates that the rule applies to; all of them if absent. */
  readonly among?: (candidate: Candidate) => boolean;
  readonly pair: (
    drafts: readonly Draft[],
    candidates: readonly Candidate[],
  ) => readonly (readonly [Draft, Candidate])[];
  /** An additional condition on each pair. */
  readonly provided?: ((draft: Draft, candidate: Candidate) => boolean) | undefined;
}

export interface Claim<Candidate, By extends string = string> {
  readonly candidate: Candidate;
  readonly by: By;
}

/** The candidate that each draft has claimed, and what is left on both sides. */
export interface Claims<Draft, Candidate, By extends string = string> {
  readonly claims: ReadonlyMap<Draft, Claim<Candidate, By>>;
  readonly drafts: readonly Draft[];
  readonly candidates: readonly Candidate[];
}

/** Lets drafts claim candidates one to one, rule by rule: earlier rules take precedence. */
export function claimInOrder<Draft, Candidate, By extends string>(
  drafts: readonly Draft[],
  candidates: readonly Candidate[],
  rules: readonly ClaimRule<Draft, Candidate, By>[],
): Claims<Draft, Candidate, By> {
  const claims = new Map<Draft, Claim<Candidate, By>>();
  let open = { drafts, candidates };
  for (const { by, same, among, pair, provided } of rules) {
    const taken = new Set<Candidate>();
    const fitting = among ? open.candidates.filter(among) : open.candidates;
    for (const [some, others] of groupsOf(same, open.drafts, fitting)) {
      for (const [draft, candidate] of pair(some, others)) {
        if (provided && !provided(draft, candidate)) continue;
        claims.set(draft, { candidate, by });
        taken.add(candidate);
      }
    }
    if (taken.size === 0) continue;
    open = {
      drafts: open.drafts.filter((draft) => !claims.has(draft)),
      candidates: open.candidates.filter((candidate) => !taken.has(candidate)),
    };
  }
  return { claims, ...open };
}

/** Groups the drafts and candidates that agree in all aspects. */
export function groupsOf<Draft, Candidate>(
  [aspect, ...more]: readonly Aspect<Draft, Candidate>[],
  drafts: readonly Draft[],
  candidates: readonly Candidate[],
): readonly (readonly [readonly Draft[], readonly Candidate[]])[] {
  if (!aspect) return [[drafts, candidates]];
  if (drafts.length === 0 || candidates.length === 0) return [];
  const others = Map.groupBy(candidates, aspect.ofCandidate);
  return [...Map.groupBy(drafts, aspect.ofDraft)].flatMap(([key, some]) => {
    const those = key === null ? undefined : others.get(key);
    return those ? groupsOf(more, some, those) : [];
  });
}

/** An aspect in which blank values never agree. */
export const unlessBlank = <Draft, Candidate>({
  ofDraft,
  ofCandidate,
}: Aspect<Draft, Candidate>): Aspect<Draft, Candidate> => ({
  ofDraft: (draft) => ofDraft(draft) || null,
  ofCandidate: (candidate) => ofCandidate(candidate) || null,
});
