import { isLinked } from '../model/fields.ts';
import type { Json, Refs } from '../model/plan.ts';

/** A shown value as a site gives it: refs of terms and linked posts as sorted ids. */
export const siteForm = (field: string, value: Json | undefined, refs: Refs): Json | undefined =>
  isLinked(field) && Array.isArray(value)
    ? value.map((ref) => refs[String(ref)] ?? -1).sort((one, other) => one - other)
    : value;
