/** The text given for an option; undefined without it. */
export const textOption = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The texts given for an option that takes several. */
export const textsOption = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
