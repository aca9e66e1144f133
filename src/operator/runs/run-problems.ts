import type { Asked } from '../frame/operator.ts';
import { messageHtml } from '../sources/message-html.ts';
import { html, type HtmlPart } from '../../html/template.ts';
import { whereInWords, type Problem } from '../../problem.ts';

const PROBLEMS_MAX = 10;

/** A section with a run's messages about the feed and its site; false if there are none. */
export function runProblems(asked: Asked, heading: string, problems: readonly Problem[], site: string): HtmlPart {
  if (problems.length === 0) return false;
  const shown = problems.slice(0, PROBLEMS_MAX);
  return html`<section>
    <h2>${heading}</h2>
    <ul class="rows">
      ${shown.map(({ message, where }) => {
        const place = whereInWords(where);
        return html`<li>
          ${messageHtml(asked, message, site)}${place !== '' && html` <span class="small dim">(${place})</span>`}
        </li>`;
      })}
    </ul>
    ${
      problems.length > shown.length &&
      html`<p class="small dim">And ${problems.length - shown.length} more: <code>calsyncd show</code> lists them.</p>`
    }
  </section>`;
}
