/** A kind of rule: its frequency, and how to write its values in a rule of RFC 5545 (3.3.10). */
interface Kind {
  readonly freq: string;
  readonly part: string;
  /** What may follow, each value with a space after it. */
  readonly form: RegExp;
  readonly values: (text: string) => readonly string[];
}

const wordsOf = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

/** `3+` and `3` count from the start, `3-` and `LD` from the end. */
const fromEitherEnd = (word: string): string =>
  word
    .replace('LD', '1-')
    .replace(/^(\d+)-$/, '-$1')
    .replace('+', '');

/** Each weekday at each of the positions given before it: `1+ 1- FR`. */
const atPositions = (text: string): readonly string[] =>
  [...text.matchAll(/((?:\d[+-] )+)((?:[A-Z]{2} )+)/g)].flatMap(([, positions = '', days = '']) =>
    wordsOf(days).flatMap((day) => wordsOf(positions).map((position) => `${fromEitherEnd(position)}${day}`)),
  );

const DAY = '(?:SU|MO|TU|WE|TH|FR|SA) ';
const KINDS: Readonly<Record<string, Kind>> = {
  D: { freq: 'DAILY', part: '', form: /^$/, values: wordsOf },
  W: { freq: 'WEEKLY', part: 'BYDAY', form: new RegExp(`^(?:${DAY})*$`), values: wordsOf },
  MP: {
    freq: 'MONTHLY',
    part: 'BYDAY',
    form: new RegExp(String.raw`^(?:(?:\d[+-] )+(?:${DAY})+)+$`),
    values: atPositions,
  },
  MD: {
    freq: 'MONTHLY',
    part: 'BYMONTHDAY',
    form: /^(?:(?:\d\d?[+-]?|LD) )*$/,
    values: (text) => wordsOf(text).map(fromEitherEnd),
  },
  YM: { freq: 'YEARLY', part: 'BYMONTH', form: /^(?:\d\d? )*$/, values: wordsOf },
  YD: { freq: 'YEARLY', part: 'BYYEARDAY', form: /^(?:\d{1,3} )*$/, values: wordsOf },
};

const RULE = /^(D|W|MP|MD|YM|YD)(\d{1,4}) (.*?)(?:#(\d{1,6}) |(\d{8}(?:T\d{6}Z?)?) )?$/;
const LENGTH_MAX = 1_000;
/** The number of occurrences of a rule that gives none (vCalendar 1.0, "Duration"). */
const COUNT_UNSAID = '2';

/**
 * Translates a rule from the grammar of vCalendar 1.0, `MP1 1+ FR #0`, into that of RFC 5545. Undefined for anything
 * else, including nested rules and times of day, which no known program writes.
 */
export function ruleFromFirstVersion(text: string): string | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const words = `${text.trim().toUpperCase().replace(/\s+/g, ' ')} `;
  const [, name = '', interval = '', list = '', count = COUNT_UNSAID, last] = RULE.exec(words) ?? [];
  const kind = KINDS[name];
  if (!kind?.form.test(list)) return undefined;
  const values = kind.values(list);
  return [
    `FREQ=${kind.freq}`,
    `INTERVAL=${interval}`,
    ...(values.length > 0 ? [`${kind.part}=${values.join()}`] : []),
    ...endOf(count, last),
  ].join(';');
}

/** `#0` means without end. */
function endOf(count: string, last: string | undefined): readonly string[] {
  if (last !== undefined) return [`UNTIL=${last}`];
  return Number(count) === 0 ? [] : [`COUNT=${count}`];
}
