/**
 * The candidate that a word was probably meant to be, with at most a third of its letters different; undefined if none
 * is close.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, apart: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((one, other) => one.apart - other.apart);
  const [best] = ranked;
  return best && best.apart <= Math.max(1, Math.floor(Math.max(word.length, best.candidate.length) / 3))
    ? best.candidate
    : undefined;
}

/** Levenshtein distance, with two swapped letters counted as one mistake. */
function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + same);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[other.length] as number;
}
