import type { EventDraft } from './draft.ts';

/** A draft that nobody else has yet. */
type Own = {
  state: EventDraft['state'];
  where: { uid?: string };
  readonly rungs: Pick<EventDraft['rungs'], 'uid'>;
  fields: { status?: string; timezone: string };
};

/**
 * Makes the texts that most drafts have in common one in memory: drafts that have come from another thread are copies,
 * each with its own. What it gives changes drafts in their places.
 */
export function makeTextsOne(): (drafts: readonly EventDraft[]) => void {
  const known = new Map<string, string>();
  // A text that equals another of its type.
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
