import { cancelledPrefix, withoutPrefix } from '../../contract/cancelled-title.ts';
import type { EventDraft } from './draft.ts';

type State = EventDraft['state'];
// The interface has no field for cancelled or tentative events, so a title prefix and a tag represent them (exports
// turn the tag back into STATUS).
const STATE_TAGS: readonly State[] = ['cancelled', 'tentative'];

/** The state that an event's tags represent. */
export const stateFromTags = (names: readonly string[]): State =>
  STATE_TAGS.find((tag) => names.some((name) => name.toLowerCase() === tag)) ?? 'confirmed';

/** Whether a tag represents a state. */
export const isStateTag = (name: string): boolean => stateFromTags([name]) !== 'confirmed';

/** Replaces any state tag among these names with the one for this state. */
export const tagsInState = (names: readonly string[], state: State): readonly string[] => [
  ...names.filter((name) => !isStateTag(name)),
  ...(state === 'confirmed' ? [] : [state]),
];

/** The title for a state: with the prefix if cancelled, otherwise unchanged; an empty title becomes the bare prefix. */
export function titleInState(title: string, state: State, language: string): string {
  if (state !== 'cancelled') return title;
  const prefix = cancelledPrefix(language);
  return title === '' ? prefix.replace(/[\s:]+$/, '') : `${prefix}${withoutPrefix(title)}`;
}
