import { quotedIn } from '../../look/words/quoted.ts';
import { safeLink } from '../../html/link.ts';
import { html } from '../../html/template.ts';
import type { PageWords } from './page-words.ts';

const inQuotes = quotedIn('pl');

const PLURAL = new Intl.PluralRules('pl');
const EVENTS: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = { one: 'wydarzenie', few: 'wydarzenia' };

export const pl: PageWords = {
  language: 'pl',
  locale: 'pl',
  feeds: 'Kalendarze do subskrypcji',
  ownFeed: 'Ułóż własny kalendarz',
  copied: 'Adres skopiowany.',
  copyByHand: 'Naciśnij Ctrl+C lub Cmd+C, aby skopiować zaznaczony adres.',

  introduction:
    'Wydarzenia we własnym kalendarzu. Gdy coś tu przybędzie, zmieni termin albo zostanie odwołane, sam się zaktualizuje.',
  none: html`Nie skonfigurowano jeszcze żadnego kalendarza. Administrator dodaje je w konfiguracji pod <code>feeds:</code>.`,
  onlyWhatYouLike: 'Tylko to, co Cię interesuje',
  choose: 'Wybierz kategorie, miejsca i słowa, a dostaniesz własny adres.',
  subscribe: 'Subskrybuj',
  subscribeTo: (title) => `Subskrybuj: ${title}`,
  googleOutlookMore: 'Google, Outlook i inne',
  morePrograms: (title) => `Google, Outlook i inne: ${title}`,
  next: (title, when) => `Najbliższe: ${title}, ${when}`,
  howItWorks: 'Jak to działa',
  steps: [
    'Wybierz kalendarz na tej stronie.',
    'Naciśnij raz przycisk swojego programu.',
    'Program pyta o nowości co kilka godzin albo raz na dobę. W każdej chwili możesz go tam usunąć.',
  ],
  by: {
    categories: 'Pojedyncze kategorie',
    venue: 'Pojedyncze miejsca',
    organizer: 'Pojedynczy organizatorzy',
    tags: 'Pojedyncze tagi',
  },
  further: (count, address) =>
    html`Pozostałe (${count}) znajdziesz, układając ${safeLink({ href: address }, 'własny kalendarz')}.`,
  local: html`<strong>Te adresy są dostępne tylko na tym komputerze.</strong>
Google i Outlook pobierają kalendarze na swoje serwery i potrzebują adresu publicznego;
programy na tym komputerze działają.`,

  chooseHere: 'Wybierz i zobacz, co się w nim znajdzie. Jeśli niczego nie wybierzesz, kalendarz obejmie wszystko.',
  calendar: 'Kalendarz',
  text: 'Zawiera słowa',
  eventLanguage: 'Język',
  allLanguages: 'Wszystkie',
  howShown: 'Wygląd w Twoim kalendarzu',
  variant: 'Wariant',
  variants: {
    full: 'Z obrazkami i formatowaniem',
    lite: 'Mały: sam tekst',
    google: 'Dla Kalendarza Google: z formatowaniem',
  },
  cancelledEvents: 'Odwołane wydarzenia',
  cancelled: { keep: 'Oznaczone jako odwołane', hide: 'Pominięte', title: 'Oznaczone także w tytule' },
  showResult: 'Pokaż wydarzenia i adres',
  result: 'Wynik',

  allFeeds: 'Wszystkie kalendarze',
  subscribeWith: 'Subskrybuj w programie',
  programs: {
    apple: ['Kalendarz Apple', 'otworzy się na iPhonie, iPadzie i Macu'],
    google: ['Kalendarz Google', 'na komputerze: wklej tam adres'],
    outlookCom: ['Outlook.com', 'także Hotmail i Live'],
    microsoft365: ['Microsoft 365', 'Outlook w pracy lub szkole'],
  },
  byHand: 'Ręcznie, krok po kroku',
  toPhone: 'Do telefonu',
  qrText: 'Skieruj na kod aparat i wybierz resztę w telefonie. Zmieści się też na plakacie.',
  qrAlt: 'Kod QR z adresem tej strony',
  embed: 'Umieść tę listę na swojej stronie',
  otherWays: 'Inne sposoby',
  news: { rss: 'Kanał wiadomości (RSS)', atom: 'Kanał wiadomości (Atom)', json: 'Dla programów (JSON Feed)' },
  download: 'Pobierz jednorazowo (.ics)',
  table: 'Jako tabela (.csv)',
  address: 'Adres tego kalendarza: dla Thunderbirda, Androida i wszystkich innych',
  copy: 'Kopiuj',
  secret: 'Ten adres jest tajny: kto go zna, może czytać kalendarz. Udostępniaj go rozważnie.',
  basic:
    'Ten kalendarz wymaga nazwy użytkownika i hasła. Google i Outlook w przeglądarce ich nie podadzą; Kalendarz Apple i Thunderbird – tak.',
  instructions: {
    google: 'Kalendarz Google',
    googleCopy: 'Skopiuj powyższy adres.',
    googleOpen: (link) => html`Na komputerze (aplikacje w telefonie tego nie potrafią) otwórz ${link}.`,
    googleLink: 'Kalendarz Google, „Z adresu URL”',
    googlePaste:
      'Wklej adres i wybierz „Dodaj kalendarz”. Pojawi się też w telefonie. Google sprawdza zmiany mniej więcej raz na dobę, czasem rzadziej.',
    outlookByHand:
      'Ręcznie, w przeglądarce i w nowym Outlooku: w kalendarzu „Dodaj kalendarz”, „Subskrybuj z sieci Web”, ' +
      'wklej adres, „Importuj”. W klasycznym Outlooku dla Windows: „Dodaj kalendarz”, „Z Internetu”.',
    outlookElse: (scheme) =>
      `Jeśli przycisk powyżej otwiera Outlooka z adresem, który nie zaczyna się od ${inQuotes(scheme)}, wklej ten ` +
      'stąd. Outlook w przeglądarce sprawdza zmiany co kilka godzin, czasem dopiero po dobie.',
    apple: 'Kalendarz Apple',
    appleMac:
      'Przycisk powyżej otwiera Kalendarz na iPhonie, iPadzie i Macu. ' +
      'Ręcznie na Macu: Plik, Nowa subskrypcja kalendarza, wklej adres; ' +
      'jeśli jako położenie wybierzesz iCloud, kalendarz pojawi się też na innych Twoich urządzeniach.',
    applePhone:
      'Na iPhonie lub iPadzie, w Kalendarzu: Kalendarze, Dodaj kalendarz, a tam kalendarz subskrybowany. ' +
      'Albo w Ustawieniach: Aplikacje, Kalendarz, Konta kalendarza, Dodaj konto, Inne, a tam subskrypcja ' +
      'kalendarza (przed iOS 18: Kalendarz, Konta, Dodaj konto …).',
    others: 'Thunderbird, Android i inne',
    thunderbird: (asksForPassword) =>
      'Thunderbird: Nowy kalendarz, W sieci, wklej adres kalendarza, ' +
      `${asksForPassword ? 'wpisz nazwę użytkownika' : 'zaznacz, że nie wymaga on logowania'}, Znajdź ` +
      'kalendarze, Subskrybuj.',
    android:
      'Android: przez Kalendarz Google lub Outlooka, jak wyżej, albo w aplikacji, która subskrybuje ' +
      'kalendarze, na przykład ICSx⁵. Przyjmie go każdy program, który subskrybuje adresy iCalendar (.ics).',
  },
  coming: 'Najbliższe wydarzenia',
  nothingComing: 'Na razie nic się w nim nie zapowiada.',
  calledOff: 'Odwołane',
  until: (day) => `do ${day}`,
  events: (count, number) => `${number} ${EVENTS[PLURAL.select(count)] ?? 'wydarzeń'}`,
  toCome: 'przed nami',
  eventsUncounted: 'Wydarzenia',
  everything: 'wszystkie',
  or: 'lub',
  one: { categories: 'kategoria', tags: 'tag', venue: 'miejsce', organizer: 'organizator' },
  several: { categories: 'kategorie', tags: 'tagi', venue: 'miejsca', organizer: 'organizatorzy' },
  containing: (text) => `zawierające ${inQuotes(text)}`,
  featured: 'wyróżnione',
  featuredOnly: 'tylko wyróżnione',
  unfeaturedOnly: 'bez wyróżnionych',
  inLanguage: (name) => `język: ${name}`,
  free: 'wstęp wolny',
  time: {
    label: 'Dni',
    any: 'Wszystkie dni',
    shortcuts: {
      today: 'dzisiaj',
      tomorrow: 'jutro',
      weekend: 'w ten weekend',
      'seven-days': 'w najbliższych siedmiu dniach',
      'next-week': 'w przyszłym tygodniu',
    },
    on: (day) => `w dniu ${day}`,
    from: (day) => `od ${day}`,
    moves: 'Te dni przesuwają się razem z kalendarzem: co minęło, znika z kanału.',
  },
  span: (past, future) => `od ${past} dni wstecz do ${future} dni naprzód`,
  large: (megabytes) =>
    html`<strong>Ten kalendarz jest duży (${megabytes} MB).</strong>
Kalendarz Google może odrzucać kalendarze większe niż 1 MB; bezpieczniejszy będzie węższy wybór.`,
  lite: (address) => html`Jego ${safeLink({ href: address }, 'mały wariant')} pomija obrazki i formatowanie.`,
  narrower: 'Zmień, co zawiera',

  notFound: 'Nie ma takiego kalendarza',
  notFoundText: 'Pod tym adresem nic nie ma albo już tego nie ma.',
  theseThereAre: 'Dostępne są te kalendarze:',
  wrongAddress: 'Nie można odczytać tego adresu',
  missing: {
    categories: (name) => `W kalendarzu nie ma kategorii ${inQuotes(name)}.`,
    tags: (name) => `W kalendarzu nie ma tagu ${inQuotes(name)}.`,
    venue: (name) => `W kalendarzu nie ma miejsca ${inQuotes(name)}.`,
    organizer: (name) => `W kalendarzu nie ma organizatora ${inQuotes(name)}.`,
  },
  refused: (why) => `Kalendarz odrzuca to zapytanie: ${why}`,
  busy: 'Właśnie powstaje wiele kalendarzy. Spróbuj ponownie za minutę.',
  siteFails:
    'Nie można teraz utworzyć tego kalendarza: serwis nie odpowiada tak, jak powinien. Spróbuj ponownie później.',
  stale: (when) => `Serwis chwilowo nie odpowiada. Oto stan, jaki podawał ${when}; to samo otrzymują subskrybenci.`,

  nextOnly: (count) => `najbliższe wydarzenia (${count})`,

  badge: {
    label: 'kalendarz',
    checked: (ago) => `sprawdzono ${ago}`,
    some: (fresh, all) => `aktualne źródła: ${fresh} z ${all}`,
    silent: (ago) => `ostatnio sprawdzono ${ago}`,
    never: 'jeszcze nie sprawdzono',
    paused: 'obecnie niesprawdzany',
    none: 'prowadzony ręcznie',
    heading: 'Pokaż, jak jest aktualny',
    introduction: 'Obrazek na własną stronę, który mówi, kiedy ostatnio sprawdzono ten kalendarz. Zmienia się sam.',
    code: 'HTML na własną stronę',
  },

  doesItWork: 'Czy to działa?',
  testIntroduction: 'Ten test pobiera kalendarz tak, jak robią to programy, i mówi, co by się nie udało.',
  test: 'Sprawdź ten kalendarz',
  testAgain: 'Sprawdź ten kalendarz jeszcze raz',
  tested: 'Przed chwilą wykonano kilka testów; spróbuj ponownie za minutę.',
  right: 'Dobrze',
  wrong: 'Źle',
  checksRight: (count) => `Poprawne wyniki testów: ${count}`,
  verdicts: {
    all: [
      'Tak. Każdy program może go subskrybować.',
      'Sprawdzono przed chwilą, tak jak robią to Google, Outlook, Apple i Thunderbird.',
    ],
    most: ['Większość programów może go subskrybować.', 'Niektóre mogą ostrzec lub odmówić; oto dlaczego.'],
    local: [
      'Nie w Google ani w Outlooku w przeglądarce.',
      'Programy na tym komputerze lub w tej sieci mogą go subskrybować.',
    ],
    none: ['Nie. W tym stanie żaden program go nie zasubskrybuje.', 'Najpierw trzeba naprawić to.'],
  },
  findings: {
    answers: (status) => `Adres odpowiada kodem ${status}.`,
    leads: (status, where) =>
      `Adres odpowiada kodem ${status} i przekierowuje do ${where}: ustaw public_url w sekcji builtin na adres docelowy.`,
    nowhere: '(brak adresu)',
    reached: 'Adres jest dostępny i odpowiada kodem 200, bez przekierowań.',
    unreachable: (why) =>
      `Adres jest niedostępny: ${why}. Sprawdź public_url w sekcji builtin oraz to, co stoi między programem a siecią.`,
    type: 'Typ to text/calendar w UTF-8.',
    wrongType: (type) =>
      `Typ to ${inQuotes(type)}, a programy oczekują text/calendar; charset=utf-8. Coś po drodze go zmienia.`,
    noType: 'brak',
    noCookies: 'Nie ustawia plików cookie.',
    cookies: 'Coś po drodze ustawia plik cookie; niektóre programy sobie z tym nie radzą.',
    size: (kilobytes) => `Rozmiar (${kilobytes} kB) nie sprawi kłopotu żadnemu programowi.`,
    large: (megabytes) => `Ma ${megabytes} MB; Kalendarz Google może odrzucić więcej niż 1 MB.`,
    unread: 'Jest zbyt duży, aby go tu odczytać.',
    whole: 'Kalendarz jest kompletny.',
    cut: 'Nie zaczyna się od BEGIN:VCALENDAR albo jest ucięty: coś po drodze go zmienia.',
    readable: (events) => `Można go odczytać: ${events}.`,
    unreadable: (read, events, why) => `Nie można go dobrze odczytać: ${read} z ${events} wydarzeń. ${why}`,
    uids: 'Każde wydarzenie ma własny identyfikator (UID).',
    sameUids: 'Dwa wydarzenia mają ten sam UID.',
    zones: 'Każda strefa czasowa jest opisana.',
    noZones: (zones) => `Te strefy czasowe są użyte, ale nieopisane: ${zones}.`,
    again: 'Kto już go ma, dowiaduje się, że nic się nie zmieniło (304).',
    notAgain: (byTag, byDate) =>
      `Kto już go ma, dostaje go jeszcze raz (${byTag} przy ETag, ${byDate} przy dacie): coś po drodze usuwa ETag lub Last-Modified.`,
    packed: 'Kto chce, dostaje go skompresowanego.',
    notPacked: 'Nie jest wysyłany w postaci skompresowanej: coś po drodze to cofa.',
    isLocal:
      'Adres jest dostępny tylko na tym komputerze lub w tej sieci: Kalendarz Google i Outlook w przeglądarce do niego nie dotrą.',
    isHttp: 'Działa przez http: Kalendarz Apple ostrzega, a Outlook może odmówić. Udostępnij go przez https.',
    isBasic: 'Wymaga nazwy użytkownika i hasła: Kalendarz Google i Outlook w przeglądarce nie mogą ich podać.',
  },
};
