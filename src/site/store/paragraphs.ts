const BLOCKS =
  '(?:table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|' +
  'address|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|' +
  'details|menu|summary)';
const NEWLINE = '\ue003';

// All of these run in linear time: no search starts inside what another one scans, because a tag contains no "<", and a
// run of blanks is only matched from its start.
//
// The order matters: each rule repairs what the previous ones did to blocks.
const FIXES: readonly (readonly [RegExp, string])[] = [
  [/<p>\s*<\/p>/g, ''],
  [/<p>([^<]+)<\/(div|address|form)>/g, '<p>$1</p></$2>'],
  [new RegExp(`<p>\\s*(</?${BLOCKS}[^<>]*>)\\s*</p>`, 'g'), '$1'],
  [/<p>(<li.+?)<\/p>/g, '$1'],
  [/<p><blockquote([^<>]*)>/gi, '<blockquote$1><p>'],
  [/<\/blockquote><\/p>/g, '</p></blockquote>'],
  [new RegExp(`<p>\\s*(</?${BLOCKS}[^<>]*>)`, 'g'), '$1'],
  [new RegExp(`(</?${BLOCKS}[^<>]*>)\\s*</p>`, 'g'), '$1'],
];
const BREAKS: readonly (readonly [RegExp, string])[] = [
  [/<br>|<br\/>/g, '<br />'],
  [/(?<!<br \/>)(?:(?<!\s)|(?<=<br \/>\s))\s*\n/g, '<br />\n'],
  [new RegExp(`(</?${BLOCKS}[^<>]*>)\\s*<br />`, 'g'), '$1'],
  [/<br \/>(\s*<\/?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)[^<>]*>)/g, '$1'],
  [/\n<\/p>$/g, '</p>'],
];

/**
 * Converts text with blank lines and HTML blocks to HTML with paragraphs and breaks (WordPress' wpautop). '' stays ''.
 */
export function paragraphsFromText(text: string): string {
  if (text.trim() === '') return '';
  const kept: string[] = [];
  // The contents of <pre> are left alone.
  const body = replaceElements(
    `${text.replace(/\r\n?/g, '\n')}\n`,
    /<(pre)/gi,
    (block) => `<pre ${kept.push(block) - 1}></pre>`,
  );
  const blocks = body
    .replace(/<br\s*\/?>\s*<br\s*\/?>/g, '\n\n')
    .replace(new RegExp(`(<${BLOCKS}[\\s/>])`, 'g'), '\n\n$1')
    .replace(new RegExp(`(</${BLOCKS}>)`, 'g'), '$1\n\n')
    .replace(/(<hr\s*?\/?>)/g, '$1\n\n')
    .replace(/<[^<>\n]*\n[^<>]*>/g, (tag) => tag.replaceAll('\n', NEWLINE))
    .replace(/(?<!\s)\s*(<figcaption[^<>]*>)/g, '$1')
    .replace(/<\/figcaption>\s*/g, '</figcaption>');
  const wrapped = blocks
    .split(/\n\s*\n/)
    .filter((part) => part !== '')
    .map((part) => `<p>${part.replace(/^\n+|\n+$/g, '')}</p>\n`)
    .join('');
  const fixed = replaceElements(replaceAll(wrapped, FIXES), /<(script|style|svg|math)/g, (block) =>
    block.replaceAll('\n', NEWLINE),
  );
  return replaceAll(fixed, BREAKS)
    .replaceAll(NEWLINE, '\n')
    .replace(/<pre (\d+)><\/pre>/g, (_, index: string) => kept[Number(index)] ?? '');
}

const replaceAll = (text: string, rules: readonly (readonly [RegExp, string])[]): string =>
  rules.reduce((result, [pattern, to]) => result.replace(pattern, to), text);

/**
 * Replaces elements, each from a match of `opening` (which captures its name) to the next end tag of that name. A
 * missing end tag is searched for only once.
 */
function replaceElements(text: string, opening: RegExp, replaced: (element: string) => string): string {
  const endless = new Set<string>();
  let [result, from] = ['', 0];
  for (const { 0: tag, 1: name = '', index } of text.matchAll(opening)) {
    if (index < from || endless.has(name)) continue;
    const end = new RegExp(`</${name}>`, opening.flags);
    end.lastIndex = index + tag.length;
    if (!end.test(text)) {
      endless.add(name);
      continue;
    }
    result += text.slice(from, index) + replaced(text.slice(index, end.lastIndex));
    from = end.lastIndex;
  }
  return result + text.slice(from);
}
