import { createRequire } from 'node:module';
import type * as Htmlparser2 from 'htmlparser2';
import { whenAsked } from '../remembered.ts';

/** The library that parses markup. It has thirty modules, and most commands and feeds contain no markup. */
export const markupParser = whenAsked(() => createRequire(import.meta.url)('htmlparser2') as typeof Htmlparser2);
