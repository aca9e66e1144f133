import { readFileSync } from 'node:fs';
import { digestOf } from '../../../etag.ts';

const textOf = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** The script that other sites load: it creates and sizes the frame. */
export const EMBED_SCRIPT = textOf('embed.js');

/**
 * The script that the page in the frame loads: it reports its height. Its address depends on its contents, so browsers
 * need not revalidate it.
 */
export const INSIDE_SCRIPT = textOf('inside.js');
export const INSIDE_PATH = `/assets/inside-${digestOf(INSIDE_SCRIPT)}.js`;
