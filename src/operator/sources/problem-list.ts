import { html, type Html } from '../../html/template.ts';
import { adviceFor, type Harm } from '../../feed-codes.ts';
import type { FeedLine, ProblemKind } from '../../run/watch/history.ts';
import { countInWords } from '../../count-in-words.ts';
import { moment } from '../frame/times.ts';
import type { Asked } from '../frame/operator.ts';
import { messageHtml } from './message-html.ts';

/** The consequence of a problem for the item that has it. */
const HARM_WORDS: Readonly<Record<Harm, string>> = {
  unreadable: 'nothing can be read',
  lost: 'left out',
  wrong: 'may be shown wrongly',
  details: 'a detail is missing',
};

/** The problems found in the last successful reading. */
export interface Problems {
  readonly at: number;
  readonly kinds: readonly ProblemKind[];
  readonly lines: ReadonlyMap<number, readonly FeedLine[]>;
}

/** The problems by kind, the most frequent first, each with an example and advice. */
export function problemSection(problems: Problems | undefined, asked: Asked, zone: string): Html {
  const at = problems && html`<small>${moment(problems.at, zone, asked.now)}</small>`;
  const kinds = problems?.kinds ?? [];
  return html`<section id="problems">
    <h2>Problems in the last good reading ${at}</h2>
    ${
      kinds.length === 0
        ? html`<p class="dim">${problems ? 'None.' : 'It has not been read well yet.'}</p>`
        : kinds.map((kind) => problemRow(kind, problems?.lines.get(kind.example.line ?? -1) ?? [], asked, zone))
    }
  </section>`;
}

function problemRow(kind: ProblemKind, lines: readonly FeedLine[], asked: Asked, zone: string): Html {
  const { code, count, example, firstAt, lastAt } = kind;
  const advice = adviceFor(code);
  const title = advice?.title ?? example.message;
  const site = asked.operator.context.sources.get(asked.params['source'] ?? '')?.site.key;
  const place = example.row === null ? '' : ` (row ${example.row})`;
  return html`<div class="ev">
    <b class="num">${count}×<span class="vh"> ${countInWords(count, 'time')}</span></b>
    <details>
      <summary class="l">
        <b>${title}</b
        ><span class="small dim"
          >since ${moment(firstAt, zone, asked.now)}, last ${moment(lastAt, zone, asked.now)}</span
        ><span class="small">${advice ? HARM_WORDS[advice.harm] : 'for you'}</span>
      </summary>
      <div class="in stack">
        ${advice && html`<p>${messageHtml(asked, example.message, site)}${place}</p>`}${quote(title, lines, example.line)}${
          advice &&
          html`<p>
            <b>For the publisher:</b>
            ${advice.fix}${advice.after !== undefined && html` Write <code>${advice.after}</code>.`} ${advice.programs}.
          </p>`
        }
      </div>
    </details>
  </div>`;
}

const quote = (title: string, lines: readonly FeedLine[], marked: number | null): Html | false =>
  lines.length > 0 &&
  html`<pre class="code" tabindex="0" role="region" aria-label="Lines of the feed: ${title}">
${lines.map(
      ({ number, text }, index) =>
        html`${index > 0 && '\n'}<span class="ln">${number}</span
          >${number === marked ? html`<mark>${text}</mark>` : text}`,
    )}</pre>`;
