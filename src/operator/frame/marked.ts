import { html, type Html } from '../../html/template.ts';
import { markedWords, type Marked } from '../../sync/review/marked-words.ts';

type Kind = Marked['kind'];

/** The markup for each kind of piece. */
export const MARKS: Readonly<Record<Kind, (text: string) => Html>> = {
  same: (text) => html`${text}`,
  gone: (text) => html`<del>${text}</del>`,
  come: (text) => html`<ins>${text}</ins>`,
};

/** Shortens a piece of text. */
export type CutPiece = (piece: Marked, place: { readonly isFirst: boolean; readonly isLast: boolean }) => string;

interface Options {
  /** The kinds of pieces to show, for example only one side. */
  readonly kinds?: readonly Kind[];
  /** In code, no space is put between a removed word and its replacement. */
  readonly isCode?: boolean;
  readonly cut?: CutPiece;
}

/** Two texts merged into one, with removed and added words marked. */
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
