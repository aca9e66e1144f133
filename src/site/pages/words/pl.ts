import { quotedIn } from '../../../look/words/quoted.ts';
import { listIn } from './list-in.ts';
import type { Words } from './words.ts';

const inQuotes = quotedIn('pl');

const WEEKDAYS = ['poniedziałek', 'wtorek', 'środę', 'czwartek', 'piątek', 'sobotę', 'niedzielę'];
const PLURAL_WEEKDAYS = ['poniedziałki', 'wtorki', 'środy', 'czwartki', 'piątki', 'soboty', 'niedziele'];
// The weekdays of feminine gender: środa, sobota, niedziela.
const FEMININE = [2, 5, 6];
const EVERY = WEEKDAYS.map((name, weekday) => `${FEMININE.includes(weekday) ? 'każdą' : 'każdy'} ${name}`);
const COUNTS: Readonly<Record<number, string>> = { 2: 'dwa', 3: 'trzy', 4: 'cztery' };
const NTH_MASCULINE = ['ostatni', 'pierwszy', 'drugi', 'trzeci', 'czwarty', 'piąty'];
const NTH_FEMININE = ['ostatnią', 'pierwszą', 'drugą', 'trzecią', 'czwartą', 'piątą'];
const PLURAL = new Intl.PluralRules('pl');
const DATES: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = { one: 'termin', few: 'terminy' };
const joined = listIn('pl');
const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
/** "we wtorek i w czwartek": the preposition changes before Tuesday. */
const on = (weekdays: readonly number[], names: readonly string[]): string =>
  joined(weekdays.map((weekday) => `${weekday === 1 ? 'we' : 'w'} ${names[weekday]}`));
const POLISH_COUNTS = new Intl.PluralRules('pl');

/** The texts of the public pages in Polish. */
export const PL: Words = {
  list: 'Lista',
  month: 'Miesiąc',
  show: 'Pokaż',
  nothing: 'Nie ma jeszcze żadnych zapowiedzi.',
  allDay: 'cały dzień',
  until: 'do',
  to: 'do',
  more: 'więcej',
  when: 'Kiedy',
  where: 'Gdzie',
  cost: 'Cena',
  tags: 'Tagi',
  website: 'Strona',
  phone: 'Telefon',
  email: 'E-mail',
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
  category1: 'Kategoria',
  tag1: 'Tag',
  organizer1: 'Organizator',
  protectedEvent: 'Wydarzenie chronione',
  protectedText: 'Aby zobaczyć to wydarzenie, potrzebne jest hasło.',
  password: 'Hasło',
  wrongPassword: 'To hasło jest nieprawidłowe.',
  tooManyPasswords: 'Za dużo błędnych haseł. Spróbuj ponownie za minutę.',
  // views
  series: {
    daily: 'Codziennie',
    weekly: (weekdays, weeks) => {
      if (weeks === 1) return `W ${joined(weekdays.map((weekday) => EVERY[weekday]))}`;
      return `Co ${COUNTS[weeks] ?? weeks} tygodnie ${on(weekdays, WEEKDAYS)}`;
    },
    someWeeks: (weekdays) => capital(on(weekdays, PLURAL_WEEKDAYS)),
    monthlyWeekday: (nth, weekday) => {
      const ordinals = FEMININE.includes(weekday) ? NTH_FEMININE : NTH_MASCULINE;
      return `W ${ordinals[nth === 'last' ? 0 : nth]} ${WEEKDAYS[weekday]} miesiąca`;
    },
    monthlyDay: (day) => `${day}. dnia każdego miesiąca`,
    until: (rule, day) => `${rule} do ${day}`,
    more: (count, isCut) =>
      isCut ? `ponad ${count} innych terminów` : `jeszcze ${count} ${DATES[PLURAL.select(count)] ?? 'terminów'}`,
  },
  allDates: 'Wszystkie terminy',
  seriesIsOver: 'Wszystkie terminy z tej serii już się odbyły.',
  cancelled: 'Odwołane',
  goToday: 'Dziś',
  moreOn: (count, day) => `jeszcze ${count}: ${day}`,
  lasting: 'Kilka dni',
  nothingThatDay: 'Nic nie zapowiedziano',
  allCategories: 'Wszystkie kategorie',
  daysOf: (month) => `Dni: ${month}`,
  // event
  contact: 'Kontakt',
  over: 'Już po',
  isOver: 'To już się odbyło.',
  wasOn: (day) => `Termin: ${day}.`,
  isCancelled: 'To się nie odbędzie.',
  cancelledText: 'Wydarzenie odwołano. W subskrybowanych kalendarzach jest przekreślone.',
  moved: 'Zmiana',
  isMoved: 'Zmieniono termin lub miejsce.',
  wasAnnouncedFor: (when) => `Zapowiadano: ${when}.`,
  wasAnnouncedAt: 'Zapowiadane miejsce:',
  tentative: 'Jeszcze niepewne',
  isTentative: 'To jeszcze niepewne.',
  tentativeText: 'Przed wyjściem zajrzyj tu jeszcze raz.',
  free: 'Wstęp wolny',
  place: 'Miejsce',
  address: 'Adres',
  openMap: 'Otwórz mapę',
  alsoAt: (place) => `Tu także: ${place}`,
  comingFrom: (organizer) => `Wkrótce: ${organizer}`,
  readFrom: (source) => `Źródło: ${source}`,
  readOn: (when) => `stan na ${when}`,
  changedOn: (when) => `ostatnia zmiana: ${when}`,
  wasTakenOff: (title, day, gone) => `${inQuotes(title)} (${day}): zdjęto z kalendarza, ${gone}.`,
  askOrganizer: 'Jeśli to było w Twoich planach, zapytaj organizatora:',
  instead: 'Może zamiast tego',
  seeWhatsOn: 'Zobacz program',
  comingEvents: (count, number) => {
    const forms = { one: 'nadchodzące wydarzenie', few: 'nadchodzące wydarzenia' } as const;
    const rule = POLISH_COUNTS.select(count);
    return `${number} ${rule === 'one' || rule === 'few' ? forms[rule] : 'nadchodzących wydarzeń'}`;
  },
  subscribeTo: {
    venue: 'Subskrybuj to miejsce',
    organizer: 'Subskrybuj tego organizatora',
    category: 'Subskrybuj tę kategorię',
    tag: 'Subskrybuj ten tag',
  },

  // list
  finding: {
    comingUp: 'Nadchodzące',
    days: 'Dni',
    allComing: 'Wszystkie',
    shortcuts: {
      today: 'Dzisiaj',
      tomorrow: 'Jutro',
      weekend: 'W ten weekend',
      'seven-days': 'Najbliższe siedem dni',
      'next-week': 'W przyszłym tygodniu',
    },
    fromThisDay: 'Od tego dnia',
    from: (day) => `Od: ${day}`,
    fromDay: (day) => `Od ${day}`,
    fromToday: 'od dzisiaj',
    moreDays: 'Kolejne dni',
    moreOfThese: 'Więcej takich',
    earlier: 'Wcześniej',
    backToStart: 'Od dzisiaj',
    backToFirst: 'Pierwsze',
    everyDate: 'Każdy termin serii',
    onAllWeek: 'Przez cały tydzień',
    onAllTime: 'Trwające',
    lastDays: (day) => `ostatnie dni: do ${day}`,
    furtherLasting: (number) => `i jeszcze ${number} trwających`,
    daysOf: (month) => `Dni miesiąca: ${month}`,
    choose: 'Wybierz kategorię, miejsce, cenę',
    chosen: (count) => `wybrano: ${count}`,
    onlyThis: 'Pokazane jest tylko:',
    whatIsChosen: 'Wybrane filtry',
    takeOff: '(usuń)',
    clearAll: 'Usuń wszystko',
    language: 'Język',
    anyLanguage: 'Każdy język',
    free: 'Wstęp wolny',
    noName: (text) => `Nic tu się nie nazywa ${inQuotes(text)}.`,
    whichName: (text, isCut) =>
      isCut
        ? `${inQuotes(text)} występuje w wielu nazwach. Wpisz dłuższą część nazwy albo wybierz:`
        : `${inQuotes(text)} może oznaczać:`,
    calledSo: (text) => `${inQuotes(text)} w nazwie:`,
    someOfThese: 'Tylko niektóre z nich',
    freeThisWeekend: 'Bezpłatnie w ten weekend',
    events: (count, number) => `${number} ${polishPlural(count, ['wydarzenie', 'wydarzenia', 'wydarzeń'])}`,
    subscribe: 'Subskrybuj',
    toThis: 'ten wybór',
    highlights: 'Wyróżnione',
    nothing: {
      today: 'Dzisiaj nie ma nic takiego',
      tomorrow: 'Jutro nie ma nic takiego',
      weekend: 'W ten weekend nie ma nic takiego',
      'seven-days': 'W najbliższych siedmiu dniach nie ma nic takiego',
      'next-week': 'W przyszłym tygodniu nie ma nic takiego',
      any: 'Nic takiego nie zapowiedziano',
    },
    leaveOut: 'Bez jednego z wyborów jest więcej do zobaczenia:',
    oneAlone: 'Wszystko naraz nie daje wyników. Osobno:',
    instead: {
      search: 'dowolne słowa',
      time: 'dowolny dzień',
      categories: 'każda kategoria',
      tags: 'każdy tag',
      places: 'każde miejsce',
      organizers: 'każdy organizator',
      free: 'każda cena',
      language: 'każdy język',
    },
    subscribeAnyway: 'Subskrybuj, a pojawi się, gdy tylko coś będzie',
    nearest: 'Najbardziej pasujące',
    nothingYet:
      'Wydarzenia pojawiają się tutaj, gdy tylko zostaną ogłoszone. Zasubskrybuj już teraz, a same trafią do Twojego kalendarza.',
    freeTag: 'Bezpłatne',
    cancelled: 'Odwołane',
    minutes: 'min',
    hours: 'godz.',
    tooMuch: 'Za dużo naraz',
    searchTooLong: (most) => `Wyszukiwanie może mieć najwyżej ${most} znaków.`,
    listTooLong: (most) => `Naraz można wybrać najwyżej ${most} kategorii, tagów, miejsc lub organizatorów.`,
  },
  // away
  away: {
    passItOn: 'Podaj dalej',
    qrAlt: 'Kod QR z adresem tej strony',
    copyLink: 'Kopiuj link',
    copied: 'Skopiowano',
    copyByHand: 'Naciśnij Ctrl+C lub Cmd+C, aby skopiować',
    share: 'Udostępnij',
    copy: 'Kopiuj',
    subscribe: 'Subskrybuj w swoim kalendarzu',
    embed: 'Umieść tę listę na swojej stronie',
    embedLead: 'Wybierz, co ma pokazywać, i wklej kod na swoją stronę. Lista aktualizuje się sama.',
    withWords: 'Z tymi słowami',
    count: 'Ile wydarzeń',
    look: 'Wygląd',
    showCode: 'Pokaż kod i podgląd',
    preview: 'Podgląd',
    code: 'Kod na Twoją stronę',
    withScript: 'Wysoka jak lista, działa też bez skryptu',
    scriptOnly: 'Sam skrypt',
    withoutScript: 'Bez skryptu',
    noCookies: 'Bez plików cookie i bez liczenia. Linki otwierają się w nowej karcie.',
    more: (number) => `jeszcze ${number}`,
    looks: { device: 'Jak urządzenie odwiedzającego', light: 'Jasny', dark: 'Ciemny' },
  },

  // sheets
  sheet: {
    print: 'Wydrukuj',
    back: 'Wróć do strony',
    howTo: 'Wydrukuj z menu przeglądarki (Ctrl+P): jedna kartka A4.',
    week: 'Skieruj aparat telefonu na kod, aby zobaczyć ten tydzień ze zmianami i go zasubskrybować.',
    event: 'Skieruj aparat telefonu na kod: aktualności, dojazd i wpis do własnego kalendarza.',
    code: 'Kod QR z adresem tej strony',
    poster: 'Wydrukuj plakat',
  },
};

/** One, two to four (but not twelve to fourteen), or more. */
function polishPlural(count: number, [one, few, many]: readonly [string, string, string]): string {
  const category = PLURAL.select(count);
  if (category === 'one') return one;
  return category === 'few' ? few : many;
}
