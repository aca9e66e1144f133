import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

// Pages are written in templates of `html`, which escape their values. These tests search the sources of the program
// for ways around them.

/** Files with tags in plain strings, which never become part of a page with texts from outside. */
const NO_PAGES: Readonly<Record<string, string>> = {
  'src/html/text.ts': 'escapes texts itself, as the templates do',
  'src/site/store/paragraphs.ts': 'changes HTML that the site stores, which is sanitized where it is shown',
  'src/sync/drafts/calendar-text.ts': 'writes descriptions, which are sanitized where they are shown',
  'src/feed-codes.ts': 'quotes lines of feeds',
  'src/feeds/content/calendar-content.ts': 'writes descriptions into calendars, sanitized',
};
/** Files that may declare markup safe: their own constants, or the output of the sanitizer. */
const VOUCHING = [
  'src/html/invalid-fields.ts',
  'src/html/kept-form.ts',
  'src/html/link.ts',
  'src/html/linked-html.ts',
  'src/html/sanitize.ts',
  'src/html/template.ts',
  'src/publisher/report-page.ts',
  'src/site/pages/event/embed-card.ts',
];

const ELEMENTS =
  'a|abbr|article|b|blockquote|body|br|button|caption|code|dd|details|div|dl|dt|em|fieldset|figcaption|figure|' +
  'footer|form|h[1-6]|head|header|html|i|iframe|img|input|label|legend|li|link|loc|main|meta|nav|ol|option|p|pre|' +
  'script|section|select|small|span|strong|style|summary|svg|table|tbody|td|th|thead|time|title|tr|u|ul|url|urlset';
// A closing tag, one with an attribute, or an element of HTML: "<file>" in the usage of a command is not a tag.
const TAG = new RegExp(String.raw`</[a-z\0]|<[a-z\0][\w\0-]*\s[^<>]*=|<(?:${ELEMENTS})(?=[\s>/\0]|$)|<!doctype`, 'i');
// Where the value of an attribute would stand without quotation marks.
const BARE_VALUE = /=\0/;
// Where an address would begin: that of a link, picture, frame or form, or one in the metadata of a page.
const ADDRESS_VALUE =
  /<[a-z\0][^<>]*\s(?:href|src|srcset|action|formaction|cite|poster|data)="$|<meta\b[^<>]*"og:(?:image|url)"[^<>]*\scontent="$/;

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const below = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode);
const all = (node: Node): readonly Node[] => [node, ...below(node).flatMap(all)];

/** The texts of a template, one more than its values. */
const textsOf = ({ quasis }: Node): readonly string[] =>
  (quasis as readonly { value: { cooked: string | null; raw: string } }[]).map(
    ({ value: { cooked, raw } }) => cooked ?? raw,
  );
/** The beginnings of our own addresses, from the configuration. */
const OWN_ADDRESSES: readonly unknown[] = ['base', 'publicUrl', 'apiRoot'];
/** Functions that make addresses of our own, whatever their arguments. */
const MAKES_OWN: readonly unknown[] = ['linkTo', 'linkHere'];

const isNamed = (node: unknown, name: unknown): boolean => isNode(node) && node['name'] === name;
/** The value of a constant of a file, or one of its functions. */
const givenBy = (nodes: readonly Node[], name: unknown): readonly Node[] =>
  nodes.flatMap((node) => {
    if (node.type === 'VariableDeclarator' && isNamed(node['id'], name))
      return isNode(node['init']) ? [node['init']] : [];
    return node.type === 'FunctionDeclaration' && isNamed(node['id'], name) ? [node] : [];
  });
const returnedBy = (made: Node): readonly Node[] => {
  const { body } = made;
  if (!isNode(body)) return [];
  return body.type === 'BlockStatement'
    ? all(body).flatMap(({ type, argument }) => (type === 'ReturnStatement' && isNode(argument) ? [argument] : []))
    : [body];
};
const BEGINS_OWN = /^(?:[#?]|\/(?![/\\]))/;

/** Whether an address is known to begin with one of ours, from its file and from what others export. */
function isOwn(address: unknown, nodes: readonly Node[]): boolean {
  if (!isNode(address)) return false;
  const { type, name, property, callee, consequent, alternate, left, expressions } = address;
  const areOwn = (made: readonly unknown[]): boolean => made.length > 0 && made.every((each) => isOwn(each, nodes));
  if (type === 'ConditionalExpression') return areOwn([consequent, alternate]);
  if (type === 'BinaryExpression') return areOwn([left]);
  if (type === 'Literal') return BEGINS_OWN.test(plainTextOf(address));
  if (type === 'TemplateLiteral')
    return plainTextOf(address).startsWith('\0')
      ? areOwn((expressions as readonly Node[]).slice(0, 1))
      : BEGINS_OWN.test(plainTextOf(address));
  if (type === 'CallExpression' && isNode(callee))
    return MAKES_OWN.includes(callee['name']) || areOwn(madeBy(callee['name'], nodes).flatMap(returnedBy));
  return OWN_ADDRESSES.includes(isNode(property) ? property['name'] : name) || areOwn(givenBy(nodes, name));
}

/** The functions of that name: those of the file, or all that others export. */
function madeBy(name: unknown, nodes: readonly Node[]): readonly Node[] {
  const here = givenBy(nodes, name);
  return here.length > 0 ? here : givenBy(exported(), name);
}

let known: readonly Node[] | undefined;
const exported = (): readonly Node[] =>
  (known ??= sources
    .filter(({ text }) => text.includes('linkTo('))
    .flatMap(({ text }) => all(parseAst(text, { lang: 'ts' }) as unknown as Node))
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap(({ declaration }) => (isNode(declaration) ? all(declaration) : [])));

/** What is wrong with a template of `html`. */
function faultsIn(template: Node, nodes: readonly Node[]): readonly string[] {
  const texts = textsOf(template);
  const whole = texts.join('\0');
  const addresses = (template['expressions'] as readonly Node[]).filter(
    (value, index) => ADDRESS_VALUE.test(texts.slice(0, index + 1).join('\0')) && !isOwn(value, nodes),
  );
  return [
    ...(BARE_VALUE.test(whole.replace(/"[^"]*"/g, '""')) ? [`an attribute without quotation marks: ${whole}`] : []),
    ...addresses.map(() => `an address that html/link.ts has not seen: ${whole}`),
  ];
}

function plainTextOf(node: Node): string {
  if (node.type === 'TemplateLiteral') return textsOf(node).join('\0');
  return node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : '';
}

/** What bypasses the templates in a source. */
function faultsOf(source: string): readonly string[] {
  const nodes = all(parseAst(source, { lang: 'ts' }) as unknown as Node);
  const templates = nodes.flatMap(({ type, tag, quasi }) =>
    type === 'TaggedTemplateExpression' && isNode(tag) && tag['name'] === 'html' && isNode(quasi) ? [quasi] : [],
  );
  const plain = nodes.filter((node) => !templates.includes(node)).map(plainTextOf);
  return [
    ...templates.flatMap((template) => faultsIn(template, nodes)),
    ...plain.filter((text) => TAG.test(text)).map((text) => `a tag outside of a template: ${text}`),
  ];
}

const usesOf = (name: string): readonly string[] =>
  sources.filter(({ text }) => new RegExp(`\\b${name}\\b`).test(text)).map(({ file }) => file);

const sources = globSync('src/**/*.ts')
  .toSorted()
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

describe('the sources of pages', () => {
  test('write tags only in templates, and addresses only with html/link.ts', () => {
    const found = sources
      .filter(({ file }) => !(file in NO_PAGES))
      .flatMap(({ file, text }) => faultsOf(text).map((fault) => `${file}: ${fault}`));
    expect(found).toEqual([]);
  });

  test('have no exceptions that are no longer needed', () => {
    const idle = Object.keys(NO_PAGES).filter(
      (name) => faultsOf(sources.find(({ file }) => file === name)?.text ?? '').length === 0,
    );
    expect(idle).toEqual([]);
  });

  test('leave escaping to src/html', () =>
    expect(usesOf('escapeHtml').filter((file) => !file.startsWith('src/html/'))).toEqual([]));

  test('declare markup safe only in the files listed here', () => expect(usesOf('assumeSafeHtml')).toEqual(VOUCHING));

  test.each<[string, readonly string[]]>([
    ['const page = (name: string): string => `<h1>${name}</h1>`;', ['a tag outside of a template: <h1>\0</h1>']],
    [
      "const page = '<p class=\"x\">' + name + '</p>';",
      ['<p class="x">', '</p>'].map((text) => `a tag outside of a template: ${text}`),
    ],
    ['const item = (tag: string) => `<${tag}>x</${tag}>`;', ['a tag outside of a template: <\0>x</\0>']],
    [
      'const list = html`<ul>${names.map((name) => `<li>${name}</li>`)}</ul>`;',
      ['a tag outside of a template: <li>\0</li>'],
    ],
    ['const field = html`<input value=${text}>`;', ['an attribute without quotation marks: <input value=\0>']],
    [
      'const link = html`<a class="x" href="${url}">x</a>`;',
      ['an address that html/link.ts has not seen: <a class="x" href="\0">x</a>'],
    ],
    [
      'const picture = html`<img alt="" src="${image.url}">`;',
      ['an address that html/link.ts has not seen: <img alt="" src="\0">'],
    ],
    [
      'const head = html`<meta property="og:image" content="${image.url}">`;',
      ['an address that html/link.ts has not seen: <meta property="og:image" content="\0">'],
    ],
    [
      'const form = html`<form method="post" action="${base}"><button formaction="${there}">x</button></form>`;',
      [
        'an address that html/link.ts has not seen: <form method="post" action="\0"><button formaction="\0">x</button></form>',
      ],
    ],
    ['const to = linkTo(asked, path); const link = html`<a href="${to}"></a>`;', []],
    ['const to = (x: string): string => `${base}/x`; const link = html`<a href="${to(x)}"></a>`;', []],
    ['const to = isA ? "#a" : linkHere(asked); const link = html`<a href="${to}"></a>`;', []],
    [
      'const link = html`<a href="${x ? "//host" : base}"></a>`;',
      ['an address that html/link.ts has not seen: <a href="\0"></a>'],
    ],
    [
      'function to(x: string): string { if (x) return x; return linkTo(asked, x); } const link = html`<a href="${to(x)}"></a>`;',
      ['an address that html/link.ts has not seen: <a href="\0"></a>'],
    ],
    ['const own = html`<link href="${settings.publicUrl}/a"><meta name="x" content="${text}">`;', []],
    ['const fine = html`<a href="${frame.base}/x?a=${b}">${text}</a>`; // `<p>`', []],
    ["const usage = 'preview <feed> --report <file>';", []],
    ['const rows = sql<boolean>`a < ${b}`;', []],
  ])('are checked: %s has the faults %j', (source, faults) => expect(faultsOf(source)).toEqual(faults));
});
