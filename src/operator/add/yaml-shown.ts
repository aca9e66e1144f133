import { html, type Html } from '../../html/template.ts';
import { entryRange } from '../../config/splice/splice.ts';
import { lineDifference } from '../../config/change/line-difference.ts';
import { maskSecrets } from '../../config/change/mask-secrets.ts';

/** Lines around a difference that show where it is. */
const AROUND = 2;

/** What a change adds to the file and takes out of it, with the lines around it, without secrets. */
export function yamlDifference(before: string, after: string): Html {
  const lines = lineDifference(shown(before), shown(after));
  const isNear = (index: number): boolean =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ kind }) => kind !== 'same');
  return html`<pre class="code" tabindex="0" role="region" aria-label="What changes in the file" id="yaml">
${lines.map(({ kind, text }, index) => {
      if (!isNear(index)) return index > 0 && isNear(index - 1) && html`<span class="dim">…</span>${'\n'}`;
      if (kind === 'new') return html`<ins class="plus">${text}</ins>`;
      return kind === 'gone'
        ? html`<del class="cut">${text}</del>${'\n'}`
        : html`<span class="cut">${text}</span>${'\n'}`;
    })}</pre>`;
}

const shown = (text: string): string => maskSecrets(text).replaceAll('\r\n', '\n').replace(/\n$/, '');

/** The lines of a source as the file has them, without secrets. */
export function yamlOf(text: string, source: string): Html {
  const masked = shown(text);
  const range = entryRange(masked, ['sources', source]);
  return html`<pre class="code" tabindex="0" role="region" aria-label="The source in the file" id="yaml">
${range === undefined ? '' : masked.slice(range.from, range.to).trimEnd()}</pre>`;
}
