import { countInWords } from '../../count-in-words.ts';
import { html, type Html } from '../../html/template.ts';
import { entryRange } from '../../config/splice/splice.ts';
import { lineDifference } from './line-difference.ts';
import { maskSecrets } from '../../config/change/mask-secrets.ts';

/** How many unchanged lines are shown around a difference. */
const AROUND = 2;

/** How many changed lines are shown at most. */
const LINES_MAX = 200;

/** The lines that a change adds to the file and removes, with some context and secrets masked. */
export function yamlDifference(before: string, after: string): Html {
  const lines = lineDifference(shown(before), shown(after));
  const places = lines.flatMap(({ kind }, index) => (kind === 'same' ? [] : [index]));
  const end = places[LINES_MAX] ?? lines.length;
  const near = new Set(
    places
      .slice(0, LINES_MAX)
      .flatMap((place) => Array.from({ length: 2 * AROUND + 1 }, (_, by) => place - AROUND + by))
      .filter((place) => place < end),
  );
  const more = Math.max(0, places.length - LINES_MAX);
  return html`<pre class="code" tabindex="0" role="region" aria-label="What changes in the file" id="yaml">
${lines.map(({ kind, text }, index) => {
      if (!near.has(index)) return near.has(index - 1) && html`<span class="dim">…</span>${'\n'}`;
      if (kind === 'new') return html`<ins class="plus">${text}</ins>`;
      return kind === 'gone'
        ? html`<del class="cut">${text}</del>${'\n'}`
        : html`<span class="cut">${text}</span>${'\n'}`;
    })}${more > 0 && html`<span class="dim">and ${countInWords(more, 'more line')}</span>`}</pre>`;
}

const shown = (text: string): string => maskSecrets(text).replaceAll('\r\n', '\n').replace(/\n$/, '');

/** The lines of a source in the file, with secrets masked. */
export function yamlOf(text: string, source: string): Html {
  const masked = shown(text);
  const range = entryRange(masked, ['sources', source]);
  return html`<pre class="code" tabindex="0" role="region" aria-label="The source in the file" id="yaml">
${range === undefined ? '' : masked.slice(range.from, range.to).trimEnd()}</pre>`;
}
