/** A sentence in pieces: what matters in it is `strong`. */
export type Said = readonly (string | { readonly strong: string })[];

/** A sentence as plain text. */
export const plainText = (said: Said): string =>
  said.map((piece) => (typeof piece === 'string' ? piece : piece.strong)).join('');

/** Sentences as one. */
export const joinedSentences = (sentences: readonly Said[]): Said =>
  sentences.flatMap((said, index) => (index === 0 ? said : [' ', ...said]));
