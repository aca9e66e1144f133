import type { EventDraft } from './draft.ts';

/** A draft that nothing else refers to yet, so it may be modified. */
type Own = {
  state: EventDraft['state'];
  where: { uid?: string };
  readonly rungs: Pick<EventDraft['rungs'], 'uid'>;
  fields: { status?: string; timezone: string };
};

/**
 * Returns a function that makes equal texts in drafts share one string in memory: drafts that come from another thread
 * are copies, each with strings of its own. It modifies the drafts in place.
 */
export function makeTextsOne(): (drafts: readonly EventDraft[]) => void {
  const known = new Map<string, string>();
  // Returns the first text seen that equals this one.
  const one = <T extends string>(text: T): T => {
    const first = known.get(text);
    if (first === undefined) known.set(text, text);
    return (first as T | undefined) ?? text;
  };
  return (drafts) => {
    for (const draft of drafts as readonly Own[]) {
      const { where, rungs, fields } = draft;
      draft.state = one(draft.state);
      if (where.uid === rungs.uid && rungs.uid !== null) where.uid = rungs.uid;
      if (fields.status !== undefined) fields.status = one(fields.status);
      fields.timezone = one(fields.timezone);
    }
  };
}
