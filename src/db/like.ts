/** A text as a pattern of `like` that means just this text. */
export const likeEscaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
