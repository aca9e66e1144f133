import type { Tokenizer, TokenizerCallbacks } from 'htmlparser2';
import { whenAsked } from '../remembered.ts';
import { markupParser } from './markup-parser.ts';

// The text of these elements is dropped with them, and nothing can be nested in them.
export const WITHOUT_TEXT = ['option', 'script', 'style', 'textarea', 'xmp'];

/** The decoded text that is being passed to the parser; undefined while anything else is. */
export interface PassedText {
  text: string | undefined;
}

type JoiningOptions = ConstructorParameters<typeof Tokenizer>[0] & {
  readonly isFull: () => boolean;
  readonly told: PassedText;
};

/**
 * A tokenizer that drops start tags while `isFull`, and joins the text between two tags: unchanged for the parser, and
 * decoded in `told`.
 */
export const joiningTokenizer = whenAsked(() => {
  class JoiningTokenizer extends markupParser().Tokenizer {
    private source = '';

    constructor(options: JoiningOptions, to: TokenizerCallbacks) {
      const { isFull, told } = options;
      let isDropped = false;
      const unlessDropped =
        <A extends number[]>(call: (...at: A) => void) =>
        (...at: A): void => {
          if (!isDropped) call.apply(to, at);
        };
      let run: { readonly start: number; end: number; text: string } | undefined;
      const add = (start: () => number, end: number, text: string): void => {
        run ??= { start: start(), end, text: '' };
        run.end = end;
        run.text += text;
      };
      const afterText =
        <A extends number[]>(call: (...at: A) => void) =>
        (...at: A): void => {
          if (run) {
            const { start, end, text } = run;
            run = undefined;
            told.text = text;
            to.ontext(start, end);
            told.text = undefined;
          }
          call.apply(to, at);
        };
      super(options, {
        onopentagname: afterText((start, end) => {
          isDropped = isFull() && !WITHOUT_TEXT.includes(this.source.slice(start, end).toLowerCase());
          if (!isDropped) to.onopentagname(start, end);
        }),
        onattribname: unlessDropped(to.onattribname),
        onattribdata: unlessDropped(to.onattribdata),
        onattribentity: unlessDropped(to.onattribentity),
        onattribend: unlessDropped(to.onattribend),
        onopentagend: unlessDropped(to.onopentagend),
        onselfclosingtag: unlessDropped(to.onselfclosingtag),
        ontext: (start, end) => add(() => start, end, this.source.slice(start, end)),
        ontextentity: (point, end) =>
          add(() => this.source.lastIndexOf('&', end - 1), end, String.fromCodePoint(point)),
        onclosetag: afterText(to.onclosetag),
        oncdata: afterText(to.oncdata),
        oncomment: afterText(to.oncomment),
        ondeclaration: afterText(to.ondeclaration),
        onprocessinginstruction: afterText(to.onprocessinginstruction),
        onend: afterText(to.onend),
        ...(to.isInForeignContext && { isInForeignContext: () => to.isInForeignContext?.() ?? false }),
      });
    }

    override write(text: string): void {
      this.source += text;
      super.write(text);
    }
  }
  return JoiningTokenizer;
});
