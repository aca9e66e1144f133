import { safeLink } from './link.ts';
import { html, joinHtml, type Html } from './template.ts';

// The part of Markdown that our own pages use: headings, paragraphs, lists, tables, blocks of code; in a line code,
// bold and links. test/unit/docs/pages.test.ts sees to it that they use no more.

/** Where a link leads on the page that is made; undefined: it becomes plain text. Asked of code, too. */
export type LinkOf = (target: string, kind: 'link' | 'code') => string | undefined;

/** A heading and the name that links to it use. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly id: string;
}

/** A page without its title. */
export interface MarkdownPage {
  readonly title: string;
  readonly headings: readonly Heading[];
  readonly body: Html;
}

const FENCE = /^```(\w*)$/;
const HEADING = /^(#{1,4}) (.+)$/;
const ITEM = /^(?:-|\d+\.) /;

/** A page as HTML; its first heading is its title. */
export function pageFromMarkdown(text: string, linkOf: LinkOf): MarkdownPage {
  const headings = headingsIn(text);
  const ids = headings.map(({ id }) => id);
  const [title] = headings;
  const lines = text.split('\n').filter((line) => line !== `# ${title?.text}`);
  return { title: title?.text ?? '', headings, body: blocks(lines, { linkOf, ids: ids.slice(1) }) };
}

/** The headings of a page, with the names that GitHub, too, gives them. */
export function headingsIn(text: string): readonly Heading[] {
  const taken = new Map<string, number>();
  return withoutFences(text).flatMap((line) => {
    const [, marks = '', words = ''] = HEADING.exec(line) ?? [];
    if (marks === '') return [];
    const name = words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = taken.get(name) ?? 0;
    taken.set(name, count + 1);
    return [{ level: marks.length, text: words, id: count === 0 ? name : `${name}-${count}` }];
  });
}

function withoutFences(text: string): readonly string[] {
  let isCode = false;
  return text.split('\n').filter((line) => {
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    return !isCode && !isFence;
  });
}

interface Context {
  readonly linkOf: LinkOf;
  /** Of the headings that are still to come. */
  readonly ids: string[];
}

function blocks(lines: readonly string[], context: Context): Html {
  const parts: Html[] = [];
  let at = 0;
  while (at < lines.length) {
    const end = endOfBlock(lines, at);
    const block = lines.slice(at, end);
    if (block[0] !== '') parts.push(blockOf(block, context));
    at = end;
  }
  return html`${parts}`;
}

/** The line after the block that begins at a line. */
function endOfBlock(lines: readonly string[], at: number): number {
  const first = lines[at] ?? '';
  const after = (isIn: (line: string) => boolean): number => {
    const end = lines.findIndex((line, index) => index > at && !isIn(line));
    return end < 0 ? lines.length : end;
  };
  if (first === '' || HEADING.test(first)) return at + 1;
  if (FENCE.test(first)) return after((line) => line !== '```') + 1;
  if (first.startsWith('|')) return after((line) => line.startsWith('|'));
  if (ITEM.test(first)) {
    const end = after((line) => line === '' || /^ {2}/.test(line) || sameList(first, line));
    return lines[end - 1] === '' ? end - 1 : end;
  }
  return after((line) => line !== '' && !HEADING.test(line) && !FENCE.test(line) && !ITEM.test(line));
}

const sameList = (first: string, line: string): boolean => ITEM.test(line) && (line[0] === '-') === (first[0] === '-');

function blockOf(block: readonly string[], context: Context): Html {
  const [first = '', ...rest] = block;
  const heading = HEADING.exec(first);
  if (heading) return headingOf(heading[1]?.length ?? 1, heading[2] ?? '', context);
  if (FENCE.test(first)) return html`<pre class="code" tabindex="0">${rest.slice(0, -1).join('\n')}</pre>`;
  if (first.startsWith('|')) return tableOf(block, context);
  if (ITEM.test(first)) return listOf(block, context);
  if (first.startsWith('<!--')) return html``;
  return html`<p>${inLine(block.join('\n'), context)}</p>`;
}

function headingOf(level: number, text: string, context: Context): Html {
  const id = context.ids.shift() ?? '';
  const words = inLine(text, context);
  return level < 3 ? html`<h2 id="${id}">${words}</h2>` : html`<h3 id="${id}">${words}</h3>`;
}

// On a phone a row is a block, which loses its role, and each cell but the first says what it is.
function tableOf(rows: readonly string[], context: Context): Html {
  const [head = [], , ...body] = rows.map(cellsOf);
  const labels = head.map((cell, index) => (index === 0 ? '' : cell.replaceAll(/[`*]/g, '')));
  const cellOf = (cell: string, index: number): Html =>
    html`<td role="cell"${labels[index] ? html` data-l="${labels[index]}"` : ''}><div>${inLine(cell, context)}</div></td>`;
  return html`<div class="wide" tabindex="0"><table class="t" role="table">
<thead role="rowgroup"><tr role="row">${head.map((cell) => html`<th scope="col" role="columnheader">${inLine(cell, context)}</th>`)}</tr></thead>
<tbody role="rowgroup">${body.map((cells) => html`<tr role="row">${cells.map(cellOf)}</tr>`)}</tbody>
</table></div>`;
}

const cellsOf = (row: string): readonly string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

function listOf(lines: readonly string[], context: Context): Html {
  const items: string[][] = [];
  for (const line of lines) {
    const begun = ITEM.exec(line);
    if (begun) items.push([line.slice(begun[0].length)]);
    else items.at(-1)?.push(line.replace(/^ {2,3}/, ''));
  }
  const shown = items.map(
    (item) => html`<li>${isPlain(item) ? inLine(item.join('\n'), context) : blocks(item, context)}</li>`,
  );
  return lines[0]?.startsWith('-') ? html`<ul>${shown}</ul>` : html`<ol>${shown}</ol>`;
}

const isPlain = (item: readonly string[]): boolean =>
  item.every((line, index) => index === 0 || (line !== '' && !ITEM.test(line) && !FENCE.test(line)));

// What has a meaning inside of a line.
const MARKED = /`([^`]+)`|\*\*(.+?)\*\*|\[((?:`[^`]*`|[^\]`])+)\]\(([^)\s]+)\)|\\([\\`*_{}[\]()#+.!|<>-])/g;

function inLine(text: string, context: Context): Html {
  const parts: (Html | string)[] = [];
  let at = 0;
  for (const found of text.matchAll(MARKED)) {
    parts.push(text.slice(at, found.index), markedOf(found, context));
    at = found.index + found[0].length;
  }
  return joinHtml([...parts, text.slice(at)], '');
}

function markedOf([, code, bold, words, target, sign]: RegExpExecArray, context: Context): Html {
  if (code !== undefined) return codeOf(code.replaceAll(String.raw`\|`, '|'), context);
  if (bold !== undefined) return html`<b>${inLine(bold, context)}</b>`;
  if (words === undefined || target === undefined) return html`${sign}`;
  const href = context.linkOf(target, 'link');
  const shown = inLine(words, context);
  return href === undefined ? shown : linked(href, shown);
}

function codeOf(code: string, { linkOf }: Context): Html {
  const shown = html`<code>${code}</code>`;
  const href = linkOf(code, 'code');
  return href === undefined ? shown : linked(href, shown);
}

const linked = (href: string, shown: Html): Html =>
  href.startsWith('#') ? html`<a href="#${href.slice(1)}">${shown}</a>` : safeLink({ href }, shown);
