import { lookFiles, type Logo, type LookFiles } from './files.ts';
import type { FrameWords } from './words/frame-words.ts';
import { frameWordsIn } from './words/in-language.ts';

/** Settings for the look of public pages. */
export interface LookSettings {
  /** The name of the calendar. */
  readonly title: string;
  /** The public address of the program, without a trailing slash. */
  readonly publicUrl: string;
  readonly language: string;
  /** The home page of the calendar, if that is not one of ours. */
  readonly home?: string | undefined;
  /** Whether visitors may suggest events. */
  readonly suggestions?: boolean | undefined;
  /** The operator's colour, `#rrggbb`. */
  readonly brand?: string | undefined;
  readonly logo?: Logo | undefined;
}

/** What all public pages of a calendar have in common. */
export interface Look {
  readonly title: string;
  /** The path before every address of the program; '' unless `publicUrl` has one. */
  readonly base: string;
  /** The home page of the calendar. */
  readonly home: string;
  /** Whether the list and the other views are pages of ours. */
  readonly hasViews: boolean;
  /** Whether there is a page where visitors suggest events. */
  readonly hasSuggestions: boolean;
  readonly language: string;
  readonly words: FrameWords;
  readonly files: LookFiles;
}

/** The look that results from the operator's settings. */
export function lookOf({ title, publicUrl, language, home, brand, logo, suggestions }: LookSettings): Look {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  return {
    title,
    base,
    home: home ?? `${base}/`,
    hasViews: home === undefined,
    hasSuggestions: home === undefined && suggestions === true,
    language,
    words: frameWordsIn(language),
    files: lookFiles(brand, logo, base),
  };
}
