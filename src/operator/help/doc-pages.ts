import { readFile } from 'node:fs/promises';
import { headingsIn, pageFromMarkdown, type Heading, type LinkOf } from '../../html/markdown.ts';
import { html, type Html } from '../../html/template.ts';
import type { Answer, Asked } from '../frame/operator.ts';
import { head, linkTo } from '../frame/parts.ts';

// The pages of docs/ that its index lists, as pages of the console.

const DOCS = new URL('../../../docs/', import.meta.url);
const INDEX = 'README.md';
const LISTED = /\]\(([a-z][a-z0-9-]*)\.md\)/g;

const read = (name: string): Promise<string> => readFile(new URL(name, DOCS), 'utf8');

/** The index without its section for programmers, who have the files. */
const indexText = async (): Promise<string> => (await read(INDEX)).replace(/^## How it is built$[\s\S]*/m, '');

/** The names of the pages, in the order of the index. */
export const docNames = async (): Promise<readonly string[]> => [
  ...new Set([...(await indexText()).matchAll(LISTED)].map(([, name = '']) => name)),
];

/** `/help/NAME/`: a page of docs/. */
export async function docPage(asked: Asked): Promise<Answer> {
  const names = await docNames();
  const name = names.find((one) => one === asked.params['name']);
  if (name === undefined) return MISSING;
  const { title, headings, body } = pageFromMarkdown(await read(`${name}.md`), linksIn(asked, names));
  return {
    title,
    place: 'help',
    main: html`<p class="crumb"><a href="${linkTo(asked, '/help/')}">Help</a></p>
      ${head(title, '')}
      <div class="cols">
        <article class="doc stack">${body}</article>
        <aside>${contents(headings)}</aside>
      </div>`,
  };
}

/** `/help/new/`: what the running version has brought. */
export async function newsPage(asked: Asked): Promise<Answer> {
  const { version, before, news } = await asked.operator.whatsNew();
  const text = news.map((one) => `## ${one.version}\n\n${one.text}\n`).join('\n');
  const { body } = pageFromMarkdown(`# What is new\n\n${text}`, linksIn(asked, await docNames()));
  const lead =
    before === undefined
      ? `This is calsyncd ${version}.`
      : `This is calsyncd ${version}; before it, ${before} did the work here.`;
  return {
    title: 'What is new',
    place: 'help',
    main: html`<p class="crumb"><a href="${linkTo(asked, '/help/')}">Help</a></p>
      ${head('What is new', lead)}
      <article class="doc stack">${body}</article>`,
  };
}

const MISSING: Answer = {
  title: 'There is no such page',
  place: 'help',
  status: 404,
  main: head('There is no such page', 'The address may be old. Help lists all pages.'),
};

/** Pages with at least this many headings get a table of contents. */
const HEADINGS_LEAST = 3;

function contents(headings: readonly Heading[]): Html | undefined {
  const own = headings.slice(1).filter(({ level }) => level === 2);
  if (own.length < HEADINGS_LEAST) return undefined;
  return html`<nav class="box stack" aria-label="On this page">
    <h2>On this page</h2>
    <ul class="stack">
      ${own.map(({ id, text }) => html`<li><a href="#${id}">${text.replaceAll('`', '')}</a></li>`)}
    </ul>
  </nav>`;
}

/** The index, for the help page. */
export async function docIndex(asked: Asked): Promise<Html> {
  const text = await indexText();
  const [title] = headingsIn(text);
  return html`<section class="box doc stack" id="pages">
    <h2>${title?.text}</h2>
    ${pageFromMarkdown(text, linksIn(asked, await docNames())).body}
    <p><a href="${linkTo(asked, '/help/new/')}">What is new in this version</a></p>
  </section>`;
}

// Placeholders in capital letters do not match.
const OF_CONSOLE = /^\/operator(\/(?:[a-z-]+\/)*)(?:#[a-z-]+)?$/;

/** Links to other doc pages, to console pages that are named as code, and to other sites; files are not served. */
const linksIn =
  (asked: Asked, names: readonly string[]): LinkOf =>
  (target, kind) => {
    if (kind === 'code') {
      const [, page] = OF_CONSOLE.exec(target) ?? [];
      return page !== undefined && asked.mayOpen(page) ? asked.base + target : undefined;
    }
    if (/^(?:https?:\/\/|#)/.test(target)) return target;
    const [, name = '', place = ''] = /^(?:docs\/)?([a-z][a-z0-9-]*)\.md(#.*)?$/.exec(target) ?? [];
    return names.includes(name) ? linkTo(asked, `/help/${name}/${place}`) : undefined;
  };
