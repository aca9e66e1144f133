import type { FieldState, LedgerEntry, Outcome } from '../model/plan.ts';

/** The code of the problem with an event that was written without its image. */
export const IMAGE_REFUSED = 'image-refused';

const FIRST_WAIT_MS = 12 * 3_600_000;

/**
 * Whether to send a refused image again, as its server may work by now. Each wait is twice as long as the one before.
 */
export const isDueAgain = (state: FieldState | undefined, now: number): boolean =>
  state?.refused !== undefined && now - state.refused.at >= FIRST_WAIT_MS * 2 ** (state.refused.times - 1);

/** The record to keep if the site refused an image written at `now`; `refused` is the previous record. */
export const refusedBy = (refused: FieldState['refused'], outcome: Outcome, now: number): Pick<FieldState, 'refused'> =>
  'problem' in outcome && outcome.problem?.code === IMAGE_REFUSED
    ? { refused: { at: now, times: (refused?.times ?? 0) + 1 } }
    : {};

/** Makes an image due to be sent again, no matter when it was refused. */
export function imageDue(entry: LedgerEntry): LedgerEntry {
  const { image } = entry.fields;
  return image?.refused
    ? { ...entry, fields: { ...entry.fields, image: { ...image, refused: { ...image.refused, at: 0 } } } }
    : entry;
}
