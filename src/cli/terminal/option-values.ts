/** The text that an option was given; undefined without it. */
export const textOption = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The texts that an option was given, which takes several. */
export const textsOption = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
