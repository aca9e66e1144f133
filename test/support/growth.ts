/** How the running time of a reader grows with its input: milliseconds of this thread's processor time at two sizes. */
export interface Growth {
  readonly size: number;
  readonly ms: number;
  readonly smallerSize: number;
  readonly smallerMs: number;
}

const RUNS = 3;
/** For sixteen times the text, a linear reader takes sixteen times as long, a quadratic one 256 times. */
const TIMES = 16;
const GROWTH_MAX = 64;
/** A reader that takes less than this is fast enough, however it grows. */
const MS_MIN = 32;
/** Processor time is sampled every few milliseconds: a shorter time cannot be told from zero. */
const MS_MEASURED = 16;
const READINGS_MAX = 256;
/** How often a reader must be found slow: a slow one is slow every time, noise on the machine rarely repeats. */
const TIMES_FOUND = 5;

/**
 * Returns the measurement if a reader takes more than four times as long as linear growth allows, otherwise undefined.
 * `make` builds a text of about so many characters. The minimum of several runs in processor time counts, so that a
 * busy machine does not make a reader look slow.
 */
export function superlinear(
  make: (size: number) => string,
  read: (text: string) => unknown,
  sizeMax: number,
): Growth | undefined {
  // The smaller size goes first: a reader that is far too slow there is not run at the larger size.
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

/** Milliseconds per reading, averaged over enough readings to be measurable. */
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
 * Building blocks of markup, forms, numbers, addresses, times and lists: repeating them gives the worst cases of
 * readers that backtrack.
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
