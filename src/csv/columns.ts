import { quoted } from './quoted.ts';
import type { Parsed, Problem } from '../problem.ts';
import { foldedWords } from '../ascii.ts';

/** What a column may hold. A date column may also contain times. */
export type ColumnField = keyof typeof ALIASES;

/** The columns (from 0) of each field; if a field has several, their values are joined. */
export type Columns = ReadonlyMap<ColumnField, readonly number[]>;

// Headers in exports of Google Calendar, Outlook, Eventbrite, Localist and The Events Calendar (contract notes 14.5),
// and common words from hand-made tables, folded, between bars and line ends. Earlier names win over later ones.
const ALIASES = {
  title: `
    event name|subject|title|event title|summary|event|betreff|titel|veranstaltung|temat|tytul|nazwa wydarzenia
    wydarzenie|titre|objet|titulo|asunto|titolo|oggetto|onderwerp|nazev|predmet|bezeichnung|veranstaltungstitel
    veranstaltungsname|name der veranstaltung|eventname|nom de l evenement|nom de l activite
    titre de l evenement|intitule|intitule de l evenement|evenement|manifestation|activite|nombre del evento
    titulo del evento|evento|actividad|tytul wydarzenia|nazwa imprezy|impreza|naam evenement|naam activiteit
    titel der veranstaltung|veranstaltung titel|titre de la manifestation|titre evenement
    activiteit|nome evento|name|nom|nombre|naam|nome|nazwa|was|what|wat|co|thema`,
  description: `
    event description|description|details|body|beschreibung|opis|descripcion|descricao|descrizione|omschrijving
    popis|text|info|infos|informationen|inhalt|details zur veranstaltung|resume|texte|descriptif|contenu
    detalles|informacion|texto|opis wydarzenia|szczegoly|tresc|beschrijving|tekst|toelichting|notes|note`,
  excerpt: `
    event excerpt|excerpt|short description|kurzbeschreibung|summary text|teaser|untertitel|subtitle|sous titre
    zajawka|samenvatting`,
  start_date: `
    event start date|start date|date from|start|starts|starts at|start date time|start datetime|event start|begins
    dtstart|beginnt am|beginn|startdatum|data rozpoczecia|poczatek|data i godzina rozpoczecia|date de debut|debut
    fecha de inicio|fecha de comienzo|data inizio|data di inizio|begindatum|datum zahajeni|zacatek|begin date
    start date and time|startdatum uhrzeit|when|wann|wanneer|kiedy|cuando|quand|von|datum von|anfang|anfangsdatum
    beginn datum|datum beginn|veranstaltungsdatum|event date|date debut|date et heure de debut|date de l evenement
    inicio|fecha inicio|fecha inicial|fecha y hora de inicio|fecha del evento|desde|data od|od|data poczatku
    data poczatkowa|data startu|data wydarzenia|startdatum en tijd|datum van|datum begin|begin|aanvang|van|from date
    startdate|startdatetime|start at|starts on|start datum|datum start|beginndatum|datum der veranstaltung|termin von
    termin od|date time|date and time|datetime|datum uhrzeit|datum und uhrzeit|datum zeit|date et heure|date heure
    fecha y hora|fecha hora|data i godzina|data godzina|data e ora|data ora|datum en tijd|datum tijd|date|datum|data
    fecha|termin|tag|jour|dia|dzien|day|dag|giorno|from|du`,
  start_time: `
    event start time|start time|beginnt um|startzeit|godzina rozpoczecia|czas rozpoczecia|heure de debut
    hora de inicio|hora de comienzo|ora inizio|ora di inizio|begintijd|cas zahajeni|begin time|beginn zeit
    beginn uhrzeit|uhrzeit von|uhrzeit beginn|anfangszeit|zeit von|von uhrzeit|heure debut|heure de commencement
    hora inicio|hora inicial|godz rozpoczecia|godzina od|starttijd|aanvangstijd|tijd van|tijd begin|begin tijd
    event time|starttime|start uhrzeit|startuhrzeit|anfangsuhrzeit|beginnzeit|veranstaltungszeit|heure de l evenement
    hora del evento|godzina wydarzenia|from time|time from|time|uhrzeit|zeit|godzina|godz|heure|hora|ora|tijd|czas|cas
    horaire|horaires|horario`,
  end_date: `
    event end date|end date|date to|end|ends|ends at|end date time|end datetime|event end|dtend|endet am|ende|enddatum
    data zakonczenia|koniec|date de fin|fin|fecha de finalizacion|fecha de fin|data fine|data di fine|einddatum
    datum ukonceni|konec|end date and time|bis|datum bis|ende datum|datum ende|endet|date fin|date et heure de fin
    jusqu au|enddate|enddatetime|end at|ends on|end datum|termin bis|termin do|fecha fin|fecha final|hasta|final
    data do|do|data konca|data koncowa|datum tot|datum einde|einde|tot|tot en met|slut|to date|finish|until|to|au`,
  end_time: `
    event end time|end time|endet um|endzeit|godzina zakonczenia|czas zakonczenia|heure de fin|hora de finalizacion
    hora de fin|ora fine|ora di fine|eindtijd|cas ukonceni|finish time|uhrzeit bis|uhrzeit ende|zeit bis|bis uhrzeit
    heure fin|hora fin|hora final|godz zakonczenia|godzina do|tijd tot|tijd einde|einde tijd|endtime|end uhrzeit
    enduhrzeit|endeuhrzeit|to time|time to`,
  duration: `
    duration|duration min|duration mins|duration minutes|duration in minutes|duration h|duration hrs|duration hours
    duration in hours|event duration|running time|dauer|dauer min|dauer minuten|dauer in minuten|dauer in min|dauer h
    dauer std|dauer stunden|dauer in stunden|spieldauer|duree|duree min|duree minutes|duree en minutes|duree h
    duree heures|duree en heures|duracion|duracion min|duracion minutos|duracion en minutos|duracion h|duracion horas
    duracion en horas|czas trwania|czas trwania min|czas trwania w minutach|duur|duur min|duur in minuten|duur in uren
    durata|durata min|trvani`,
  all_day: `
    all day event|all day|allday|ganztagiges ereignis|ganztagig|wydarzenie calodniowe|zdarzenie calodniowe
    caly dzien|journee entiere|todo el dia|tutto il giorno|hele dag|celodenni udalost|ganztags|toute la journee
    jour entier|todo el dia evento|calodniowe|hele dag evenement`,
  timezone: `
    event time zone|event timezone|timezone|time zone|tz|zeitzone|strefa czasowa|fuseau horaire|zona horaria
    fuso orario|tijdzone|zone`,
  recurrence: `
    recurrence|recurrence rule|rrule|repeat rule|wiederholung|wiederholungsregel|powtarzanie
    regla de recurrencia|regle de recurrence|herhaling|powtarzanie wydarzenia|rrule string`,
  exdates: 'exdate|exdates|excluded dates|exceptions|ausnahmen|wyjatki|uitzonderingen',
  venue: `
    event venue name|venue name|event venue|venue|location|veranstaltungsort|spielort|veranstaltungsstatte|ort|place
    where|miejsce|lokalizacja|lieu|lugar|ubicacion|luogo|locatie|misto|wo|veranstaltungsraum|raum|saal
    location name|venue place|ou|lieu de l evenement|salle|endroit|lugar del evento|sede|recinto|donde|sitio
    miejsce wydarzenia|gdzie|sala|obiekt|plaats van evenement|waar|zaal|room|hall`,
  address: `
    venue address|address|street|adresse|adres|direccion|indirizzo|anschrift|strasse|strasse und hausnummer
    location address|adresse postale|adresse du lieu|rue|domicilio|calle|ulica|adres miejsca|straat`,
  city: `
    venue city|city|town|stadt|miasto|ville|ciudad|citta|stad|plaats|mesto|gemeinde|ort name|commune|localidad
    municipio|miejscowosc|gmina|gemeente|woonplaats|ort`,
  state: 'venue state province|venue state|state|province|bundesland|wojewodztwo',
  zip: 'venue zip|zip|zip code|postcode|postal code|plz|postleitzahl|kod pocztowy|code postal|codigo postal|cp',
  country: 'venue country|country|land|kraj|pays|pais|paese',
  latitude: 'venue latitude|latitude|lat|geo lat|breitengrad|szerokosc geograficzna|latitud|latitudine|breedtegraad',
  longitude: `
    venue longitude|longitude|lng|lon|long|geo lng|langengrad|dlugosc geograficzna|longitud|longitudine
    lengtegraad`,
  organizer: `
    event organizer name s or id s|event organizer names or ids|event organizer name s|event organizer name
    event organizer|organizer name|organizers|organizer|organiser|meeting organizer|besprechungsplanung
    veranstalter|organizator|organisateur|organizador|organizzatore|department|group|host|ausrichter
    organisation|organisator|organizer s|organise par|organiser name|organizadora|organizacion|organizuje
    organizatorzy|organisatie|organised by|contact organisation`,
  categories: `
    event category|event categories|categories|category|event types|event type|kategorien|kategorie|kategorii
    kategoria|categorie|categoria|categorias|rubrik|rubriken|art|art der veranstaltung|sparte|type
    type d evenement|theme|thematique|categories evenement|tipo|tipo de evento|tematica|rodzaj|typ
    typ wydarzenia|soort|rubriek|genre`,
  tags: `
    event tags|tags|keywords|schlagworter|stichworter|tagi|etiquetas|etichette|schlagwort|stichwort|tag s
    mots cles|mot cle|palabras clave|slowa kluczowe|trefwoorden|labels`,
  cost: `
    event cost|cost|price|ticket price|preis|eintritt|cena|koszt|prix|precio|prezzo|prijs|kosten|eintrittspreis
    preise|tarif|tarifs|prix d entree|cout|coste|costo|entrada|precios|tarifa|bilety|cena biletu|oplata|wstep
    toegangsprijs|toegang|entree|admission|tickets|fee`,
  website: `
    event website|website|event url|url|link|webseite|homepage|strona|strona www|site web|sitio web|sito web
    ticket url|web|webadresse|internet|internetadresse|weblink|more info|lien|site internet|adresse internet
    pagina web|enlace|web del evento|adres www|odnosnik|link do wydarzenia|webadres|homepage url|permalink`,
  image: `
    event featured image|featured image|image|image url|photo url|photo|bild|obraz|zdjecie|imagen|immagine
    afbeelding|bild url|bilder|foto|image a la une|affiche|imagen url|cartel|grafika|plakat|afbeelding url
    picture`,
  uid: `
    uid|ical uid|external id|event id|uuid|guid|eventid|event uid|unique id|identifier|veranstaltungs id
    termin id|identifiant|identificador|identyfikator|kennung|id`,
  status: 'event status|status|event state|reservation status|veranstaltungsstatus|statut|estado|stan',
  cancelled: `
    cancelled|canceled|is cancelled|is canceled|event cancelled|event canceled|abgesagt|fallt aus|annule|cancelado
    cancelada|annullato|odwolane|afgelast|geannuleerd`,
  private: 'private|privat|prywatne|prive|privado|privato|vertraulich|confidentiel',
  sensitivity: 'sensitivity|vertraulichkeit|visibility',
  featured: 'feature event|featured|featured event',
  sticky: 'event sticky in month view|sticky in month view|sticky',
  hide_from_listings: 'hide event from event listings|hide from event listings|hide from listings|event hide',
  show_map: 'event show map|show map',
  show_map_link: 'event show map link|show map link',
} as const;

const NAMES = new Map(Object.entries(ALIASES).map(([field, names]) => [field, names.trim().split(/\s*[|\n]\s*/)]));
/** Every field that a column may hold. */
export const COLUMN_FIELDS: readonly string[] = Object.keys(ALIASES);
/**
 * What decides that a row is an event, which one, when it is, and whether it is shown: where a value cannot be read or
 * the column is gone, an event would be shown or removed by mistake.
 */
export const DECIDING_FIELDS = [
  'title',
  'start_date',
  'start_time',
  'end_date',
  'end_time',
  'duration',
  'all_day',
  'timezone',
  'recurrence',
  'exdates',
  'uid',
  'private',
  'sensitivity',
  'status',
  'cancelled',
] as const satisfies readonly ColumnField[];

const isColumnField = (field: string): field is ColumnField => NAMES.has(field);

/** Maps a header to columns: the configured ones, then those whose names are known. `row` is the header's position. */
export function columnsOf(
  header: readonly string[],
  configured: Readonly<Record<string, string>>,
  row = 1,
): Parsed<Columns> {
  const folded = indexed(header);
  const problems: Problem[] = [];
  const columns = new Map<ColumnField, readonly number[]>();
  const claimed = new Set<number>();
  const claim = (indexes: readonly number[]): void => {
    for (const index of indexes) claimed.add(index);
  };
  for (const [field, name] of Object.entries(configured)) {
    const found = configuredColumns(folded, name, claimed);
    if (!isColumnField(field)) problems.push(unknownField(field));
    else if (found.length > 0) columns.set(field, found);
    else if (!isNone(name)) problems.push(missingColumn(field, name, header, row));
    if (!isComposite(name)) claim(found);
  }
  for (const [field, names] of NAMES) {
    if (!isColumnField(field) || Object.hasOwn(configured, field)) continue;
    const found = indexesOf(folded, names, claimed);
    if (found.length > 0) columns.set(field, found);
    claim(found);
  }
  return { value: columns, problems };
}

/** `columns: { categories: none }`: the field stays empty, whatever the header says. */
const isNone = (name: string): boolean => name === 'none';

/** Where a header stands among the known names of a field, of which earlier ones win; -1 if it is none of them. */
export const rankAmongNames = (field: ColumnField, name: string): number =>
  NAMES.get(field)?.indexOf(foldedWords(name)) ?? -1;

/** Whether a header is one of the known names of a field. */
export const isNameOf = (field: ColumnField, name: string): boolean => rankAmongNames(field, name) >= 0;

/** Whether the cells of a row are column names, including title and start. */
export function isHeader(cells: readonly string[], configured: Readonly<Record<string, string>>): boolean {
  const { value: columns } = columnsOf(cells, configured);
  return columns.has('title') && columns.has('start_date');
}

/** Headers of date columns in tables whose times are in other columns. */
export const DAY_NAMES: readonly string[] = [
  'date',
  'datum',
  'data',
  'fecha',
  'termin',
  'tag',
  'jour',
  'dia',
  'dzien',
  'day',
  'dag',
  'giorno',
];

/** Columns by folded name. */
type Indexed = ReadonlyMap<string, readonly number[]>;

function indexed(header: readonly string[]): Indexed {
  const columns = new Map<string, number[]>();
  for (const [index, name] of header.entries()) {
    const folded = foldedWords(name);
    const known = columns.get(folded);
    if (known) known.push(index);
    else if (folded !== '') columns.set(folded, [index]);
  }
  return columns;
}

/** The column with a name, or several joined by ` + `; none if one of them is missing. */
function configuredColumns(folded: Indexed, name: string, claimed: ReadonlySet<number>): readonly number[] {
  const whole = indexesOf(folded, [foldedWords(name)], claimed);
  if (whole.length > 0 || !isComposite(name)) return whole;
  const parts = name.split(' + ').map((part) => indexesOf(folded, [foldedWords(part)], new Set())[0]);
  return parts.flatMap((index) => (index === undefined ? [] : [index])).length === parts.length
    ? parts.flatMap((index) => index ?? [])
    : [];
}

/** Whether a configured column combines several: `Name + Date`. */
export const isComposite = (name: string | undefined): boolean => name !== undefined && name.includes(' + ');

/** The columns of the first name found in the header; several if the header repeats it. */
function indexesOf(folded: Indexed, names: readonly string[], claimed: ReadonlySet<number>): readonly number[] {
  for (const name of names) {
    const found = folded.get(name)?.filter((index) => !claimed.has(index)) ?? [];
    if (found.length > 0) return found;
  }
  return [];
}

/** The names of a file's columns for a sentence; only the first ones if there are many. */
export function namesInWords(header: readonly string[]): string {
  const named = header.slice(0, NAMES_SHOWN).map(quoted).join(', ');
  return header.length > NAMES_SHOWN ? `${named} and ${header.length - NAMES_SHOWN} more` : named;
}

const NAMES_SHOWN = 40;

const unknownField = (field: string): Problem => ({
  code: 'column-field',
  message: `columns names the field "${field}", which does not exist; the fields are ${[...NAMES.keys()].join(', ')}.`,
  where: { field: `columns.${field}` },
});
const missingColumn = (field: string, name: string, header: readonly string[], row: number): Problem => ({
  code: 'column-missing',
  message: `The file has no column "${name}" for ${field}; its columns are ${namesInWords(header)}.`,
  where: { field: `columns.${field}`, row },
});
