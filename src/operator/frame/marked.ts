import { html, type Html } from '../../html/template.ts';
import { markedWords, type Marked } from '../../sync/review/marked-words.ts';

type Kind = Marked['kind'];

/** How a piece of two texts is shown. */
export const MARKS: Readonly<Record<Kind, (text: string) => Html>> = {
  same: (text) => html`${text}`,
  gone: (text) => html`<del>${text}</del>`,
  come: (text) => html`<ins>${text}</ins>`,
};

/** Shortens a piece. */
export type CutPiece = (piece: Marked, place: { readonly isFirst: boolean; readonly isLast: boolean }) => string;

interface Options {
  /** Only these pieces: one side of the two. */
  readonly kinds?: readonly Kind[];
  /** Within code nothing is put between a word that is gone and the one that has come for it. */
  readonly isCode?: boolean;
  readonly cut?: CutPiece;
}

/** Two texts as one, with the words marked that are gone and that have come. */
export function marked(
  before: string,
  after: string,
  { kinds = ['same', 'gone', 'come'], isCode = false, cut = ({ text }) => text }: Options = {},
): Html {
  const pieces = markedWords(before, after).filter(({ kind }) => kinds.includes(kind));
  return html`${pieces.map((piece, index) => {
    const shown = MARKS[piece.kind](cut(piece, { isFirst: index === 0, isLast: index === pieces.length - 1 }));
    return html`${shown}${!isCode && piece.kind === 'gone' && pieces[index + 1]?.kind === 'come' && ' '}`;
  })}`;
}
