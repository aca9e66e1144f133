import { listIn } from './list-in.ts';
import type { Words } from './words.ts';

const WEEKDAYS = ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'];
const COUNTS: Readonly<Record<number, string>> = { 2: 'zwei', 3: 'drei', 4: 'vier' };
const NTH = ['', 'ersten', 'zweiten', 'dritten', 'vierten', 'fünften'];
const joined = listIn('de');
const adverb = (word: string, index: number): string => (index === 0 ? word : word.toLowerCase());

/** What the public pages say, in German. */
export const DE: Words = {
  skip: 'Zum Inhalt springen',
  views: 'Ansichten',
  list: 'Liste',
  month: 'Monat',
  subscribe: 'Im eigenen Kalenderprogramm abonnieren',
  search: 'Suchen',
  from: 'Ab',
  show: 'Zeigen',
  categories: 'Kategorien',
  pages: 'Seiten',
  earlier: 'Frühere',
  later: 'Spätere',
  nothing: 'Es ist noch nichts angekündigt.',
  nothingFound: 'Nichts gefunden. Vielleicht mit weniger Wörtern oder ab einem früheren Tag.',
  allDay: 'ganztägig',
  until: 'bis',
  to: 'bis',
  more: 'weitere',
  today: 'heute',
  when: 'Wann',
  where: 'Wo',
  by: 'Veranstaltet von',
  cost: 'Preis',
  category: 'Kategorie',
  tags: 'Schlagwörter',
  website: 'Website',
  phone: 'Telefon',
  email: 'E-Mail',
  map: 'Auf der Karte zeigen',
  addToCalendar: 'In den eigenen Kalender',
  file: 'Kalenderdatei',
  notFound: 'Nicht gefunden',
  notFoundText: 'Unter dieser Adresse gibt es nichts.',
  gone: 'Nicht mehr angekündigt',
  goneText: 'Dieser Termin wurde aus dem Kalender genommen.',
  whatIsOn: 'Was ist los',
  unavailable: 'Gleich wieder da',
  unavailableText:
    'Der Kalender ist gerade nicht zu erreichen. Nichts ist verloren; bitte gleich noch einmal versuchen.',
  tooMany: 'Dieser Monat hat mehr Termine, als hier Platz haben; die Liste hat alle.',
  coming: 'Kommende Termine',
  category1: 'Kategorie',
  tag1: 'Schlagwort',
  venue1: 'Ort',
  organizer1: 'Veranstalter',
  protectedEvent: 'Geschützter Termin',
  protectedText: 'Diesen Termin sieht, wer sein Passwort hat.',
  password: 'Passwort',
  wrongPassword: 'Das ist nicht sein Passwort.',
  tooManyPasswords: 'Es waren zu viele falsche Passwörter. In einer Minute geht es weiter.',
  // views
  series: {
    daily: 'Jeden Tag',
    weekly: (weekdays, weeks) => {
      const names = joined(weekdays.map((weekday) => WEEKDAYS[weekday]));
      if (weeks === 1) return `Jeden ${names}`;
      return `Alle ${COUNTS[weeks] ?? weeks} Wochen am ${names}`;
    },
    someWeeks: (weekdays) => joined(weekdays.map((weekday, index) => adverb(`${WEEKDAYS[weekday]}s`, index))),
    monthlyWeekday: (nth, weekday) => `Jeden ${nth === 'last' ? 'letzten' : NTH[nth]} ${WEEKDAYS[weekday]} im Monat`,
    monthlyDay: (day) => `Am ${day}. jedes Monats`,
    until: (rule, day) => `${rule} bis ${day}`,
    more: (count, isCut) =>
      `${isCut ? 'mehr als ' : ''}${count} ${count === 1 ? 'weiterer Termin' : 'weitere Termine'}`,
  },
  allDates: 'Alle Termine',
  seriesIsOver: 'Alle Termine dieser Reihe sind vorbei.',
  cancelled: 'Abgesagt',
};
