import type { Refs, RemoveEvent } from '../model/plan.ts';

/** The ids of the refs in a removal's `before`, for an undo. */
export const idsBefore = ({ before }: RemoveEvent, idOf: (ref: string) => number | null): Refs =>
  Object.fromEntries(
    Object.values(before)
      .flatMap((value) => (Array.isArray(value) ? value.map(String) : []))
      .flatMap((ref): readonly (readonly [string, number])[] => {
        const id = idOf(ref);
        return id === null ? [] : [[ref, id]];
      }),
  );
