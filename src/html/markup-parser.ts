import { createRequire } from 'node:module';
import type * as Htmlparser2 from 'htmlparser2';
import { whenAsked } from '../remembered.ts';

/** The library that reads markup: thirty modules, and most commands and feeds have none to read. */
export const markupParser = whenAsked(() => createRequire(import.meta.url)('htmlparser2') as typeof Htmlparser2);
