import { beginningOf } from '../../../html/text.ts';
import { remembered } from '../../store/remembered.ts';

/** The beginning of a description as text: the page of an event needs it in several places, and again after a write. */
export const textOf = remembered(beginningOf);
