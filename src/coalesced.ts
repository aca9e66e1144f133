/**
 * Asks once for all callers that wait at the same time. A caller that comes while an answer is under way gets the next
 * one, because the present one may be older than what the caller knows.
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
