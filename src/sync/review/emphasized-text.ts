/** A sentence in pieces, with the important ones marked as `strong`. */
export type EmphasizedText = readonly (string | { readonly strong: string })[];

/** A sentence as plain text. */
export const plainText = (said: EmphasizedText): string =>
  said.map((piece) => (typeof piece === 'string' ? piece : piece.strong)).join('');

/** Joins sentences with blanks. */
export const joinedSentences = (sentences: readonly EmphasizedText[]): EmphasizedText =>
  sentences.flatMap((said, index) => (index === 0 ? said : [' ', ...said]));
