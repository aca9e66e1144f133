import { inOrderOfStart } from '../../ical/occurrences/occurrence.ts';
import type { EventDraft } from './draft.ts';

/** Sorts drafts in the order of a calendar's occurrences. */
export const inOrderOfOccurrences = (drafts: readonly EventDraft[]): readonly EventDraft[] =>
  drafts.toSorted((one, other) => inOrderOfStart(placeOf(one), placeOf(other)));

const placeOf = ({ startsAt, uid, rungs, where }: EventDraft): Parameters<typeof inOrderOfStart>[0] => ({
  startsAt,
  recurrenceId: rungs.recurrenceId,
  event: { uid: uid ?? rungs.uid, line: where.line ?? 0 },
});
