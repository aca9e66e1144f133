import { readFileSync } from 'node:fs';
import { digestOf } from '../../../etag.ts';

const textOf = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** What other sites load: it makes and sizes the frame. */
export const EMBED_SCRIPT = textOf('embed.js');

/** What the page in the frame loads: it tells its size. Its address changes with it, so a browser need not ask again. */
export const INSIDE_SCRIPT = textOf('inside.js');
export const INSIDE_PATH = `/assets/inside-${digestOf(INSIDE_SCRIPT)}.js`;
