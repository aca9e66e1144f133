// WordPress' wptexturize(): straight quotes, dashes and signs become typographic ones, written as entities. Modelled on
// recorded titles.
const SPACE = '[\\r\\n\\t \\u00a0]|&nbsp;';
const AFTER = `(?=$|[.,:;!?)}\\-\\]]|&gt;|${SPACE})`;
const [OPEN, CLOSE, OPEN_SINGLE, CLOSE_SINGLE, APOSTROPHE] = ['&#8220;', '&#8221;', '&#8216;', '&#8217;', '&#8217;'];
const [PRIME, DOUBLE_PRIME, EN_DASH, EM_DASH] = ['&#8242;', '&#8243;', '&#8211;', '&#8212;'];
// Placeholders while a text is processed: a certain apostrophe, an opening quote, and a quote that may be closing or a
// prime.
const SETTLED = '\ue000';
const OPEN_FLAG = '\ue001';
const MAYBE = '\ue002';

const SINGLE: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`'(\\d\\d)'${AFTER}`, 'g'), `${SETTLED}$1${CLOSE_SINGLE}`],
  [/'(?=\d\d(?:$|(?![%\d]|[.,]\d)))/g, SETTLED],
  [new RegExp(`(?<=^|${SPACE})'(\\d[.,\\d]*)'`, 'g'), `${OPEN_FLAG}$1${CLOSE_SINGLE}`],
  [new RegExp(`(?<=^|[([{"\\-]|&lt;|${SPACE})'`, 'g'), OPEN_FLAG],
  [new RegExp(`(?<!${SPACE})'(?!$|[.,:;!?"'(){}[\\]\\-]|&[lg]t;|${SPACE})`, 'g'), SETTLED],
];
const DOUBLE: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`(?<=^|${SPACE})"(\\d[.,\\d]*)"`, 'g'), `${OPEN_FLAG}$1${CLOSE}`],
  [new RegExp(`(?<=^|[([{\\-]|&lt;|${SPACE})"(?!${SPACE})`, 'g'), OPEN_FLAG],
];
const DASHES: readonly (readonly [RegExp, string])[] = [
  [/---/g, EM_DASH],
  [new RegExp(`(?<=^|${SPACE})--(?=$|${SPACE})`, 'g'), EM_DASH],
  [/(?<!xn)--/g, EN_DASH],
  [new RegExp(`(?<=^|${SPACE})-(?=$|${SPACE})`, 'g'), EN_DASH],
];
// Matches only whole runs of digits before an x; starting at each digit would scan the same text again and again.
const TIMES = /(?<![\d.,])([\d.,]+)x(?=\d[\d.,]*\b)/g;
const PLAIN_TAGS = 'pre|code|kbd|style|script|tt';
const PLAIN_TAG = new RegExp(`^<(/?)(${PLAIN_TAGS})(?![a-z0-9])`, 'i');
// A comment, a run of tags that do not matter here, any other tag, or text.
const PIECES = new RegExp(
  `<!--[\\s\\S]*?(?:-->|$)|(?:<(?!!--|/?(?:${PLAIN_TAGS})(?![a-z0-9]))[^>]*>)+|<[^>]*>?|[^<]+`,
  'gi',
);

/** Makes the text of HTML or a title typographic; tags, comments, code and scripts stay unchanged. */
export function texturize(html: string): string {
  const open: string[] = [];
  return (html.match(PIECES) ?? [])
    .map((piece) => {
      if (!piece.startsWith('<')) return open.length === 0 ? texturizeText(piece) : piece;
      const [, slash, name = ''] = PLAIN_TAG.exec(piece) ?? [];
      if (name !== '') {
        if (slash !== '/') open.push(name.toLowerCase());
        else if (open.at(-1) === name.toLowerCase()) open.pop();
      }
      return piece;
    })
    .join('');
}

function texturizeText(text: string): string {
  let result = text
    .replace(/\.\.\./g, '&#8230;')
    .replace(/``/g, OPEN)
    .replace(/''/g, CLOSE)
    .replace(/ \(tm\)/g, ' &#8482;');
  if (result.includes("'"))
    result = primes(replaceAll(result, SINGLE), "'", PRIME, OPEN_SINGLE, CLOSE_SINGLE).replaceAll(SETTLED, APOSTROPHE);
  if (result.includes('"')) result = primes(replaceAll(result, DOUBLE), '"', DOUBLE_PRIME, OPEN, CLOSE);
  if (result.includes('-')) result = replaceAll(result, DASHES);
  return ampersands(result.replace(TIMES, timesSign));
}

/** Handles `10x15`: the number before the x must begin a word. */
function timesSign(found: string, run: string, at: number, text: string): string {
  const beginsWord = !/\w/.test(text.charAt(at - 1)) && /^\d/.test(run);
  return beginsWord || /[.,]\d/.test(run) ? `${run}&#215;` : found;
}

/** Escapes a lone `&` as `&#038;`; character references stay. */
export const ampersands = (text: string): string =>
  text.replace(/&(?!#(?:\d+|x[a-f0-9]+);|[a-z1-4]{1,8};)/gi, '&#038;');

const replaceAll = (text: string, rules: readonly (readonly [RegExp, string])[]): string =>
  rules.reduce((result, [pattern, to]) => result.replace(pattern, to), text);

/** Tells closing quotes from primes (feet and minutes): a sentence with an opening quote needs a closing one. */
function primes(text: string, quote: string, prime: string, openQuote: string, closeQuote: string): string {
  const afterDigit = new RegExp(`(?<=\\d)${quote}`, 'g');
  const closing = new RegExp(`${quote}${AFTER}`, 'g');
  const sentences = text.split(OPEN_FLAG).map((sentence, index) => {
    if (!sentence.includes(quote)) return sentence;
    if (index === 0 || sentence.includes(closeQuote))
      return sentence.replace(afterDigit, prime).replace(closing, closeQuote);
    const flagged = sentence.replace(closing, MAYBE);
    const count = flagged.split(MAYBE).length - 1;
    return (count > 1 ? closeOne(flagged, closeQuote, prime) : flagged.replaceAll(MAYBE, closeQuote)).replace(
      afterDigit,
      prime,
    );
  });
  return (quote === '"' ? sentences.map((sentence) => sentence.replaceAll('"', closeQuote)) : sentences).join(
    openQuote,
  );
}

/**
 * Of several candidates for the closing quote, those not after a digit close; if all are after digits, the last one
 * before a full stop, else the last one.
 */
function closeOne(flagged: string, closeQuote: string, prime: string): string {
  const sure = flagged.replace(new RegExp(`(?<!\\d)${MAYBE}`, 'g'), closeQuote);
  if (sure !== flagged) return sure.replaceAll(MAYBE, prime);
  const stop = flagged.lastIndexOf(`${MAYBE}.`);
  const at = stop === -1 ? flagged.lastIndexOf(MAYBE) : stop;
  return `${flagged.slice(0, at)}${closeQuote}${flagged.slice(at + 1)}`.replaceAll(MAYBE, prime);
}
