import { maskSecrets } from '../../config/change/mask-secrets.ts';
import { countInWords } from '../../count-in-words.ts';
import { safeLink } from '../../html/link.ts';
import { html, type Html } from '../../html/template.ts';
import type { Problem } from '../../problem.ts';

/** How many lines of the file are on one page. */
export const LINES_MAX = 400;
/** How many problems on other pages are listed. */
const ELSEWHERE_MAX = 20;

/** A remark on a line. Only problems prevent the file from being loaded. */
interface Remark {
  readonly line: number;
  readonly column: number | undefined;
  readonly message: string;
  readonly isProblem: boolean;
}

/** The file, and how it is to be shown. */
export interface Listing {
  readonly text: string;
  readonly problems: readonly Problem[];
  readonly remarks: readonly Problem[];
  /** The first line to show; by default chosen so that the first problem is on the page. */
  readonly from: number | undefined;
  /** The address of the page that begins with a line. */
  readonly hrefFrom: (line: number) => string;
}

/** The configuration file with line numbers and masked secrets, and remarks below the lines they concern. */
export function fileListing({ text, problems, remarks, from, hrefFrom }: Listing): Html {
  const lines = maskSecrets(text).replace(/\n$/, '').split('\n');
  const told = [...problems.map(remarkOf(true)), ...remarks.map(remarkOf(false))];
  const first = firstLine(from, told, lines.length);
  const last = Math.min(lines.length, first + LINES_MAX - 1);
  const isHere = ({ line }: Remark): boolean => line >= first && line <= last;
  const elsewhere = told.filter((remark) => !isHere(remark) && remark.line > 0);
  const general = told.filter(({ line }) => line === 0);
  return html`${general.map((remark) => html`<p${remark.isProblem && html` class="bad"`}>${remark.message}</p>`)}
    ${others(elsewhere, hrefFrom)}
    <pre class="code" tabindex="0" role="region" aria-label="The configuration file with its problems">
${lines.slice(first - 1, last).map((line, index) =>
        numberedLine(
          first + index,
          line,
          told.filter((remark) => remark.line === first + index),
        ),
      )}</pre>
    ${turnPage(first, last, lines.length, hrefFrom)}`;
}

const remarkOf =
  (isProblem: boolean) =>
  ({ message, where }: Problem): Remark => ({ line: where.line ?? 0, column: where.column, message, isProblem });

function firstLine(from: number | undefined, told: readonly Remark[], lines: number): number {
  const wanted = from ?? told.find(({ isProblem, line }) => isProblem && line > 0)?.line ?? 1;
  const page = Math.floor((Math.min(Math.max(wanted, 1), lines) - 1) / LINES_MAX);
  return page * LINES_MAX + 1;
}

function numberedLine(number: number, line: string, told: readonly Remark[]): Html {
  // The rightmost remark is the most precise.
  const [remark] = told.toSorted((one, other) => (other.column ?? 0) - (one.column ?? 0));
  return html`<span class="ln">${number}</span> ${remark ? marked(line, remark) : line}${
      told.length === 0
        ? '\n'
        : told.map(({ message, isProblem }) => html`<span class="msg${!isProblem && ' w'}">${message}</span>`)
    }`;
}

/** A line with the word at the remark's column marked, or the whole line if it has no column. */
function marked(line: string, { column = 1 }: Remark): Html {
  const start = Math.min(Math.max(column - 1, line.search(/\S/), 0), line.length);
  const word = /^[^\s:,}\]]+/.exec(line.slice(start))?.[0] ?? line.slice(start);
  return html`${line.slice(0, start)}<mark>${word}</mark>${line.slice(start + word.length)}`;
}

function others(remarks: readonly Remark[], hrefFrom: Listing['hrefFrom']): Html | '' {
  if (remarks.length === 0) return '';
  const more = remarks.length - ELSEWHERE_MAX;
  return html`<ul class="rows tight">
    ${remarks
      .slice(0, ELSEWHERE_MAX)
      .map(({ line, message }) => html`<li>${safeLink({ href: hrefFrom(line) }, `Line ${line}`)}: ${message}</li>`)}${
      more > 0 && html`<li class="dim">${countInWords(more, 'more remark')}</li>`
    }
  </ul>`;
}

function turnPage(first: number, last: number, lines: number, hrefFrom: Listing['hrefFrom']): Html | '' {
  if (first === 1 && last === lines) return '';
  return html`<p class="row small">
    Lines ${first} to ${last} of
    ${lines}${first > 1 && html` · ${safeLink({ href: hrefFrom(first - LINES_MAX) }, `the ${LINES_MAX} before`)}`}${
      last < lines &&
      html` · ${safeLink({ href: hrefFrom(last + 1) }, `the next ${Math.min(LINES_MAX, lines - last)}`)}`
    }
  </p>`;
}
