/** The texts of an event that its page shows as they are, in this order; their names are words. */
export const SHOWN_TEXTS = ['cost'] as const;

/** What the pages themselves say, in one language. Dates and numbers come from Intl. */
export interface Words extends Readonly<Record<(typeof SHOWN_TEXTS)[number], string>> {
  readonly skip: string;
  readonly views: string;
  readonly list: string;
  readonly month: string;
  readonly subscribe: string;
  readonly search: string;
  readonly from: string;
  readonly show: string;
  readonly categories: string;
  readonly pages: string;
  readonly earlier: string;
  readonly later: string;
  readonly nothing: string;
  readonly nothingFound: string;
  readonly allDay: string;
  readonly until: string;
  readonly to: string;
  readonly more: string;
  readonly today: string;
  readonly when: string;
  readonly where: string;
  readonly by: string;
  readonly category: string;
  readonly tags: string;
  readonly website: string;
  readonly phone: string;
  readonly email: string;
  readonly map: string;
  readonly addToCalendar: string;
  readonly file: string;
  readonly notFound: string;
  readonly notFoundText: string;
  readonly gone: string;
  readonly goneText: string;
  readonly whatIsOn: string;
  readonly unavailable: string;
  readonly unavailableText: string;
  readonly tooMany: string;
  readonly coming: string;
  readonly category1: string;
  readonly tag1: string;
  readonly venue1: string;
  readonly organizer1: string;
  readonly protectedEvent: string;
  readonly protectedText: string;
  readonly password: string;
  readonly wrongPassword: string;
  readonly tooManyPasswords: string;
}

const en: Words = {
  skip: 'Skip to the content',
  views: 'Views',
  list: 'List',
  month: 'Month',
  subscribe: 'Subscribe with your calendar program',
  search: 'Search',
  from: 'From',
  show: 'Show',
  categories: 'Categories',
  pages: 'Pages',
  earlier: 'Earlier',
  later: 'Later',
  nothing: 'Nothing is announced yet.',
  nothingFound: 'Nothing was found. Try fewer words, or an earlier day.',
  allDay: 'all day',
  until: 'until',
  to: 'to',
  more: 'more',
  today: 'today',
  when: 'When',
  where: 'Where',
  by: 'By',
  cost: 'Cost',
  category: 'Category',
  tags: 'Tags',
  website: 'Website',
  phone: 'Phone',
  email: 'E-mail',
  map: 'Show on the map',
  addToCalendar: 'Add to your calendar',
  file: 'Calendar file',
  notFound: 'Not found',
  notFoundText: 'There is nothing at this address.',
  gone: 'No longer announced',
  goneText: 'This event was taken off the calendar.',
  whatIsOn: 'What is on',
  unavailable: 'Back in a moment',
  unavailableText: 'The calendar cannot be reached just now. Nothing is lost; please try again in a moment.',
  tooMany: 'This month has more events than fit here; the list has all of them.',
  coming: 'Coming events',
  category1: 'Category',
  tag1: 'Tag',
  venue1: 'Venue',
  organizer1: 'Organizer',
  protectedEvent: 'Protected event',
  protectedText: 'This event is shown to whoever has its password.',
  password: 'Password',
  wrongPassword: 'This is not its password.',
  tooManyPasswords: 'There were too many wrong passwords. Try again in a minute.',
};

const pl: Words = {
  skip: 'Przejdź do treści',
  views: 'Widoki',
  list: 'Lista',
  month: 'Miesiąc',
  subscribe: 'Subskrybuj w swoim kalendarzu',
  search: 'Szukaj',
  from: 'Od dnia',
  show: 'Pokaż',
  categories: 'Kategorie',
  pages: 'Strony',
  earlier: 'Wcześniejsze',
  later: 'Późniejsze',
  nothing: 'Nie ma jeszcze żadnych zapowiedzi.',
  nothingFound: 'Nic nie znaleziono. Spróbuj mniejszej liczby słów albo wcześniejszego dnia.',
  allDay: 'cały dzień',
  until: 'do',
  to: 'do',
  more: 'więcej',
  today: 'dzisiaj',
  when: 'Kiedy',
  where: 'Gdzie',
  by: 'Organizator',
  cost: 'Cena',
  category: 'Kategoria',
  tags: 'Tagi',
  website: 'Strona',
  phone: 'Telefon',
  email: 'E-mail',
  map: 'Pokaż na mapie',
  addToCalendar: 'Dodaj do swojego kalendarza',
  file: 'Plik kalendarza',
  notFound: 'Nie znaleziono',
  notFoundText: 'Pod tym adresem nic nie ma.',
  gone: 'Już nieaktualne',
  goneText: 'To wydarzenie zdjęto z kalendarza.',
  whatIsOn: 'Co się dzieje',
  unavailable: 'Zaraz wracamy',
  unavailableText: 'Kalendarz jest chwilowo niedostępny. Nic nie zginęło; spróbuj ponownie za chwilę.',
  tooMany: 'W tym miesiącu jest więcej wydarzeń, niż się tu mieści; wszystkie są na liście.',
  coming: 'Nadchodzące wydarzenia',
  category1: 'Kategoria',
  tag1: 'Tag',
  venue1: 'Miejsce',
  organizer1: 'Organizator',
  protectedEvent: 'Wydarzenie chronione',
  protectedText: 'To wydarzenie zobaczy, kto ma jego hasło.',
  password: 'Hasło',
  wrongPassword: 'To nie jest jego hasło.',
  tooManyPasswords: 'Było za dużo błędnych haseł. Spróbuj ponownie za minutę.',
};

const de: Words = {
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
};

const WORDS: Readonly<Record<string, Words>> = { en, pl, de };

/** The words for a language (`pl`, `de-AT`); English where there are none. */
export const wordsIn = (language: string): Words => WORDS[language.toLowerCase().split(/[-_]/)[0] ?? ''] ?? en;
