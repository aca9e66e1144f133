/** How the time of a reader grows with its text: milliseconds of this thread's own processor time at two sizes. */
export interface Growth {
  readonly size: number;
  readonly ms: number;
  readonly smallerSize: number;
  readonly smallerMs: number;
}

const RUNS = 3;
/** Sixteen times the text takes sixteen times as long where it is linear, 256 times where it is quadratic. */
const TIMES = 16;
const GROWTH_MAX = 64;
/** What is read in less is fast enough, however it grows. */
const MS_MIN = 32;
/** Processors are asked every few milliseconds what they do: less cannot be told from nothing. */
const MS_MEASURED = 16;
const READINGS_MAX = 256;
/** How often a reader has to be found slow: one that is, is each time, and what a machine does besides seldom is. */
const TIMES_FOUND = 5;

/**
 * Where a reader takes more than four times what would be linear, on texts that are made for a number of characters;
 * undefined where it does not. What counts is the least of several runs on the processor, so that a busy machine is not
 * taken for a slow reader.
 */
export function superlinear(
  make: (size: number) => string,
  read: (text: string) => unknown,
  sizeMax: number,
): Growth | undefined {
  // The smaller of the two is tried first: what is far too slow at it is not waited for at the larger one.
  for (const size of [sizeMax / 4, sizeMax]) {
    const text = make(size);
    if (once(text, read, 1) <= MS_MIN) continue;
    const smallerSize = Math.floor(size / TIMES);
    const smaller = make(smallerSize);
    for (let found = 1; ; found += 1) {
      const [ms, smallerMs] = [least(text, read), least(smaller, read)];
      if (ms <= smallerMs * GROWTH_MAX) break;
      if (found === TIMES_FOUND) return { size, ms, smallerSize, smallerMs };
    }
  }
  return undefined;
}

const least = (text: string, read: (text: string) => unknown): number =>
  Math.min(...Array.from({ length: RUNS }, () => once(text, read, READINGS_MAX)));

/** Milliseconds of one reading: of one alone, or the mean of as many as can be measured. */
function once(text: string, read: (text: string) => unknown, readingsMax: number): number {
  const before = process.threadCpuUsage();
  for (let readings = 1; ; readings += 1) {
    read(text);
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms >= MS_MEASURED || readings === readingsMax) return ms / readings;
  }
}

/**
 * What markup, forms, numbers, addresses, times and lists are made of: their repetitions are the worst cases of readers
 * that go back and forth.
 */
export const PIECES: readonly string[] = [
  ' ',
  '\n',
  '\t',
  '\r\n',
  '\u00a0',
  'a',
  'A',
  '1',
  '0',
  '.',
  ',',
  ';',
  ':',
  '-',
  '--',
  '/',
  '\\',
  '"',
  "'",
  '`',
  '&',
  '&amp;',
  '&#',
  '&#x',
  '&a',
  '#',
  '%',
  '%41',
  '%e',
  '+',
  '=',
  '?',
  '@',
  '*',
  '_',
  '(',
  '[',
  ']',
  '{',
  '}',
  '<',
  '>',
  '</',
  '<!',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '<a',
  '<a ',
  '<a href=x',
  '<a href="',
  '<b>',
  '</b>',
  '<i><b>',
  '<p>',
  '</p>',
  '<p',
  '<br',
  '<br>',
  '<br />',
  '<div',
  '<div>',
  '</div>',
  '<divx',
  '<li',
  '<li>',
  '<pre',
  '<pre>',
  '</pre>',
  '<script',
  '<script>',
  '</script>',
  '<style>',
  '<svg>',
  '<math>',
  '<iframe>',
  '<iframe></iframe>',
  '<title',
  '<title>',
  '<textarea>',
  '<noscript>',
  '<figcaption',
  '<figcaption>',
  '<blockquote>',
  '<table><tr><td>',
  '<select><option>',
  '<link ',
  '<link rel',
  '<oembed',
  '<oembed>',
  '<html>',
  '<form>',
  'é',
  'ß',
  '\u0301',
  '中',
  '\u200b',
  '🎷',
  '\ud800',
  'x',
  '1x',
  '1.',
  '1,',
  "1'",
  '1 ',
  '$',
  '€',
  'zł',
  'http://',
  'https://a.',
  'a@',
  'a.',
  'www.',
  '-a',
  '"a',
  'a=1&',
  'a[]=1&',
  '[a]',
  '[]',
  '&a[',
  'k=',
  '{"a":',
  '[1,',
  '"\\"',
  'password=',
  'Basic ',
  'private-',
  'T',
  'next ',
  'bbb-',
  '.bbb',
];
