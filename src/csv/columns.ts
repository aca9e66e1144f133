import type { Parsed, Problem } from '../problem.ts';
import { fold } from './fold.ts';

/** What a column may hold. Dates may carry their time; times are then left out. */
export type ColumnField = keyof typeof ALIASES;

/** The columns (from 0) of each field; a field may have several, and their values are joined. */
export type Columns = ReadonlyMap<ColumnField, readonly number[]>;

// Headers as the exports of Google Calendar, Outlook, Eventbrite, Localist and The Events Calendar write them (contract notes 14.5), and the usual words
// of people's own tables, folded. Of a list, earlier ones win over later ones.
const ALIASES = {
  title: 'event name|subject|title|event title|summary|event|name|betreff|titel|veranstaltung|temat|tytul|nazwa|nazwa wydarzenia|wydarzenie|titre|objet|titulo|asunto|titolo|oggetto|onderwerp|nazev|predmet',
  description: 'event description|description|details|body|beschreibung|opis|descripcion|descricao|descrizione|omschrijving|popis',
  excerpt: 'event excerpt|excerpt|short description|kurzbeschreibung',
  start_date: 'event start date|start date|date from|start|starts|starts at|start date time|start datetime|event start|begins|dtstart|date|beginnt am|beginn|startdatum|datum|data rozpoczecia|poczatek|data|data i godzina rozpoczecia|date de debut|debut|fecha de inicio|fecha de comienzo|fecha|data inizio|data di inizio|begindatum|datum zahajeni|zacatek',
  start_time: 'event start time|start time|time|beginnt um|startzeit|uhrzeit|godzina rozpoczecia|czas rozpoczecia|godzina|heure de debut|heure|hora de inicio|hora de comienzo|hora|ora inizio|ora di inizio|ora|begintijd|tijd|cas zahajeni',
  end_date: 'event end date|end date|date to|end|ends|ends at|end date time|end datetime|event end|dtend|endet am|ende|enddatum|data zakonczenia|koniec|date de fin|fin|fecha de finalizacion|fecha de fin|data fine|data di fine|einddatum|datum ukonceni|konec',
  end_time: 'event end time|end time|endet um|endzeit|godzina zakonczenia|czas zakonczenia|heure de fin|hora de finalizacion|hora de fin|ora fine|ora di fine|eindtijd|cas ukonceni',
  all_day: 'all day event|all day|allday|ganztagiges ereignis|ganztagig|wydarzenie calodniowe|zdarzenie calodniowe|caly dzien|journee entiere|todo el dia|tutto il giorno|hele dag|celodenni udalost',
  timezone: 'event time zone|event timezone|timezone|time zone|tz|zeitzone|strefa czasowa|fuseau horaire|zona horaria|fuso orario|tijdzone',
  recurrence: 'recurrence|recurrence rule|rrule|repeat rule|wiederholung|wiederholungsregel|powtarzanie|regla de recurrencia|regle de recurrence|herhaling',
  exdates: 'exdate|exdates|excluded dates|exceptions|ausnahmen|wyjatki|uitzonderingen',
  venue: 'event venue name|venue name|event venue|venue|location|ort|veranstaltungsort|place|where|miejsce|lokalizacja|lieu|lugar|ubicacion|luogo|locatie|misto',
  address: 'venue address|address|street|adresse|adres|direccion|indirizzo',
  city: 'venue city|city|town|stadt|miasto|ville|ciudad|citta|stad|plaats|mesto',
  state: 'venue state province|venue state|state|province|bundesland|wojewodztwo',
  zip: 'venue zip|zip|zip code|postcode|postal code|plz|postleitzahl|kod pocztowy',
  country: 'venue country|country|land|kraj|pays|pais|paese',
  latitude: 'venue latitude|latitude|lat|geo lat|breitengrad|szerokosc geograficzna|latitud|latitudine|breedtegraad',
  longitude: 'venue longitude|longitude|lng|lon|long|geo lng|langengrad|dlugosc geograficzna|longitud|longitudine|lengtegraad',
  organizer: 'event organizer name s or id s|event organizer names or ids|event organizer name s|event organizer name|event organizer|organizer name|organizers|organizer|organiser|meeting organizer|besprechungsplanung|veranstalter|organizator|organisateur|organizador|organizzatore|department|group|host',
  categories: 'event category|event categories|categories|category|event types|event type|kategorien|kategorie|kategorii|kategoria|categorie|categoria|categorias',
  tags: 'event tags|tags|keywords|schlagworter|stichworter|tagi|etiquetas|etichette',
  cost: 'event cost|cost|price|ticket price|preis|eintritt|cena|koszt|prix|precio|prezzo|prijs',
  website: 'event website|website|event url|url|link|webseite|homepage|strona|strona www|site web|sitio web|sito web|ticket url',
  image: 'event featured image|featured image|image|image url|photo url|photo|bild|obraz|zdjecie|imagen|immagine|afbeelding',
  uid: 'uid|ical uid|external id|event id|id',
  status: 'event status|status',
  private: 'private|privat|prywatne|prive|privado|privato',
  sensitivity: 'sensitivity|vertraulichkeit|visibility',
  featured: 'feature event|featured|featured event',
  sticky: 'event sticky in month view|sticky in month view|sticky',
  hide_from_listings: 'hide event from event listings|hide from event listings|hide from listings|event hide',
  show_map: 'event show map|show map',
  show_map_link: 'event show map link|show map link',
} as const;

const NAMES = new Map(Object.entries(ALIASES).map(([field, names]) => [field, names.split('|')]));
/** Every field that a column may hold. */
export const COLUMN_FIELDS: readonly string[] = Object.keys(ALIASES);
const isColumnField = (field: string): field is ColumnField => NAMES.has(field);

/** Header → columns: those that the configuration names, for the other fields those whose headers are known. */
export function columnsOf(header: readonly string[], configured: Readonly<Record<string, string>>): Parsed<Columns> {
  const folded = header.map(fold);
  const problems: Problem[] = [];
  const columns = new Map<ColumnField, readonly number[]>();
  const claimed = new Set<number>();
  for (const [field, name] of Object.entries(configured)) {
    const found = configuredColumns(folded, name, claimed);
    if (!isColumnField(field)) problems.push(unknownField(field));
    else if (found.length === 0) problems.push(missingColumn(field, name, header));
    else columns.set(field, found);
    if (!isComposite(name)) for (const index of found) claimed.add(index);
  }
  for (const [field, names] of NAMES) {
    if (!isColumnField(field) || Object.hasOwn(configured, field)) continue;
    const found = indexesOf(folded, names, claimed);
    if (found.length > 0) columns.set(field, found);
    for (const index of found) claimed.add(index);
  }
  return { value: columns, problems };
}

/** The column of a name, or those of several with ` + ` between them; none where one is missing. */
function configuredColumns(folded: readonly string[], name: string, claimed: ReadonlySet<number>): readonly number[] {
  const whole = indexesOf(folded, [fold(name)], claimed);
  if (whole.length > 0 || !isComposite(name)) return whole;
  const parts = name.split(' + ').map((part) => indexesOf(folded, [fold(part)], new Set())[0]);
  return parts.flatMap((index) => (index === undefined ? [] : [index])).length === parts.length ? parts.flatMap((index) => index ?? []) : [];
}

/** Whether a configured column is made of several: `Name + Date`. */
export const isComposite = (name: string | undefined): boolean => name !== undefined && name.includes(' + ');

/** The columns of the first name that the header has; a header that is repeated gives several. */
function indexesOf(folded: readonly string[], names: readonly string[], claimed: ReadonlySet<number>): readonly number[] {
  for (const name of names) {
    const found = folded.flatMap((each, index) => (each === name && name !== '' && !claimed.has(index) ? [index] : []));
    if (found.length > 0) return found;
  }
  return [];
}

const unknownField = (field: string): Problem => ({
  code: 'column-field', message: `columns names the field "${field}", which no column can fill; there are ${[...NAMES.keys()].join(', ')}.`, where: { field: `columns.${field}` },
});
const missingColumn = (field: string, name: string, header: readonly string[]): Problem => ({
  code: 'column-missing', message: `The file has no column "${name}" for ${field}; its columns are ${header.map((each) => `"${each}"`).join(', ')}.`, where: { field: `columns.${field}`, row: 1 },
});
