/**
 * Asks once for all who want to know at the same time. Who comes while an answer is on its way gets the next one: the
 * one under way may
 * have been given before what they know of.
 */
export function coalesced<T>(ask: () => T | Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const start = (): Promise<T> => {
    const answer = (async () => ask())();
    const over = (): void => {
      if (running === answer) running = undefined;
    };
    running = answer;
    answer.then(over, over);
    return answer;
  };
  return () => {
    if (!running) return start();
    next ??= running
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
