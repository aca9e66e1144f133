import type { ExportedEvent, ExportState } from '../../src/feeds/content/export-state.ts';

/** The state of exports, in memory. */
export function memoryExportState(): ExportState {
  const events = new Map<string, ExportedEvent>();
  const feeds = new Map<string, { hash: string; at: number }>();
  return {
    known: async (uids) =>
      new Map(
        uids.flatMap((uid) => {
          const event = events.get(uid);
          return event ? [[uid, event] as const] : [];
        }),
      ),
    keep: async (changed) => {
      for (const event of changed) events.set(event.uid, event);
    },
    changedAt: async (feed, hash, now) => {
      const known = feeds.get(feed);
      const at = known?.hash === hash ? known.at : Math.max(now, (known?.at ?? 0) + 1000);
      feeds.set(feed, { hash, at });
      return at;
    },
  };
}
