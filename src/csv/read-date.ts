import { foldedWords } from '../ascii.ts';
import { plainWhen, withoutUnseen } from './plain-when.ts';
import { AT_HOUR, timeFromText, timesFromText } from './read-time.ts';
import { DAY_MS } from '../time.ts';

/** Which of the numbers in `03/04/2026` is the day. */
export type DateOrder = 'day first' | 'month first';

/** A day (`2026-04-11`) and whatever else the text gives: a time, and an offset from UTC in minutes. */
export interface ReadDate {
  readonly day: string;
  readonly time: string | null;
  readonly offset: number | null;
}

// Scandinavians also write "9/1 2027", "9/1-2027".
const NUMBERS = String.raw`(\d{1,2})\s?([./-])\s?(\d{1,2})(?:\s?\2\s?|(?<=\/\d{1,2})[ -](?=\d{4}))(\d{4}|\d{2})`;
const NUMERIC = new RegExp(`^${NUMBERS}$`);
/** The same, anywhere in a text. */
const NUMERICS = new RegExp(String.raw`(?<![\d./-])${NUMBERS}(?!\d)`, 'g');

/** Longer cells are not dates. */
const LENGTH_MAX = 100;

/**
 * Parses a date; null if it is not one. `order` decides between two possible readings; without it, ambiguous dates are
 * not read.
 */
export function dateFromText(text: string, order: DateOrder | null): ReadDate | null {
  if (text.length > LENGTH_MAX) return null;
  const serial = fromSerialTime(text.trim());
  if (serial) return serial;
  const { date: written, time, offset } = parted(text.trim());
  const date = withoutDayNames(written);
  // "Mar 1" may begin with a month and not with a Tuesday (mardi, martes).
  const day =
    fromIso(date) ??
    fromSerial(date) ??
    fromNumbers(date, order) ??
    fromWords(date) ??
    fromWords(written) ??
    fromRoman(date);
  if (day === null) return null;
  const clock = time === null ? null : timeFromText(time);
  return time !== null && clock === null ? null : { day, time: clock, offset };
}

/** A time of day with an offset from UTC, such as `19:30 GMT` or `19:30+01:00`; null for anything else. */
export function clockFromText(text: string): { readonly time: string; readonly offset: number } | null {
  const { time = null, offset = null } = dateFromText(`2000-01-01 ${text}`, null) ?? {};
  return time === null || offset === null ? null : { time, offset };
}

/**
 * What a date reveals about the order in its file: its only possible reading, `either`, or null if it has no such
 * numbers.
 */
export function orderShownBy(text: string): DateOrder | 'either' | null {
  if (text.length > LENGTH_MAX) return null;
  const orders = [...withoutUnseen(text).normalize('NFKC').matchAll(NUMERICS)].map(orderShown);
  return orders.find((order) => order !== null && order !== 'either') ?? orders.find((order) => order !== null) ?? null;
}

/** What the numbers of one date reveal about the order. */
function orderShown([, first = '', sign, second = '', year = '']: RegExpExecArray): DateOrder | 'either' | null {
  if (sign === '.') return null;
  const dayFirst = validDay(fullYear(year), Number(second), Number(first)) !== null;
  const monthFirst = validDay(fullYear(year), Number(first), Number(second)) !== null;
  if (dayFirst && monthFirst) return Number(first) === Number(second) ? null : 'either';
  if (dayFirst) return 'day first';
  return monthFirst ? 'month first' : null;
}

const CONNECTED = String.raw`(?:T|[,;]?\s+(?:(?:${AT_HOUR}|at|o|v|ve|à|a las|om|в|о|об|στις|la|g\.|@|ab|od|[-–|·•])\s+)?)`;
// "7:30 p.m.", "19h30", "19.30 Uhr"; "7 pm", "19 heures"; "kl. 19"; "12 noon".
const TIME = [
  String.raw`\d{1,2}(?:\s?(?:[:hu]|uhr)\s?|\s?\.)\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[ap]\.?\s?m?\.?|uhr|uur|u|h|hrs?\.?|hs\.?|horas|hod\.?|óra|ч\.?|год\.?)?`,
  String.raw`\d{1,2}\s*(?:[ap]\.?\s?m\.?|uhr|uur|u|h|heures?|hod\.?|hodin|óra|ч\.?|часов|год\.?)`,
  String.raw`(?:${AT_HOUR})\s+\d{1,2}`,
  String.raw`(?:12\s)?(?:noon|midnight)`,
].join('|');
const ZONE = String.raw`Z|UTC|GMT|(?:UTC|GMT)?[+-](?:0\d|1[0-4]):?[0-5]\d`;
/** Abbreviations and words for "year" after the number in Polish, Russian and Ukrainian. */
const YEAR_WORD = String.raw`r\.|roku|г\.?|года|р\.|року`;
const TWO_TIMES = /[^\dT:](\d{1,2}):(\d{2})-(\d{2}):(\d{2})$/;
const WITH_TIME = new RegExp(String.raw`^(.*?\d\.?(?: (?:${YEAR_WORD}))?)${CONNECTED}(${TIME})\s*(${ZONE})?$`, 'iu');

/**
 * A date with single spaces, without a weekday in brackets. Brackets at the end are dropped, too (the zone's name in
 * JavaScript's Date strings), unless they hold a time or an offset, as in `(GMT+1)`.
 */
export const plainDate = (text: string): string =>
  plainWhen(text)
    .normalize('NFKC')
    .trim()
    .replace(/\s+/g, ' ')
    // Word processors use non-breaking hyphens here.
    .replace(/[\u2010-\u2012]/g, '-')
    .replace(/ \((\p{L}{1,13})\.?\)(?= \d)/u, (aside, word: string) => (WEEKDAYS.has(foldedWords(word)) ? '' : aside))
    .replace(/ \(([^()]*)\)$/, (_, aside: string) =>
      (timeFromText(aside) ?? timesFromText(aside)) ? ` ${aside}` : offsetIn(aside),
    );

/** Rewrites `GMT+1` as ` GMT+01:00`; '' for anything else. */
function offsetIn(aside: string): string {
  const [, sign, hours = '', minutes = '00'] = /^(?:GMT|UTC)([+-])(\d{1,2})(?::?(\d\d))?$/.exec(aside) ?? [];
  return sign === undefined ? '' : ` GMT${sign}${hours.padStart(2, '0')}:${minutes}`;
}

/** Splits `2026-04-11T19:00:00+02:00` into its parts. */
function parted(text: string): { readonly date: string; readonly time: string | null; readonly offset: number | null } {
  // Adds ISO 8601 punctuation to RFC 5545 dates.
  const plain = plainDate(text).replace(
    /^(\d{8}T)(\d\d)(\d\d)(\d\d)?(Z?)$/,
    (_, day: string, hour: string, minute: string, second: string | undefined, zone: string) =>
      `${day}${hour}:${minute}:${second ?? '00'}${zone}`,
  );
  const match = endsInTwoTimes(plain) ? null : WITH_TIME.exec(plain);
  if (!match) return { date: plain, time: null, offset: null };
  return { date: match[1] ?? '', time: match[2] ?? null, offset: offsetFrom(match[3]) };
}

/**
 * Whether `-21:00` in `2026-04-11 19:00-21:00` is the end, at most half a day later. After seconds or a T, which
 * programs write, it is an offset.
 */
function endsInTwoTimes(text: string): boolean {
  const [, hour, minute, endHour, endMinute] = TWO_TIMES.exec(text)?.map(Number) ?? [];
  if (hour === undefined || minute === undefined || endHour === undefined || endMinute === undefined) return false;
  return (endHour * 60 + endMinute - hour * 60 - minute + 1440) % 1440 <= 720;
}

const WEEKDAYS = new Set(
  [
    'mo mon monday montag lun lundi lunes lunedi pon poniedzialek ma maandag',
    'tu tue tues tuesday di die dienstag mar mardi martes martedi wt wtorek dinsdag',
    'we wed wednesday mi mittwoch mer mercredi mie miercoles mercoledi sr sroda wo woensdag',
    'th thu thur thurs thursday do donnerstag jeu jeudi jue jueves gio giovedi czw czwartek donderdag',
    'fr fri friday freitag ven vendredi vie viernes venerdi pt piatek vr vrijdag',
    'sa sat saturday samstag sonnabend sam samedi sab sabado sabato sob sobota za zaterdag',
    'su sun sunday so sonntag dim dimanche dom domingo domenica nd niedz niedziela zo zondag',
    'man mandag tis tisdag tir tirs tirsdag ons onsdag tor tors torsdag fre fredag lor lordag son sondag',
    'maanantai ti tiistai ke keskiviikko to torstai pe perjantai la lauantai sunnuntai',
    'hetfo kedd szerda csutortok pentek szombat vasarnap po pondeli ut utery st streda ct ctvrtek pa patek ne nedele',
    'пн понедельник вт вторник ср среда чт четверг пт пятница сб суббота вс воскресенье',
    'понеділок вівторок середа четвер субота нд неділя',
    'δευ δευτερα τρι τριτη τετ τεταρτη πεμ πεμπτη παρ παρασκευη σαβ σαββατο κυρ κυριακη',
    'pzt pazartesi sal sali car carsamba per persembe cum cuma cmt cumartesi paz pazar',
    'lu luni ma marti mi miercuri jo joi vi vin vineri sa sambata du dum duminica',
    'ponedjeljak ponedeljak pon utorak uto srijeda sreda sri sre cetvrtak cet petak pet subota sub nedjelja nedelja ned',
    'ponedeljek torek cetrtek petek понедељак уторак среда четвртак петак субота недеља пон уто сре чет пет суб нед',
    'понеделник сряда четвъртък четврток петък петок събота сабота неделя недела',
    'pirmadienis antradienis treciadienis ketvirtadienis penktadienis sestadienis sekmadienis',
    'pirmdiena otrdiena tresdiena ceturtdiena piektdiena sestdiena svetdiena',
    'esmaspaev teisipaev kolmapaev neljapaev reede laupaev puhapaev',
    'manudagur thridjudagur midvikudagur fimmtudagur fostudagur laugardagur sunnudagur',
    'dilluns dl dimarts dt dimecres dc dijous dj divendres dv dissabte ds diumenge dg',
    'pondelok utorok stvrtok pi piatok nedela seg segunda ter terca qua quarta qui quinta sex sexta',
  ].flatMap((names) => names.split(' ')),
);

/** Removes the weekday before or after the numbers and the word for "year" after them. */
function withoutDayNames(date: string): string {
  const [last, name = ''] = /(?<=\d\.?)(?:,\s?|\s)(\p{L}{2,13})\.?$/u.exec(date) ?? [''];
  if (isWeekday(foldedWords(name))) return withoutDayNames(date.slice(0, -last.length));
  const weekday = /^(\p{L}{2,13})(?:-feira)?[.,]{0,2}\s+(?:(?:den|d\.|der|dem|the|le|el)\s+)?(?=\d)/iu.exec(date);
  const bare = weekday && WEEKDAYS.has(foldedWords(weekday[1] ?? '')) ? date.slice(weekday[0].length) : date;
  return bare.replace(YEAR_WORDS, '');
}

const YEAR_WORDS = new RegExp(String.raw`(?<=\d)\s*(?:${YEAR_WORD})$`, 'iu');

function offsetFrom(text: string | undefined): number | null {
  if (text === undefined) return null;
  const match = /([+-])(\d{2}):?(\d{2})$/.exec(text);
  return match ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) : 0;
}

function fromIso(text: string): string | null {
  const match = /^(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})$/.exec(text.replace(/(?<=\.)\s|\.$/g, ''));
  if (!match || (match[2] === '' && text.length !== 8)) return null;
  return validDay(Number(match[1]), Number(match[3]), Number(match[4]));
}

// Days since 1899-12-30, as in spreadsheets; only for days from 1990 to 2100.
function fromSerial(text: string): string | null {
  const serial = /^\d{5}(?:[.,]0+)?$/.test(text) ? Math.floor(Number(text.replace(',', '.'))) : 0;
  return serial >= 32_874 && serial <= 73_050
    ? new Date(Date.UTC(1899, 11, 30) + serial * DAY_MS).toISOString().slice(0, 10)
    : null;
}

/** Reads a spreadsheet's day and fraction (`46402,8125`), rounded to the minute. */
function fromSerialTime(text: string): ReadDate | null {
  const match = /^(\d{5})[.,](\d*[1-9]\d*)$/.exec(text);
  if (!match) return null;
  const minutes = Math.round(Number(`0.${match[2]}`) * 1440);
  const day = fromSerial(String(Number(match[1]) + (minutes === 1440 ? 1 : 0)));
  const clock = [Math.floor(minutes / 60) % 24, minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return day === null ? null : { day, time: `${clock}:00`, offset: null };
}

function fromNumbers(text: string, order: DateOrder | null): string | null {
  // In Croatia and Serbia, the year is followed by a full stop.
  const match = NUMERIC.exec(text.replace(/(?<=\.\s?(?:\d\d){1,2})\.$/, ''));
  if (!match) return null;
  const [, first = '', sign, second = '', year = ''] = match;
  const shown = sign === '.' ? 'day first' : orderShown(match);
  const decided = shown === 'either' ? order : (shown ?? 'day first');
  if (decided === null) return null;
  return decided === 'day first'
    ? validDay(fullYear(year), Number(second), Number(first))
    : validDay(fullYear(year), Number(first), Number(second));
}

/** A month in Roman numerals, as often written in Poland, Hungary and Russia: `5 III 2027`. */
const ROMAN = /^(\d{1,2})(?:\.\s?|\s)([IVX]{1,4})(?:\.\s?|\s)(\d{4})$/;
const ROMAN_MONTHS = 'I II III IV V VI VII VIII IX X XI XII'.split(' ');

function fromRoman(text: string): string | null {
  const [, day = '', month = '', year = ''] = ROMAN.exec(text) ?? [];
  return validDay(Number(year), ROMAN_MONTHS.indexOf(month) + 1, Number(day));
}

const MONTHS = [
  `january jan januar janner janvier janv enero ene gennaio gen januari styczen stycznia sty leden ledna janeiro januari januara tammikuu tammikuuta
   января январь янв січня січень січ ιανουαριου ιανουαριος ιαν ocak oca ianuarie ian
   јануар јануари януари januarja sausio janvaris janvari jaanuar gener`,
  `february feb febr februar fevrier fevr fev febrero febbraio februari luty lutego lut unor unora fevereiro februari februara helmikuu helmikuuta
   февраля февраль февр фев лютого лютии лют φεβρουαριου φεβρουαριος φεβ subat sub februarie
   фебруар февруари februarja vasario februaris veebruar febrer`,
  `march mar marc marz maerz mrz mars marzo maart mrt marzec marca brezen brezna marco marec marca marts marcius maaliskuu maaliskuuta
   марта март мар березня березень бер μαρτιου μαρτιος μαρ mart martie
   kovo marta`,
  `april apr avril avr abril abr aprile kwiecien kwietnia kwi duben dubna aprilis aprila huhtikuu huhtikuuta
   апреля апрель апр квітня квітень квіт απριλιου απριλιος απρ nisan nis aprilie
   април balandzio aprili aprill`,
  `may mai mayo maggio mag mei maj maja kveten kvetna maio majus toukokuu toukokuuta
   мая маи травня травень трав μαιου μαιος μαι mayis
   мај geguzes maijs maija maig`,
  `june jun juni juin junio giugno giu czerwiec czerwca cze cerven cervna junho juna junius kesakuu kesakuuta
   июня июнь июн червня червень черв ιουνιου ιουνιος ιουν haziran haz iunie iun
   јун јуни юни junij junija birzelio junijs juuni juny`,
  `july jul juli juillet juil julio luglio lug lipiec lipca lip cervenec cervence julho jula julius heinakuu heinakuuta
   июля июль июл липня липень лип ιουλιου ιουλιος ιουλ temmuz tem iulie iul
   јул јули юли julij julija liepos julijs juuli juliol`,
  `august aug aout agosto ago augustus sierpien sierpnia sie srpen srpna augusta augusti augusztus elokuu elokuuta
   августа август авг серпня серпень серп αυγουστου αυγουστος αυγ agustos agu
   avgust avgusta avg rugpjucio augusts agust agost`,
  `september sep sept septembre septiembre settembre set wrzesien wrzesnia wrz zari setembro septembra szeptember szept syyskuu syyskuuta
   сентября сентябрь сент сен вересня вересень вер σεπτεμβριου σεπτεμβριος σεπ eylul eyl septembrie
   септембар септември septembar rugsejo septembris septembri setembre`,
  `october oct oktober okt octobre octubre ottobre ott pazdziernik pazdziernika paz rijen rijna outubro out oktobra lokakuu lokakuuta
   октября октябрь окт жовтня жовтень жовт οκτωβριου οκτωβριος οκτ ekim eki octombrie
   октобар октомври oktobar spalio oktobris oktobri oktoober`,
  `november nov novembre noviembre listopad listopada lis listopadu novembro novembra marraskuu marraskuuta
   ноября ноябрь нояб ноя листопада листопад лист νοεμβριου νοεμβριος νοε kasim kas noiembrie
   новембар ноември novembar lapkricio novembris novembri`,
  `december dec dezember dez decembre diciembre dic dicembre grudzien grudnia gru prosinec prosince dezembro decembra desember des joulukuu joulukuuta
   декабря декабрь дек грудня грудень груд δεκεμβριου δεκεμβριος δεκ aralik ara decembrie
   децембар декември decembar gruodzio decembris decembri detsember desembre`,
].map((names) => names.split(/\s+/));

/** Reads `Sat, 11 April 2026`, `April 11th, 2026`, `11. kwietnia 2026`, `11-Apr-26`. */
function fromWords(text: string): string | null {
  const words = foldedWords(text).split(' ');
  const month = monthIn(words);
  const numbers = words.flatMap((word) => /^(\d{1,4})(?:st|nd|rd|th|er|re|e|o|a)?$/.exec(word)?.[1] ?? []);
  // "1st Friday of March 2027" is some other day than the first.
  if (words.some((word, index) => isWeekday(word) && /^\d{1,2}(?:st|nd|rd|th)?$/.test(words[index - 1] ?? '')))
    return null;
  // Gives up if any other word contains digits.
  if (month === undefined || numbers.length !== 2 || words.filter((word) => /\d/.test(word)).length !== 2) return null;
  const year =
    numbers.find((each) => each.length === 4) ??
    (/^\d{1,2} [a-z]+ \d{2}$/.test(words.join(' ')) ? numbers[1] : undefined);
  const day = numbers.find((each) => each.length <= 2);
  return year === undefined || day === undefined ? null : validDay(fullYear(year), month + 1, Number(day));
}

/** Whether a word names a weekday and no month (mar, sept). */
const isWeekday = (word: string): boolean => WEEKDAYS.has(word) && monthIn([word]) === undefined;

/** Whether a text names a month in words. */
export const namesMonth = (text: string): boolean => monthIn(foldedWords(text).split(' ')) !== undefined;

/**
 * The index of the month that words name; undefined if there is none, or more than one (`3 Nov Dec`). The first word
 * may be a weekday (`mar. 11 avr.`).
 */
function monthIn(words: readonly string[]): number | undefined {
  const named = words.flatMap((word, index) => {
    const month = MONTHS.findIndex((names) => names.includes(word));
    return month < 0 ? [] : [{ month, isWeekday: index === 0 && WEEKDAYS.has(word) }];
  });
  const month = named.at(-1)?.month;
  return named.every((each) => each.month === month || each.isWeekday) ? month : undefined;
}

const fullYear = (year: string): number => (year.length === 2 ? 2000 : 0) + Number(year);

function validDay(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1899 && year <= 2200 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? date.toISOString().slice(0, 10)
    : null;
}
