/** Escapes a text so that `like` matches it literally. */
export const likeEscaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
