import { quotedIn } from '../../look/words/quoted.ts';
import { safeLink } from '../../html/link.ts';
import { html } from '../../html/template.ts';
import type { PageWords } from './page-words.ts';

const inQuotes = quotedIn('de');

export const de: PageWords = {
  language: 'de',
  locale: 'de',
  feeds: 'Kalender zum Abonnieren',
  ownFeed: 'Eigenen Kalender zusammenstellen',
  copied: 'Adresse kopiert.',
  copyByHand: 'Mit Strg+C oder Cmd+C wird die markierte Adresse kopiert.',

  introduction:
    'Alle Termine im eigenen Kalender. Kommt hier etwas hinzu, wird verlegt oder abgesagt, zieht er von selbst nach.',
  none: html`Noch ist kein Kalender eingerichtet. Der Betreiber trägt sie unter <code>feeds:</code> in die Konfiguration ein.`,
  onlyWhatYouLike: 'Nur was gefällt',
  choose: 'Kategorien, Orte und Wörter wählen, und die Adresse dafür mitnehmen.',
  subscribe: 'Abonnieren',
  subscribeTo: (title) => `${title} abonnieren`,
  googleOutlookMore: 'Google, Outlook, weitere',
  morePrograms: (title) => `Google, Outlook, weitere: ${title}`,
  next: (title, when) => `Als Nächstes: ${title}, ${when}`,
  howItWorks: 'So geht es',
  steps: [
    'Auf dieser Seite einen Kalender aussuchen.',
    'Einmal auf die Schaltfläche des eigenen Programms drücken.',
    'Es fragt alle paar Stunden bis einmal am Tag nach Neuem. Abbestellen lässt er sich dort jederzeit.',
  ],
  by: {
    categories: 'Einzelne Kategorien',
    venue: 'Einzelne Orte',
    organizer: 'Einzelne Veranstalter',
    tags: 'Einzelne Schlagwörter',
  },
  further: (count, address) =>
    html`Und ${count} weitere, zur Auswahl beim ${safeLink({ href: address }, 'eigenen Kalender')}.`,
  local: html`<strong>Diese Adressen erreicht nur dieser Rechner.</strong>
Google und Outlook holen Kalender auf ihre eigenen Server und brauchen eine öffentliche Adresse;
Programme auf diesem Rechner funktionieren.`,

  chooseHere: 'Auswählen und gleich sehen, was darin ist. Ohne Auswahl ist es alles.',
  calendar: 'Kalender',
  text: 'Mit diesen Wörtern',
  eventLanguage: 'Sprache',
  allLanguages: 'Alle',
  howShown: 'Darstellung im eigenen Kalender',
  variant: 'Variante',
  variants: {
    full: 'Mit Bildern und formatierten Texten',
    lite: 'Klein: nur Text',
    google: 'Für Google Kalender: formatierte Texte',
  },
  cancelledEvents: 'Abgesagte Termine',
  cancelled: { keep: 'Als abgesagt gekennzeichnet', hide: 'Weggelassen', title: 'Auch im Titel genannt' },
  showResult: 'Termine und Adresse zeigen',
  result: 'Ergebnis',

  allFeeds: 'Alle Kalender',
  subscribeWith: 'Abonnieren mit',
  programs: {
    apple: ['Apple Kalender', 'öffnet sich auf iPhone, iPad und Mac'],
    google: ['Google Kalender', 'am Rechner: dort die Adresse einfügen'],
    outlookCom: ['Outlook.com', 'auch Hotmail und Live'],
    microsoft365: ['Microsoft 365', 'Outlook bei der Arbeit oder in der Schule'],
  },
  byHand: 'Von Hand, Schritt für Schritt',
  toPhone: 'Aufs Telefon',
  qrText: 'Mit der Kamera ansehen und dort auswählen. Passt auch auf ein Plakat.',
  qrAlt: 'QR-Code mit der Adresse dieser Seite',
  embed: 'Diese Liste auf der eigenen Seite',
  otherWays: 'Andere Wege',
  news: { rss: 'Als Nachrichten (RSS)', atom: 'Als Nachrichten (Atom)', json: 'Für Programme (JSON Feed)' },
  download: 'Einmal herunterladen (.ics)',
  table: 'Als Tabelle (.csv)',
  address: 'Adresse dieses Kalenders, für Thunderbird, Android und alle anderen',
  copy: 'Kopieren',
  secret: 'Diese Adresse ist geheim: Wer sie hat, kann den Kalender lesen. Bitte mit Bedacht weitergeben.',
  basic:
    'Er fragt nach Benutzer und Passwort. Google und Outlook im Web können sie nicht angeben, Apple Kalender und Thunderbird schon.',
  instructions: {
    google: 'Google Kalender',
    googleCopy: 'Die Adresse oben kopieren.',
    googleOpen: (link) => html`Am Rechner (die Apps fürs Telefon können es nicht) ${link} öffnen.`,
    googleLink: 'Google Kalender, „Per URL“',
    googlePaste:
      'Einfügen und „Kalender hinzufügen“ wählen. Er erscheint auch auf dem Telefon. Google sieht etwa einmal am Tag nach Änderungen, manchmal später.',
    outlookByHand:
      'Von Hand, im Web und im neuen Outlook: im Kalender „Kalender hinzufügen“, „Aus dem Internet ' +
      'abonnieren“, die Adresse einfügen, „Importieren“. Im klassischen Outlook für Windows: ' +
      '„Kalender hinzufügen“, „Aus dem Internet“.',
    outlookElse: (scheme) =>
      `Wo eine Schaltfläche oben Outlook mit einer Adresse öffnet, die nicht mit ${inQuotes(scheme)} beginnt, die von ` +
      'hier einfügen. Outlook im Web sieht alle paar Stunden nach Änderungen, manchmal erst nach einem Tag.',
    apple: 'Apple Kalender',
    appleMac:
      'Die Schaltfläche oben öffnet Kalender auf iPhone, iPad und Mac. ' +
      'Von Hand am Mac: Ablage, Neues Kalenderabonnement, die Adresse einfügen; ' +
      'mit iCloud als Ort erscheint er auch auf den anderen Geräten.',
    applePhone:
      'Auf iPhone oder iPad, in Kalender: Kalender, Kalender hinzufügen, dort ein Kalenderabo. ' +
      'Oder in den Einstellungen: Apps, Kalender, Kalenderaccounts, Account hinzufügen, Andere, dort ein ' +
      'Kalenderabo (vor iOS 18: Kalender, Accounts, Account hinzufügen …).',
    others: 'Thunderbird, Android und andere',
    thunderbird: (asksForPassword) =>
      'Thunderbird: Neuer Kalender, Im Netzwerk, die Adresse einfügen, ' +
      `${asksForPassword ? 'den Benutzer eintragen' : 'ankreuzen, dass keine Anmeldung nötig ist'}, Kalender ` +
      'suchen, Abonnieren.',
    android:
      'Android: über Google Kalender oder Outlook wie oben, oder mit einer App, die abonniert, etwa ICSx⁵. ' +
      'Jedes Programm, das Adressen von iCalendar (.ics) abonniert, nimmt ihn.',
  },
  coming: 'Nächste Termine',
  nothingComing: 'Darin steht nichts bevor.',
  calledOff: 'Abgesagt',
  until: (day) => `bis ${day}`,
  events: (count, number) => `${number} ${count === 1 ? 'Termin' : 'Termine'}`,
  toCome: 'stehen bevor',
  eventsUncounted: 'Termine',
  everything: 'alles',
  or: 'oder',
  one: { categories: 'Kategorie', tags: 'Schlagwort', venue: 'Ort', organizer: 'Veranstalter' },
  several: { categories: 'Kategorien', tags: 'Schlagwörter', venue: 'Orte', organizer: 'Veranstalter' },
  containing: (text) => `mit ${inQuotes(text)}`,
  featured: 'hervorgehoben',
  featuredOnly: 'nur hervorgehobene',
  unfeaturedOnly: 'ohne hervorgehobene',
  inLanguage: (name) => `Sprache: ${name}`,
  free: 'Eintritt frei',
  time: {
    label: 'Tage',
    any: 'Alle Tage',
    shortcuts: {
      today: 'heute',
      tomorrow: 'morgen',
      weekend: 'an diesem Wochenende',
      'seven-days': 'in den nächsten sieben Tagen',
      'next-week': 'nächste Woche',
    },
    on: (day) => `am ${day}`,
    from: (day) => `ab ${day}`,
    moves: 'Diese Tage wandern mit dem Kalender: Was vorbei ist, verlässt den Feed.',
  },
  span: (past, future) => `von vor ${past} Tagen bis in ${future} Tagen`,
  large: (megabytes) =>
    html`<strong>Dieser Kalender ist groß (${megabytes} MB).</strong> Google Kalender weist über 1 MB womöglich ab; eine engere Auswahl ist dort sicherer.`,
  lite: (address) =>
    html`Seine ${safeLink({ href: address }, 'kleine Variante')} lässt Bilder und formatierte Texte weg.`,
  narrower: 'Ändern, was darin ist',

  notFound: 'Diesen Kalender gibt es nicht',
  notFoundText: 'Unter dieser Adresse gibt es nichts oder nichts mehr.',
  theseThereAre: 'Es gibt diese Kalender:',
  wrongAddress: 'Diese Adresse ist nicht zu verstehen',
  missing: {
    categories: (name) => `Der Kalender hat keine Kategorie ${inQuotes(name)}.`,
    tags: (name) => `Der Kalender hat kein Schlagwort ${inQuotes(name)}.`,
    venue: (name) => `Der Kalender hat keinen Ort ${inQuotes(name)}.`,
    organizer: (name) => `Der Kalender hat keinen Veranstalter ${inQuotes(name)}.`,
  },
  refused: (why) => `Der Kalender weist die Anfrage ab: ${why}`,
  busy: 'Gerade entstehen viele Kalender. Bitte in einer Minute noch einmal versuchen.',
  siteFails:
    'Dieser Kalender lässt sich gerade nicht erstellen: Die Website antwortet nicht, wie sie sollte. Bitte später noch einmal versuchen.',
  stale: (when) => `Die Website antwortet gerade nicht. Dies zeigte sie ${when}; dasselbe bekommen die Abonnenten.`,

  nextOnly: (count) => `die nächsten ${count} Veranstaltungen`,

  badge: {
    label: 'Kalender',
    checked: (ago) => `geprüft ${ago}`,
    some: (fresh, all) => `${fresh} von ${all} Quellen aktuell`,
    silent: (ago) => `zuletzt geprüft ${ago}`,
    never: 'noch nicht geprüft',
    paused: 'wird zurzeit nicht geprüft',
    none: 'von Hand gepflegt',
    heading: 'Zeigen, wie aktuell er ist',
    introduction:
      'Ein Bild für die eigene Seite, das sagt, wann dieser Kalender zuletzt geprüft wurde. Es ändert sich von selbst.',
    code: 'HTML für die eigene Seite',
  },

  doesItWork: 'Funktioniert es?',
  testIntroduction: 'Dies holt den Kalender ab, wie es Kalenderprogramme tun, und sagt, was scheitern würde.',
  test: 'Diesen Kalender prüfen',
  testAgain: 'Diesen Kalender noch einmal prüfen',
  tested: 'Gerade wurde schon geprüft; in einer Minute geht es wieder.',
  right: 'Richtig',
  wrong: 'Falsch',
  checksRight: (count) => (count === 1 ? 'Eine Prüfung ist gut' : `${count} Prüfungen sind gut`),
  verdicts: {
    all: [
      'Ja. Jedes Kalenderprogramm kann ihn abonnieren.',
      'Gerade geprüft, wie Google, Outlook, Apple und Thunderbird es tun.',
    ],
    most: [
      'Die meisten Programme können ihn abonnieren.',
      'Manche warnen oder weisen ihn womöglich ab; das ist der Grund.',
    ],
    local: [
      'Nicht mit Google und Outlook im Web.',
      'Programme auf diesem Rechner oder in diesem Netz können ihn abonnieren.',
    ],
    none: ['Nein. So kann ihn kein Programm abonnieren.', 'Das muss zuerst in Ordnung gebracht werden.'],
  },
  findings: {
    answers: (status) => `Die Adresse antwortet mit ${status}.`,
    leads: (status, where) =>
      `Die Adresse antwortet mit ${status} und führt zu ${where}: public_url unter builtin auf die endgültige Adresse setzen.`,
    nowhere: 'nirgendwohin',
    reached: 'Die Adresse ist erreichbar und antwortet mit 200, ohne Umweg.',
    unreachable: (why) =>
      `Die Adresse ist nicht erreichbar: ${why}. public_url unter builtin prüfen, und was zwischen Programm und Netz steht.`,
    type: 'Er heißt text/calendar, in UTF-8.',
    wrongType: (type) =>
      `Er heißt ${inQuotes(type)}; Programme wollen text/calendar; charset=utf-8. Etwas dazwischen ändert das.`,
    noType: 'nichts',
    noCookies: 'Er setzt keine Cookies.',
    cookies: 'Etwas dazwischen setzt ein Cookie; manche Programme stolpern darüber.',
    size: (kilobytes) => `Seine Größe (${kilobytes} kB) ist für kein Programm ein Problem.`,
    large: (megabytes) => `Er hat ${megabytes} MB; Google Kalender weist mehr als 1 MB womöglich ab.`,
    unread: 'Er ist zu groß, um hier gelesen zu werden.',
    whole: 'Der Kalender ist vollständig.',
    cut: 'Er beginnt nicht mit BEGIN:VCALENDAR oder ist abgeschnitten: Etwas dazwischen ändert ihn.',
    readable: (events) => `Er ist lesbar: ${events}.`,
    unreadable: (read, events, why) => `Er ist nicht gut lesbar: ${read} von ${events} Terminen. ${why}`,
    uids: 'Jeder Termin hat seine eigene Kennung (UID).',
    sameUids: 'Zwei Termine haben dieselbe UID.',
    zones: 'Jede Zeitzone ist beschrieben.',
    noZones: (zones) => `Diese Zeitzonen sind genannt, aber nicht beschrieben: ${zones}.`,
    again: 'Wer ihn schon hat, erfährt das (304).',
    notAgain: (byTag, byDate) =>
      `Wer ihn schon hat, bekommt ihn noch einmal (${byTag} nach ETag, ${byDate} nach Datum): Etwas dazwischen lässt ETag oder Last-Modified weg.`,
    packed: 'Wer will, bekommt ihn komprimiert.',
    notPacked: 'Er kommt nicht komprimiert: Etwas dazwischen macht das rückgängig.',
    isLocal:
      'Nur dieser Rechner oder dieses Netz erreicht die Adresse: Google Kalender und Outlook im Web können es nicht.',
    isHttp: 'Er kommt über http: Apple Kalender warnt, Outlook lehnt womöglich ab. Besser über https anbieten.',
    isBasic: 'Er will Benutzer und Passwort: Google Kalender und Outlook im Web können sie nicht angeben.',
  },
};
