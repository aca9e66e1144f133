/** The units after the numbers of a date: `2027年1月5日`, `2027년 1월 5일`. */
const [YEAR_OR_MONTH, DAY] = [/(?<=\d)\s?[年년月월]\s?(?=\d)/g, /(?<=\d)\s?[日일号號]\s?/g];
/** A year of the Japanese era that offices use, `令和9年`; the first year was 2019. */
const ERA = /令和\s?(元|\d{1,2})(?=\s?年)/g;
const BEFORE_ERA = 2018;
/** A weekday after a date: `(火)`, `火曜日`, `(화)`, `화요일`, `星期二`. */
const WEEKDAY =
  /(?<=[\d日일号號]\s?)(?:\((?:星期|週|周)?[日天一二三四五六月火水木金土일월화수목금토][^()\d]{0,4}\)|[日月火水木金土]曜日?|[일월화수목금토]요일|(?:星期|週|周)[日天一二三四五六])/g;
type Half = 'am' | 'pm';

/**
 * Words for a part of the day, and in which half of the day an hour from 1 to 12 of it is. Hours around midnight are
 * left alone, because nobody can tell to which date they belong.
 */
const PARTS_OF_DAY: readonly (readonly [words: string, half: (hour: number) => Half | undefined])[] = [
  ['午前 上午 오전 凌晨 清晨 早上 早晨 朝 새벽 아침', () => 'am'],
  ['午後 下午 오후 傍晚 夕方 저녁', () => 'pm'],
  ['中午 正午 昼 낮', (hour) => (hour === 11 ? 'am' : 'pm')],
  ['晚上 晚间 晚間 夜晚 夜 밤', (hour) => (hour >= 5 && hour <= 11 ? 'pm' : undefined)],
];
const HALF_OF: ReadonlyMap<string, (hour: number) => Half | undefined> = new Map(
  PARTS_OF_DAY.flatMap(([words, half]) => words.split(' ').map((word) => [word, half] as const)),
);
/** A time such as `午後7時30分`, `下午7:30`, `19时`, `오후 7시`, `晚上7点`. */
const TIME = new RegExp(
  `(${[...HALF_OF.keys()].join('|')})?\\s?(\\d{1,2})\\s?(?:[時时點点시]\\s?(?:(\\d{1,2})\\s?[分분]|(半))?|:(\\d{2}(?::\\d{2})?))`,
  'g',
);
/** AM or PM in Greek: `7:00 μ.μ.` */
const GREEK_HALF = /(?<=\d)\s?([πμ])\.?\s?μ\.?(?!\p{L})/giu;
const LATIN = /^[\0-\u02FF]*$/;
const ELSEWHERE =
  /[年月日号號時时點点午火水木金土一二三四五六天週周년월일화수목금토시오早凌清晨晚傍夕夜朝昼새아저낮밤\u03BC\u03C0]/u;

/** Marks that nobody sees: of the direction of writing, as Windows copies them with its dates, and blanks without width. */
const UNSEEN = /[\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;
export const withoutUnseen = (text: string): string => (LATIN.test(text) ? text : text.replace(UNSEEN, ''));

/**
 * Rewrites a date or time as written in China, Japan, Korea or Greece in digits and signs that are read everywhere:
 * `2027-1-5 7:30 pm`. Any other text is left unchanged, apart from unseen marks.
 */
export function plainWhen(text: string): string {
  if (LATIN.test(text)) return text;
  const seen = withoutUnseen(text);
  const plain = seen.normalize('NFKC');
  if (!ELSEWHERE.test(plain)) return seen;
  return plain
    .replace(ERA, (_, year: string) => String(BEFORE_ERA + (year === '元' ? 1 : Number(year))))
    .replace(WEEKDAY, ' ')
    .replace(TIME, (said: string, ...[part = '', hour = '', minutes, half, after]: (string | undefined)[]) => {
      const past = after ?? minutes?.padStart(2, '0') ?? (half === undefined ? '00' : '30');
      const halfOf = HALF_OF.get(part);
      if (!halfOf || Number(hour) > 12) return ` ${hour}:${past}`;
      // The first hour of a half day is called 0 there, as in 午後0時, and 12 in English.
      const ofTwelve = Number(hour) || 12;
      const inHalf = halfOf(ofTwelve);
      return inHalf ? ` ${ofTwelve}:${past} ${inHalf}` : said;
    })
    .replace(YEAR_OR_MONTH, '-')
    .replace(DAY, ' ')
    .replace(GREEK_HALF, (_, half: string) => (half.toLowerCase() === 'π' ? ' am' : ' pm'))
    .trim();
}
