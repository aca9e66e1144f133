/** Runs at most `limit` tasks per key at a time; the others wait in the order of their arrival. */
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
      // The turn passes directly to the next task, so that no newcomer can get in first.
      if (next) next();
      else queue.running -= 1;
      if (queue.running === 0) queues.delete(key);
    }
  };
}
