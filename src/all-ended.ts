/**
 * Waits for all to end, also where one fails; then throws what the first of them in order threw, or returns the results
 * in the order given. So nothing is still under way afterwards.
 */
export async function allEnded<T>(working: readonly Promise<T>[]): Promise<readonly T[]> {
  const ends = await Promise.allSettled(working);
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}
