/** Lets at most `limit` tasks of one key run at one time, the others in the order in which they came. */
export function turns(limit: number): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return async (key, task) => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] };
    queues.set(key, queue);
    if (queue.running >= limit)
      await new Promise<void>((resolve) => {
        queue.waiting.push(resolve);
      });
    else queue.running += 1;
    try {
      return await task();
    } finally {
      const next = queue.waiting.shift();
      // Whoever waited takes over this turn, so that nobody who comes just now can slip in between.
      if (next) next();
      else queue.running -= 1;
      if (queue.running === 0) queues.delete(key);
    }
  };
}
