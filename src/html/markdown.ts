import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { safeLink } from './link.ts';
import { html, type Html } from './template.ts';

/** Where a link leads on the resulting page; undefined turns it into plain text. Also called for code. */
export type LinkOf = (target: string, kind: 'link' | 'code') => string | undefined;

/** A heading, and the id for links to it. */
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

/** Renders a page as HTML; its first heading is its title. Throws if it has an element without a rule here. */
export function pageFromMarkdown(text: string, linkOf: LinkOf): MarkdownPage {
  const tokens = lexer(text);
  const headings = headingsAmong(tokens);
  const [title, ...others] = headings;
  const below = title ? tokens.filter((token) => token !== title.token) : tokens;
  const ids = new Map<Token, string>(others.map(({ token, id }) => [token, id]));
  return { title: title?.text ?? '', headings, body: rendering({ linkOf, ids })(below) };
}

/** The headings of a page, with the ids that GitHub gives them as well. */
export const headingsIn = (text: string): readonly Heading[] => headingsAmong(lexer(text));

function headingsAmong(tokens: readonly Token[]): readonly (Heading & { readonly token: Token })[] {
  const taken = new Map<string, number>();
  return tokens.filter(isHeading).map((token) => {
    const name = token.text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = taken.get(name) ?? 0;
    taken.set(name, count + 1);
    return { token, level: token.depth, text: token.text, id: count === 0 ? name : `${name}-${count}` };
  });
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';

interface Context {
  readonly linkOf: LinkOf;
  readonly ids: ReadonlyMap<Token, string>;
}
type Render = (tokens: readonly Token[] | undefined) => Html;
type Rules = { readonly [Type in MarkedToken['type']]?: (token: Extract<MarkedToken, { type: Type }>) => Html };

function rendering({ linkOf, ids }: Context): Render {
  const linked = (target: string, kind: 'link' | 'code', shown: Html): Html => {
    const href = linkOf(target, kind);
    if (href === undefined) return shown;
    return href.startsWith('#') ? html`<a href="#${href.slice(1)}">${shown}</a>` : safeLink({ href }, shown);
  };
  const rules: Rules = {
    space: () => html``,
    // Only comments; our pages have no other HTML.
    html: ({ text }) => (text.startsWith('<!--') ? html`` : html`${text}`),
    heading: (token) => {
      const [id, words] = [ids.get(token), render(token.tokens)];
      return token.depth < 3 ? html`<h2 id="${id}">${words}</h2>` : html`<h3 id="${id}">${words}</h3>`;
    },
    paragraph: ({ tokens }) => html`<p>${render(tokens)}</p>`,
    code: ({ text }) => html`<pre class="code" tabindex="0">${text}</pre>`,
    list: ({ ordered, items }) => {
      const shown = items.map(({ tokens }) => html`<li>${render(tokens)}</li>`);
      return ordered ? html`<ol>${shown}</ol>` : html`<ul>${shown}</ul>`;
    },
    table: (token) => tableOf(token, render),
    text: ({ text, ...token }) => ('tokens' in token && token.tokens ? render(token.tokens) : html`${text}`),
    escape: ({ text }) => html`${text}`,
    strong: ({ tokens }) => html`<b>${render(tokens)}</b>`,
    codespan: ({ text }) => linked(text, 'code', html`<code>${text}</code>`),
    link: ({ href, tokens }) => linked(href, 'link', render(tokens)),
  };
  const render: Render = (tokens = []) =>
    html`${tokens.map((token) => {
      const rule = rules[token.type as MarkedToken['type']] as ((token: Token) => Html) | undefined;
      if (rule === undefined) throw new TypeError(`a page has a mark without a rule: ${token.type} in ${token.raw}`);
      return rule(token);
    })}`;
  return render;
}

// On a phone a row is displayed as a block, which would lose its role, and each cell but the first shows its column.
function tableOf({ header, rows }: Tokens.Table, render: Render): Html {
  const labels = header.map(({ text }, index) => (index === 0 ? '' : text.replaceAll(/[`*]/g, '')));
  const cellOf = ({ tokens }: Tokens.TableCell, index: number): Html =>
    html`<td role="cell"${labels[index] ? html` data-l="${labels[index]}"` : ''}><div>${render(tokens)}</div></td>`;
  return html`<div class="wide" tabindex="0"><table class="t" role="table">
<thead role="rowgroup"><tr role="row">${header.map(({ tokens }) => html`<th scope="col" role="columnheader">${render(tokens)}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((cells) => html`<tr role="row">${cells.map(cellOf)}</tr>`)}</tbody>
</table></div>`;
}

/** A line, and whether it is a heading. */
export interface PlainLine {
  readonly text: string;
  readonly isHeading: boolean;
}

/** Markdown as lines for a terminal, without its markup: code in quotes, links by their text. */
export const linesFromMarkdown = (text: string): readonly PlainLine[] => lexer(text).flatMap(linesOf);

function linesOf(token: Token): readonly PlainLine[] {
  const block = token as MarkedToken;
  const isHeading = block.type === 'heading';
  return textsOf(block).map((text) => ({ text, isHeading }));
}

function textsOf(block: MarkedToken): readonly string[] {
  if (block.type === 'list') return block.items.map((item) => `- ${wordsIn(item.tokens)}`);
  if (block.type === 'space') return [''];
  if (block.type === 'code') return block.text.split('\n').map((line) => `    ${line}`);
  return [wordsIn([block])];
}

/** The plain text of inline elements. */
function wordsIn(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      const inline = token as MarkedToken;
      if (inline.type === 'codespan') return `"${inline.text}"`;
      if ('tokens' in inline && inline.tokens !== undefined) return wordsIn(inline.tokens);
      return ('text' in inline ? inline.text : inline.raw).replace(/\s+/g, ' ');
    })
    .join('');
}
