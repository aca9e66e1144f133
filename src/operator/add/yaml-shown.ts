import { html, type Html } from '../../html/template.ts';
import { lineDifference } from './line-difference.ts';

/** Lines around a difference that show where it is. */
const AROUND = 2;

/** What a change adds to the file and takes out of it, with the lines around it. */
export function yamlDifference(before: string, after: string, id = 'yaml'): Html {
  const lines = lineDifference(before, after);
  const shown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ kind }) => kind !== 'same'),
  );
  return html`<pre class="code" tabindex="0" role="region" aria-label="What changes in the file" id="${id}">${lines.map(
    ({ kind, text }, index) => {
      if (shown[index] !== true) return shown[index - 1] === true ? html`<span class="dim">⋯</span>\n` : '';
      const masked = withoutSecrets(text);
      if (kind === 'added') return html`<ins class="plus">${masked}</ins>`;
      return kind === 'removed' ? html`<del class="cut">${masked}</del>\n` : html`<span class="cut">${masked}</span>\n`;
    },
  )}</pre>`;
}

/** The lines that a change adds, as they are copied. */
export const addedLines = (before: string, after: string): string =>
  lineDifference(before, after)
    .filter(({ kind }) => kind === 'added')
    .map(({ text }) => text)
    .join('\n');

// What follows these keys is nobody's business, unless it is only the name of a variable.
const SECRET =
  /((?:bearer|password|application_password|secret|token|webhook|authorization|cookie|x-[\w-]*key)"?\s*:\s*)(?!["']?\$\{)("[^"]*"|'[^']*'|[^\s,}]+)/gi;
const IN_ADDRESS = /(\/\/)[^/\s@"']+@/g;

/** A line of the file for the eyes of everybody who may see the console. */
export const withoutSecrets = (line: string): string => line.replace(SECRET, '$1…').replace(IN_ADDRESS, '$1…@');
