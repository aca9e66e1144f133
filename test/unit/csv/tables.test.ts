import { describe, expect, it, test } from 'vitest';
import { foldedWords } from '../../../src/ascii.ts';
import { NAMES_OF } from '../../../src/csv/column-names.ts';
import { parseFeed } from '../../../src/run/parse/parse-feed.ts';
import type { DraftSettings, FeedReading } from '../../../src/sync/model/draft.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';

// Tables as spreadsheets, portals and people make them, from bytes to drafts.

const SETTINGS: DraftSettings = { ...DRAFT_SETTINGS, window: { from: Date.UTC(2026, 0, 1), to: Date.UTC(2029, 0, 1) } };

function reading(text: string | Uint8Array, settings: Partial<DraftSettings> = {}): FeedReading {
  const output = parseFeed({
    bytes: Buffer.from(text as string),
    contentType: 'text/csv',
    format: 'csv',
    settings: { ...SETTINGS, ...settings },
  });
  if (output.kind === 'notAFeed') throw new Error(output.problem.message);
  return output.reading;
}
const shown = (text: string | Uint8Array, settings: Partial<DraftSettings> = {}) =>
  reading(text, settings).drafts.map(
    ({ fields: { title, start_date: start, end_date: end, all_day: allDay } }) =>
      `${title} ${allDay ? start.slice(0, 10) : start.slice(0, 16)} ${allDay ? end.slice(0, 10) : end.slice(0, 16)}`,
  );
const table = (...dates: string[]): string =>
  `Title,Start\n${dates.map((date, index) => `E${index},${date}`).join('\n')}`;
const JAZZ = ['Jazz 2027-01-05 19:00 2027-01-05 21:00'];

describe('one event is read from', () => {
  it.each<[string, string | Uint8Array]>([
    [
      'Excel, Unicode text',
      Buffer.from('\uFEFFTitel\tDatum\tUhrzeit\tUhrzeit bis\r\nJazz\t05.01.2027\t19:00\t21:00\r\n', 'utf16le'),
    ],
    [
      'Excel in Germany',
      Buffer.from(
        'Titel;Beginn;Ende;Preis;Stra\xdfe\r\nJazz;05.01.2027 19:00;05.01.2027 21:00;12,50;Am B\xfchl\r\n',
        'latin1',
      ),
    ],
    ['Excel with a sep= line', 'sep=;\r\nTitel;Beginn;Ende\r\nJazz;05.01.2027 19:00;05.01.2027 21:00\r\n'],
    ['Excel with serial numbers', 'Title,Start,End\nJazz,46392.791666667,46392.875\n'],
    ['Excel with serial numbers and decimal commas', 'Titel;Beginn;Ende\nJazz;46392,791666667;46392,875\n'],
    ['Excel with texts written as formulas', 'Title,Date,Start,End\n"=""Jazz""","=""2027-01-05""",="19:00",="21:00"\n'],
    ['Google Sheets', '\uFEFFTitle,Start date,Start time,End time\nJazz,1/5/2027,7:00 PM,9:00 PM\nTalk,1/25/2027,,\n'],
    [
      'a portal with a title above the header',
      'Veranstaltungen 2027;;\nStand: 1.12.2026, 15:00;;\n;;\nTitel;Datum;Uhrzeit\nJazz;05.01.2027;19–21 Uhr\n',
    ],
    [
      'a portal with lines of text above the header',
      '"Events, Spring 2027"\n\nTitle,Start date,Start time,End time\nJazz,2027-01-05,19:00,21:00\n',
    ],
    ['Notion', 'Name,Date\nJazz,"January 5, 2027 7:00 PM → 9:00 PM"\n'],
    ['Notion with a zone', 'Name,Date\nJazz,"January 5, 2027 7:00 PM (GMT+1) → 9:00 PM"\n'],
    ['Notion with dates at both ends', 'Name,Date\nJazz,"2027/01/05 19:00 → 2027/01/05 21:00"\n'],
    [
      'Outlook in French',
      'Objet,Début,Début,Fin,Fin,Journée entière\nJazz,05/01/2027,19:00:00,05/01/2027,21:00:00,Faux\nBal,25/01/2027,20:00:00,,,\n',
    ],
    [
      'a program with headers in camel case',
      'eventName,eventStart,eventEnd\nJazz,2027-01-05T19:00:00,2027-01-05T21:00:00\n',
    ],
    [
      'a database in German',
      'titel;beginn_datum;beginn_uhrzeit;ende_datum;ende_uhrzeit\nJazz;05.01.2027;19:00;05.01.2027;21:00\n',
    ],
    [
      'a sheet in Dutch with two words for each time',
      'Titel;Start datum;Start tijd;Einde datum;Einde tijd\nJazz;05.01.2027;19:00;05.01.2027;21:00\n',
    ],
    [
      'a sheet in Swedish with two words for each time',
      'Rubrik;Start datum;Start tid;Slut datum;Slut tid\nJazz;05.01.2027;19:00;05.01.2027;21:00\n',
    ],
    [
      'a sheet in French with three words for each time',
      'Titre;Jour de début;Horaire de début;Jour de fin;Horaire de fin\nJazz;05.01.2027;19:00;05.01.2027;21:00\n',
    ],
    ['a form that asks for repetitions', 'Title,Start,End,Recurrence\nJazz,2027-01-05 19:00,2027-01-05 21:00,No\n'],
    [
      'a form in German that asks for repetitions',
      'Titel;Beginn;Ende;Wiederholung\nJazz;05.01.2027 19:00;05.01.2027 21:00;einmalig\n',
    ],
    ['Excel in France', 'Intitulé;Date;Heure;Fin\nJazz;05/01/2027;19:00;21:00\n'],
    ['a cinema in France', 'Film;Date;Séance\nJazz;05/01/2027;19h00 - 21h00\n'],
    ['a word processor', 'Title,Date,Start,End\nJazz,2027\u201101\u201105,19:00,21:00\n'],
    ['a programme with a bar between date and time', 'Titel;Termin;Ende\nJazz;Di. 05.01.2027 | 19 Uhr;21 Uhr\n'],
    ['times in Spanish', 'Título;Fecha;Hora\nJazz;05/01/2027;de 19:00 a 21:00 horas\nBaile;25/01/2027;20 horas\n'],
    [
      'Excel with times on its day zero, 30 December 1899',
      'Titel;Datum;Beginn;Ende\nJazz;05.01.2027 00:00:00;30.12.1899 19:00;30.12.1899 21:00\n',
    ],
    ['Excel with times on 0 January 1900', 'Title,Date,Start,End\nJazz,2027-01-05,1/0/1900 19:00,1/0/1900 21:00\n'],
    [
      'a sheet with two header rows',
      ';Beginn;;Ende;\nTitel;Datum;Uhrzeit;Datum;Uhrzeit\nJazz;05.01.2027;19:00;05.01.2027;21:00\n',
    ],
    [
      'a form in German with formats in its headers',
      'Titel *;Datum (TT.MM.JJJJ) *;Beginn (HH:MM);Ende (HH:MM)\nJazz;05.01.2027;19:00;21:00\n',
    ],
    [
      'a form in English with formats in its headers',
      'Title,Date (DD/MM/YYYY),Start time (24h),End time (optional)\nJazz,05/01/2027,19:00,21:00\n',
    ],
    [
      'a form in the United States with formats in its headers',
      'Title,Date (mm/dd/yyyy),Start time,End time\nJazz,01/05/2027,7:00 PM,9:00 PM\n',
    ],
    [
      'a start time with that of the doors',
      'Titel;Datum;Beginn;Ende\nJazz;05.01.2027;19 Uhr (Einlass 18 Uhr);21:00 (ca.)\n',
    ],
    ['a date and whole hours', 'Datum;Uhrzeit;Bis;Titel\n05.01.2027;19;21;Jazz\n'],
    ['a date, and a start and an end in whole hours', 'Datum;Beginn;Ende;Titel\n05.01.2027;19;21;Jazz\n'],
    ['a date, and two whole hours in one cell', 'Titel;Datum;Uhrzeit\nJazz;05.01.2027;19–21\n'],
    ['a date, and a start and an end without one', 'Datum;Beginn;Ende;Titel\nDi, 05.01.2027;19:00;21:00;Jazz\n'],
    [
      'a start date, a start that is a time, and an end',
      'Veranstaltung;Datum von;Anfang;Bis\nJazz;05.01.2027;19 Uhr;21 Uhr\n',
    ],
    [
      'two dates and two times',
      'Titel;Datum von;Datum bis;Beginn;Ende\nJazz;05.01.2027;05.01.2027;19:00;21:00\nMarkt;06.01.2027;08.01.2027;9:00;18:00\n',
    ],
    ['dates from and to, and times of start and end', 'Titel;Von;Bis;Beginn;Ende\nJazz;05.01.2027;;19 Uhr;21 Uhr\n'],
    [
      'a publication date and an event date',
      'Date,Event date,Start,End,Title\n2026-12-01,2027-01-05,19:00,21:00,Jazz\n',
    ],
    ['times that include their dates', 'Start Time,End Time,Title\n2027-01-05 19:00,2027-01-05 21:00,Jazz\n'],
    ['an event date and event times', 'Event Date,Event Time,End Time,Event\n2027-01-05,7:00 PM,9:00 PM,Jazz\n'],
    [
      'another program with headers in camel case',
      'startDate,endDate,name\n2027-01-05T19:00:00,2027-01-05T21:00:00,Jazz\n',
    ],
    ['headers in snake case', 'start_at,end_at,title\n2027-01-05 19:00,2027-01-05 21:00,Jazz\n'],
    ['date and times in one cell', 'Datum/Uhrzeit;Titel der Veranstaltung\n05.01.2027 19:00-21:00;Jazz\n'],
    [
      'a start date and a start time in German',
      'Anfangsdatum;Anfangsuhrzeit;Enduhrzeit;Titel\n05.01.2027;19:00;21:00;Jazz\n',
    ],
    ['times in Czech', 'Datum;Čas;Čas ukončení;Název\n05.01.2027;19:00;21:00;Jazz\n'],
    ['a date, and times from and to', 'Date,From,To,Title\n2027-01-05,19:00,21:00,Jazz\n'],
    ['a date, and times from and to in French', 'Date;Du;Au;Titre\n05/01/2027;19h;21h;Jazz\n25/01/2027;;;Bal\n'],
    [
      'answers to a Microsoft form',
      [
        'ID,Start time,Completion time,Email,Name,Event title,Event date,Event start time,Event end time',
        '1,12/1/2026 10:00:00,12/1/2026 10:05:00,a@b.example,Ann,Jazz,1/5/2027,7:00 PM,9:00 PM',
        '2,12/1/2026 10:00:00,12/1/2026 10:05:00,a@b.example,Ann,Talk,1/25/2027,7:00 PM,9:00 PM',
      ].join('\n'),
    ],
    [
      'answers to a Microsoft form in German',
      [
        'ID;Startzeit;Fertigstellungszeit;E-Mail;Name;Titel;Datum;Beginn;Ende',
        '1;01.12.2026 10:00:00;01.12.2026 10:05:00;anonymous;;Jazz;05.01.2027;19:00;21:00',
      ].join('\n'),
    ],
    [
      'answers to a Microsoft form in Spanish',
      [
        'Id;Hora de inicio;Hora de finalización;Correo electrónico;Nombre;Evento;Fecha;Hora',
        '1;2026-12-01 10:00;2026-12-01 10:05;a@b.example;Ana;Jazz;2027-01-05;19:00-21:00',
      ].join('\n'),
    ],
    [
      'answers to a Google form',
      'Zeitstempel;E-Mail-Adresse;Name der Veranstaltung;Datum;Beginn;Ende\n01.12.2026 10:00:00;a@b.example;Jazz;05.01.2027;19:00:00;21:00:00\n',
    ],
    [
      'times that look like those of a Microsoft form in French',
      'ID,Heure de début,Heure de fin,Date,Nom\n1,19h,21h,2027-01-05,Jazz\n',
    ],
    [
      'times that look like those of a Microsoft form',
      'ID,Start time,End time,Date,Name\n1,19:00,21:00,2027-01-05,Jazz\n',
    ],
    ['quoted cells with p.m.', 'Title,Start,End\r\n"Jazz","2027-01-05 7:00 p.m.","2027-01-05 9:00 p.m."\r\n'],
  ])('%s', (_, bytes) => expect(shown(bytes).slice(0, 1)).toEqual(JAZZ));
});

describe('headers in other languages', () => {
  it.each([
    'Veranstaltung;Von;Bis;Ort;Eintritt',
    'Bezeichnung;Datum von;Datum bis;Veranstaltungsort;Kosten',
    'Name der Veranstaltung;Startdatum;Enddatum;Spielort;Eintrittspreis',
    'Was;Wann;Bis;Wo;Preis',
    "Nom de l'événement;Date de début;Date de fin;Lieu;Tarif",
    "Titre de l'événement;Date début;Date fin;Salle;Prix",
    'Intitulé;Début;Fin;Lieu;Entrée',
    'Nombre del evento;Fecha de inicio;Fecha de fin;Lugar;Precio',
    'Evento;Inicio;Fin;Ubicación;Entrada',
    'Actividad;Fecha inicio;Fecha fin;Recinto;Coste',
    'Nazwa wydarzenia;Data rozpoczęcia;Data zakończenia;Miejsce;Cena biletu',
    'Tytuł;Od;Do;Lokalizacja;Bilety',
    'Impreza;Data od;Data do;Sala;Wstęp',
    'Naam evenement;Startdatum;Einddatum;Locatie;Prijs',
    'Evenement;Begin;Einde;Zaal;Toegang',
    'Activiteit;Datum van;Datum tot;Waar;Kosten',
    'Anlass;Von;Bis;Lokalität;Eintritt',
    'Kurs;Beginn;Ende;Treffpunkt;Gebühr',
    'Spectacle;Début;Fin;Lieu;Tarif',
    'Name of the event,Starts,Ends,Location of event,Entry fee',
    'Course,From,To,Room,Fee',
    'What,Begins,Ends,Where,Price',
    'Title,From,To,Venue,Cost',
    'Title,From date,Until,Venue,Cost',
    'Event title,Event starts,Event ends,Event location,Event price',
    'eventTitle,eventStartsAt,eventEndsAt,eventLocation,eventPrice',
  ])('%s', (header) => {
    const cells = ['Jazz', '2027-01-05 19:00', '2027-01-05 21:00', 'Hall', '5'];
    const { drafts, problems } = reading(`${header}\n${cells.join(header.includes(';') ? ';' : ',')}\n`);
    expect([shown(`${header}\n${cells.join(header.includes(';') ? ';' : ',')}\n`), problems]).toEqual([JAZZ, []]);
    expect(drafts[0]!.fields).toMatchObject({ venue: [{ venue: 'Hall' }], cost: '5' });
  });

  test('the date and the time of the end may each have a column', () => {
    expect(shown('Titel;Startdatum;Enddatum;Beginn;Ende\nMarkt;06.01.2027;08.01.2027;9:00;18:00')).toEqual([
      'Markt 2027-01-06 09:00 2027-01-08 18:00',
    ]);
  });
  test('a column Ort is the town if another one is the venue', () => {
    const placesOf = (header: string) => {
      const { drafts } = reading(`Titel;Datum;${header}\nJazz;05.01.2027;Stadthalle;12345;Berlin`);
      return drafts[0]?.fields.venue;
    };
    const hall = { venue: 'Stadthalle', zip: '12345', city: 'Berlin' };
    expect(placesOf('Veranstaltungsort;PLZ;Ort')).toEqual([hall]);
    expect(placesOf('Location;PLZ;Ort')).toEqual([hall]);
    expect(placesOf('Ort;PLZ;Stadt')).toEqual([hall]);
  });
  test('a whole hour is a time if another row shows the 24-hour clock', () => {
    const hours = (...cells: readonly string[]) =>
      shown(`Title,Date,Time\n${cells.map((cell) => `E,2027-01-05,${cell}`).join('\n')}`);
    expect(hours('7')).toEqual([]);
    expect(hours('7', '7:30', '31')).toEqual(['E 2027-01-05 07:30 2027-01-05 07:30']);
    expect(hours('9', '14:30', '0')).toEqual([
      'E 2027-01-05 09:00 2027-01-05 09:00',
      'E 2027-01-05 14:30 2027-01-05 14:30',
      'E 2027-01-05 00:00 2027-01-05 00:00',
    ]);
  });
  test.each(['NULL', '(null)', 'null', 'NaN', 'NaT', 'None', 'n/a', '–'])(
    '%s is an empty value, as programs write it',
    (none) => {
      const rows = `Jazz,2027-01-05 19:00,${none},${none}\nTalk,2027-01-05 19:00,2027-01-05 21:00,Hall`;
      const { drafts, problems } = reading(`Title,Start,End,Venue\n${rows}`);
      expect([drafts.map(({ fields }) => fields.venue), problems]).toEqual([[[], [{ venue: 'Hall' }]], []]);
    },
  );
  test('a time “till late” has no known end', () => {
    expect(shown('Title,Date,Time\nE,2027-01-05,7:30pm till late')).toEqual(['E 2027-01-05 19:30 2027-01-05 19:30']);
  });
  test('a time with a zone abbreviation is not read as local time', () => {
    expect(shown('Title,Date,Time\nE,2027-01-05,19:30 (EST)')).toEqual([]);
  });
  test('a configured column is the one with exactly that name', () => {
    const text = 'Title (DD/MM),Title (MM/DD),Date\nA,B,2027-01-05';
    expect(shown(text, { columns: { title: 'Title (MM/DD)' } })).toEqual(['B 2027-01-05 2027-01-05']);
  });
  test('the places from and to which a trip goes are not times', () => {
    expect(shown('Title,Date,Time,From,To\nTrip,2027-01-05,19:00,Berlin,Potsdam')).toEqual([
      'Trip 2027-01-05 19:00 2027-01-05 19:00',
    ]);
    expect(shown('Title,Date,From,To\nTrip,2027-01-05,Berlin,Potsdam')).toEqual(['Trip 2027-01-05 2027-01-05']);
  });
  test('a field that was recognized wrongly can be configured to have no column', () => {
    const typed = 'Title,Start,Type\nJazz,2027-01-05,internal';
    expect(reading(typed).drafts[0]!.fields.categories).toEqual(['internal']);
    expect(reading(typed, { columns: { categories: 'none' } })).toMatchObject({
      drafts: [{ fields: expect.not.objectContaining({ categories: expect.anything() }) }],
      problems: [],
    });
  });
});

describe('tables in', () => {
  const FACTS = 'Folkets Hus;Storgatan 1;Umeå;Swing;https://jazz.example/1;Jazzklubben;Musik;120 kr';
  it.each<[string, string, string, string]>([
    [
      'Swedish',
      'Rubrik;Startdatum;Starttid;Slutdatum;Sluttid',
      'Jazz;2027-01-05;19.00;2027-01-05;21.00',
      'Plats;Adress;Ort;Beskrivning;Länk;Arrangör;Kategori;Pris',
    ],
    [
      'Swedish, a date and two times',
      'Evenemang;Datum;Tid',
      'Jazz;tis 5 januari 2027;kl. 19–21',
      'Lokal;Gatuadress;Ort;Information;Webbplats;Förening;Kategori;Entré',
    ],
    [
      'Danish',
      'Arrangement;Startdato;Starttidspunkt;Slutdato;Sluttidspunkt',
      'Jazz;05-01-2027;19:00;05-01-2027;21:00',
      'Sted;Adresse;By;Beskrivelse;Hjemmeside;Arrangør;Kategori;Billetpris',
    ],
    [
      'Danish, from and to',
      'Titel;Dato;Fra;Til',
      'Jazz;tirsdag d. 5. januar 2027;19.00;21.00',
      'Spillested;Adresse;By;Beskrivelse;Link;Forening;Type;Entré',
    ],
    [
      'Norwegian',
      'Tittel;Dato;Klokkeslett;Slutter',
      'Jazz;05.01.2027;19.00;21.00',
      'Sted;Adresse;Poststed;Omtale;Nettside;Arrangør;Kategori;Billettpris',
    ],
    [
      'Finnish',
      'Tapahtuma;Alkaa;Päättyy',
      'Jazz;ti 5.1.2027 klo 19.00;ti 5.1.2027 klo 21.00',
      'Paikka;Osoite;Kaupunki;Kuvaus;Verkkosivu;Järjestäjä;Luokka;Hinta',
    ],
    [
      'Finnish, a date and two times',
      'Otsikko;Pvm;Klo',
      'Jazz;5. tammikuuta 2027;klo 19–21',
      'Tapahtumapaikka;Katuosoite;Paikkakunta;Lisätiedot;Linkki;Yhdistys;Tyyppi;Pääsymaksu',
    ],
    [
      'Hungarian',
      'Cím;Kezdés;Befejezés',
      'Jazz;2027. 01. 05. 19:00;2027. 01. 05. 21:00',
      'Helyszín;Utca;Település;Leírás;Honlap;Szervező;Kategória;Belépő',
    ],
    [
      'Hungarian, a date and two times',
      'Esemény neve;Dátum;Kezdés ideje;Befejezés ideje',
      'Jazz;2027. január 5. (kedd);19:00;21 óra',
      'Helyszín;Cím;Város;Ismertető;Weboldal;Szervező;Típus;Jegyár',
    ],
    [
      'Czech',
      'Název akce;Začátek;Konec',
      'Jazz;út 5. 1. 2027 19:00;út 5. 1. 2027 21:00',
      'Místo konání;Adresa;Obec;Popis;Odkaz;Pořadatel;Typ akce;Vstupné',
    ],
    [
      'Czech, a date and two times',
      'Akce;Datum konání;Od;Do',
      'Jazz;5. ledna 2027;19 hod.;21 hod.',
      'Kde;Ulice;Město;Popis;Web;Spolek;Druh;Vstup',
    ],
    [
      'Polish',
      'Nazwa wydarzenia;Data rozpoczęcia;Godzina rozpoczęcia;Data zakończenia;Godzina zakończenia',
      'Jazz;05.01.2027;19:00;05.01.2027;21:00',
      'Miejsce;Adres;Miejscowość;Opis;Strona WWW;Organizator;Kategoria;Bilety',
    ],
    [
      'Polish, a date and two times',
      'Co;Kiedy;Godz.',
      'Jazz;wtorek, 5 stycznia 2027 r.;od 19 do 21',
      'Gdzie;Ulica;Gmina;Szczegóły;Link;Organizator;Rodzaj;Wstęp',
    ],
    [
      'Dutch',
      'Activiteit;Startdatum;Begintijd;Einddatum;Eindtijd',
      'Jazz;05-01-2027;19:00;05-01-2027;21:00',
      'Locatie;Adres;Plaats;Omschrijving;Website;Organisator;Categorie;Prijs',
    ],
    [
      'Dutch, a date and two times',
      'Voorstelling;Datum;Vanaf;Tot',
      'Jazz;di 5 januari 2027;19.00 uur;21.00 uur',
      'Zaal;Straat en huisnummer;Woonplaats;Toelichting;Link;Vereniging;Genre;Entree',
    ],
    [
      'Portuguese',
      'Nome do evento;Data de início;Hora de início;Data de término;Hora de término',
      'Jazz;05/01/2027;19h00;05/01/2027;21h00',
      'Local;Morada;Concelho;Descrição;Página;Organização;Categoria;Preço',
    ],
    [
      'Portuguese, a date and two times',
      'Título;Data;Horário',
      'Jazz;terça-feira, 5 de janeiro de 2027;das 19h às 21h',
      'Onde;Endereço;Cidade;Detalhes;Link;Associação;Tipo;Ingresso',
    ],
    [
      'Italian',
      'Titolo;Data inizio;Ora inizio;Data fine;Ora fine',
      'Jazz;05/01/2027;19:00;05/01/2027;21:00',
      'Luogo;Indirizzo;Comune;Descrizione;Sito web;Organizzatore;Categoria;Prezzo',
    ],
    [
      'Italian, a date and two times',
      'Appuntamento;Giorno;Orario',
      'Jazz;martedì 5 gennaio 2027;dalle ore 19.00 alle ore 21.00',
      'Dove;Via;Località;Dettagli;Sito;A cura di;Tipologia;Ingresso',
    ],
    [
      'Russian',
      'Название мероприятия;Дата начала;Время начала;Дата окончания;Время окончания',
      'Jazz;05.01.2027;19:00;05.01.2027;21:00',
      'Место проведения;Адрес;Город;Описание;Сайт;Организатор;Категория;Стоимость',
    ],
    [
      'Russian, a date and two times',
      'Событие;Дата;Время',
      'Jazz;вторник, 5 января 2027 г.;с 19:00 до 21:00',
      'Где;Улица;Населённый пункт;Подробности;Ссылка;Организаторы;Жанр;Цена билета',
    ],
    [
      'Ukrainian',
      'Назва заходу;Дата і час початку;Дата і час закінчення',
      'Jazz;5 січня 2027 р. о 19:00;5 січня 2027 р., 21:00',
      'Місце проведення;Адреса;Місто;Опис;Посилання;Організатор;Категорія;Вартість',
    ],
    [
      'Greek',
      'Τίτλος;Ημερομηνία έναρξης;Ώρα έναρξης;Ημερομηνία λήξης;Ώρα λήξης',
      'Jazz;5 Ιανουαρίου 2027;7:00 μ.μ.;5 Ιαν 2027;9:00 μ.μ.',
      'Τοποθεσία;Διεύθυνση;Πόλη;Περιγραφή;Ιστοσελίδα;Διοργανωτής;Κατηγορία;Είσοδος',
    ],
    [
      'Turkish',
      'Etkinlik Adı;Başlangıç Tarihi;Başlangıç Saati;Bitiş Tarihi;Bitiş Saati',
      'Jazz;5 Ocak 2027 Salı;saat 19.00;05.01.2027;21:00',
      'Yer;Adres;Şehir;Açıklama;Bağlantı;Düzenleyen;Kategori;Ücret',
    ],
    [
      'Romanian',
      'Titlul evenimentului;Data de început;Ora de început;Data de sfârșit;Ora de sfârșit',
      'Jazz;marți, 5 ianuarie 2027;ora 19:00;5 ian. 2027;21:00',
      'Locație;Strada;Localitate;Descriere;Pagina web;Organizator;Categorie;Preț',
    ],
    [
      'Japanese, as towns publish them',
      'イベント名;開始日;終了日;開始時間;終了時間',
      'Jazz;2027年1月5日（火）;2027/1/5;午後7時;21:00',
      '場所名称;住所;市区町村名;説明;URL;主催者;カテゴリー;料金(基本)',
    ],
    [
      'Japanese, a date and two times',
      '行事名;開催日;時間',
      'Jazz;令和9年1月5日(火曜日);19時00分～21時',
      '会場;所在地;市区町村;内容;ホームページ;主催;ジャンル;入場料',
    ],
    [
      'Chinese',
      '活动名称;开始时间;结束时间',
      'Jazz;2027年1月5日 星期二 19:00;2027年1月5日 下午9:00',
      '地点;地址;城市;活动介绍;链接;主办方;分类;票价',
    ],
    [
      'Chinese in Taiwan',
      '活動名稱;日期;時間',
      'Jazz;2027/1/5(二);19:00-21:00',
      '地點;詳細地址;城市;簡介;網址;主辦單位;分類;票價',
    ],
    [
      'Korean',
      '행사명;시작일;시작시간;종료일;종료시간',
      'Jazz;2027. 1. 5.;오후 7:00;2027년 1월 5일(화);21시',
      '장소;주소;도시;내용;홈페이지;주최;분류;참가비',
    ],
    [
      'Korean, date and times in one cell',
      '제목;일시',
      'Jazz;2027년 1월 5일(화) 19:00~21:00',
      '행사장소;주소;시군구;행사내용;링크;주관;구분;요금',
    ],
  ])('%s', (_, when, cells, facts) => {
    // A second row shows the order of day and month in dates with slashes.
    const text = `${when};${facts}\n${cells};${FACTS}\nBal${cells.slice(4).replaceAll('05/01/2027', '25/01/2027')};${FACTS}\n`;
    const { drafts, problems } = reading(text);
    expect([shown(text).slice(0, 1), problems]).toEqual([JAZZ, []]);
    expect(drafts[0]!.fields).toMatchObject({
      venue: [{ venue: 'Folkets Hus', address: 'Storgatan 1', city: 'Umeå' }],
      description: '<p>Swing</p>',
      website: 'https://jazz.example/1',
      organizer: [{ organizer: 'Jazzklubben' }],
      categories: ['Musik'],
      cost: '120 kr',
    });
  });
});

describe('the title of a game', () => {
  it.each([
    'Datum;Uhrzeit;Heim;Gast;Spielort',
    'Datum;Anstoß;Heimmannschaft;Gastmannschaft;Sportstätte',
    'Date,Kick-off,Home Team,Away Team,Ground',
    'Date;Heure;Domicile;Extérieur;Stade',
    'Fecha;Hora;Local;Visitante;Estadio',
    'Data;Ora;Casa;Ospite;Campo',
    'Datum;Tid;Hemma;Borta;Arena',
    'Dato;Tid;Hjemmehold;Udehold;Spillested',
    'Dato;Klokkeslett;Hjemme;Borte;Arena',
    'Pvm;Klo;Koti;Vieras;Kenttä',
    'Dátum;Idő;Hazai;Vendég;Helyszín',
    'Datum;Čas;Domácí;Hosté;Hřiště',
    'Data;Godz.;Gospodarze;Goście;Boisko',
    'Datum;Tijd;Thuis;Uit;Accommodatie',
    'Data;Hora;Mandante;Visitante;Local',
  ])('joins the two teams: %s', (header) => {
    const comma = header.includes(';') ? ';' : ',';
    const { drafts, problems } = reading(`${header}\n${['2027-01-05', '19:00', 'FC A', 'SV B', 'Hall'].join(comma)}\n`);
    expect(problems).toEqual([]);
    expect(drafts.map(({ fields: { title, start_date: start, venue } }) => [title, start, venue])).toEqual([
      ['FC A – SV B', '2027-01-05 19:00:00', [{ venue: 'Hall' }]],
    ]);
  });
  it.each<[string, string, string]>([
    ['the cell of its title column', 'Title,Date,Home,Away\nCup final,2027-01-05,FC A,SV B', 'Cup final'],
    ['its teams, not its number', 'Spiel;Datum;Heim;Gast\n17;05.01.2027;FC A;SV B', 'FC A – SV B'],
    [
      'the cell of its title column, without columns for teams',
      'Datum;Spiel;Ort\n05.01.2027;FC A - SV B;Hall',
      'FC A - SV B',
    ],
    ['the opponent, if that is all there is', 'Date,Opponent,Home/Away\n2027-01-05,Lions,Home', 'Lions'],
    ['the one team that is known', 'Datum;Heim;Gast\n05.01.2027;FC A;', 'FC A'],
  ])('is %s', (_, text, title) => expect(reading(text).drafts.map(({ fields }) => fields.title)).toEqual([title]));
  test('joins the two teams if the configuration says so', () => {
    const text = 'Event,Date,Home,Away\nLeague,2027-01-05,FC A,SV B';
    expect(reading(text, { columns: { title: 'Home + Away' } }).drafts[0]!.fields.title).toBe('FC A – SV B');
  });
  test('is missing if neither team is known', () => {
    expect(reading('Datum;Heim;Gast\n05.01.2027;;').problems.map(({ code }) => code)).toEqual(['row-title']);
  });
});

describe('the order of day and month', () => {
  test('is found from the whole column', () => {
    expect(shown(table('03/04/2027', '25/04/2027'))[0]).toContain('2027-04-03');
    expect(shown(table('03/04/2027', '04/25/2027'))[0]).toContain('2027-03-04');
  });
  test('if it is unknown, the rows are reported and not used', () => {
    const { drafts, unread, problems } = reading(table('03/04/2027', '05/06/2027'));
    expect([drafts, unread.length]).toEqual([[], 2]);
    expect(problems.map(({ code, where }) => [code, where.row])).toEqual([
      ['ambiguous-date', 2],
      ['ambiguous-date', 3],
    ]);
  });
  test('in a column that contradicts itself, only unambiguous dates are read', () => {
    const { drafts, problems } = reading(table('03/04/2027', '25/04/2027', '04/25/2027'));
    expect([drafts.map(({ fields }) => fields.title), problems.map(({ where }) => where.row)]).toEqual([
      ['E1', 'E2'],
      [2],
    ]);
  });
});

describe('cells without a usable value', () => {
  test.each([
    ['Title,Date,Time\nJazz,2027-01-05,19:30 IST', '"19:30 IST" is by a clock, IST,'],
    ['Title,Date,Time\nJazz,2027-01-05,soon', '"soon" is not a time of day; write it as 19:30.'],
  ])('a time of day that cannot be read is reported with the reason: %s', (text, begins) => {
    expect(reading(text)).toMatchObject({ drafts: [], problems: [{ message: expect.stringContaining(begins) }] });
  });
  test('a spreadsheet error leaves the field unchanged and is reported', () => {
    const { drafts, problems } = reading('Title,Start,Cost,Description\nJazz,2027-01-05,#REF!,#NV');
    expect(drafts[0]!.fields).toEqual(expect.not.objectContaining({ cost: expect.anything() }));
    expect(problems).toMatchObject([
      { code: 'cell-formula', where: { row: 2, field: 'Description', column: 4 } },
      {
        code: 'cell-formula',
        message: 'The cell contains the spreadsheet error #REF!; the site keeps what it has.',
        where: { row: 2, field: 'Cost', column: 3 },
      },
    ]);
  });
  test.each(['#NAME?,2027-01-05,1', 'Jazz,#VALUE!,1', 'Jazz,2027-01-05,#DIV/0!'])('%s is not an event', (row) => {
    expect(reading(`Title,Start,ID\n${row}`)).toMatchObject({
      drafts: [],
      unread: [{ row: 2 }],
      problems: [{ code: 'row-formula' }],
    });
  });
  test('a formula is read as text, not computed', () => {
    expect(reading('Title,Start\n"=HYPERLINK(""http://x"",""Jazz"")",2027-01-05').drafts[0]!.fields.title).toBe(
      '=HYPERLINK("http://x","Jazz")',
    );
  });
});

test('an empty flag is set to false, a flag without a column stays unchanged', () => {
  expect(reading('Title,Start,Featured,Show map\nJazz,2027-01-05,,').drafts[0]!.fields).toMatchObject({
    featured: false,
  });
  expect(Object.keys(reading('Title,Start\nJazz,2027-01-05').drafts[0]!.fields)).not.toContain('featured');
});

test('several values in a cell may be on separate lines', () => {
  expect(
    reading('Title,Start,Category,Organizer\nJazz,2027-01-05,"Music\nJazz","Town\nClub"').drafts[0]!.fields,
  ).toMatchObject({ categories: ['Music', 'Jazz'], organizer: [{ organizer: 'Town' }, { organizer: 'Club' }] });
});

test.each(['\r\n', '\r', '\n'])('lines of a cell may end in %j', (end) => {
  const text = ['One', '', 'Two', '- three'].join(end);
  expect(
    reading(`Title,Start,Description,Category\r\nJazz,2027-01-05,"${text}","Music${end}Jazz"\r\n`).drafts[0]!.fields,
  ).toMatchObject({ description: '<p>One</p>\n<p>Two<br />- three</p>', categories: ['Music', 'Jazz'] });
});

describe('oversized and damaged tables', () => {
  test('a problem in every row is reported fifty times, then counted', () => {
    const { problems } = reading(`Title,Start\n${'x,never\n'.repeat(1_000)}`);
    expect(problems).toHaveLength(51);
    expect(problems.at(-1)!.message).toBe('950 more problems of the kind "row-date".');
  });
  test('a file that is damaged everywhere is abandoned with a message', () => {
    const { problems, drafts } = reading(`Title,Start\nJazz,2027-01-05\n${'"x"y,"\n'.repeat(50)}`);
    expect(drafts).toHaveLength(1);
    expect(problems.at(-1)).toMatchObject({
      code: 'csv-stopped',
      message: expect.stringMatching(/^After 20 damaged rows the rest of the file was not read/),
    });
  });
  test('an unclosed quotation mark at the very beginning is reported', () => {
    expect(reading(`"${'x,y\n'.repeat(100_000)}`)).toMatchObject({
      drafts: [],
      problems: expect.arrayContaining([expect.objectContaining({ code: 'csv-quote' })]),
    });
  });
  test('a header of a hundred thousand columns is reported in a short message', () => {
    const { problems } = reading(`${Array.from({ length: 100_000 }, (_, index) => `c${index}`).join()}\nx\n`);
    expect(problems.find(({ code }) => code === 'csv-header')!.message.length).toBeLessThan(1_000);
  });
});

describe('rows that are not events', () => {
  const HEADER = 'Title;Date;Time;Notes';
  test.each([
    ['the header again, as on each printed page', HEADER],
    ['a note', ';;;Dates may change'],
  ])('%s', (_, row) => {
    const { drafts, problems, unread } = reading(`${HEADER}\nJazz;2027-01-05;19:00;\n${row}\nChess;2027-01-06;18:00;`);
    expect(drafts.map(({ fields: { title } }) => title)).toEqual(['Jazz', 'Chess']);
    expect({ problems, unread }).toEqual({ problems: [], unread: [] });
  });
  test.each([
    ['a title without a date', 'Jazz;;;'],
    ['a date without a title', ';2027-01-05;;'],
    ['a formula that fails', '#REF!;#REF!;#REF!;#REF!'],
  ])('but %s counts as an unread event', (_, row) => {
    expect(reading(`${HEADER}\n${row}`).unread).toHaveLength(1);
  });
});

describe('a table without a known column of times', () => {
  const advice = (text: string): readonly string[] =>
    reading(text).problems.flatMap(({ code, message }) => (code === 'times-unread' ? [message] : []));
  test('has whole days, and says which column holds times', () => {
    expect(shown('Show,Date,Curtain\nHamlet,2027-01-05,7:30 PM')).toEqual(['Hamlet 2027-01-05 2027-01-05']);
    expect(advice('Show,Date,Curtain\nHamlet,2027-01-05,7:30 PM\nLear,2027-01-06,')).toEqual([
      'All events take whole days, because no column was recognized as start_time, but "Curtain" holds times of day. ' +
        'If events begin at these, write columns: { start_time: "Curtain" } for this source.',
    ]);
  });
  test('may have two rows of headings', () => {
    expect(advice('Was;;Wann;;Wo\nTitel;Art;Datum;Zeit;Ort\nTanz;Ball;05.03.2027;19:30;Saal')).toEqual([
      'All events take whole days, because no column was recognized as start_time, but column 4, which has no heading, ' +
        'holds times of day. If events begin at these, give the column a heading such as "Time".',
    ]);
  });
  test.each([
    'Title,Date,Seats\nA,2027-01-05,1930\nB,2027-01-06,800',
    'Title,Date,Rate\nA,2027-01-05,12.50',
    'Title,Date,Code\nA,2027-01-05,7:30\nB,2027-01-06,X7',
    'Title,Date,All day,Doors\nA,2027-01-05,yes,19:00',
    'Title,Date,Time,Doors\nA,2027-01-05,,19:00',
    'Title,Date,Doors\nA,2027-01-05 20:00,19:00',
  ])('says nothing about other columns: %s', (text) => expect(advice(text)).toEqual([]));
});

describe('a table without headings', () => {
  test.each([
    [
      'A,2027-03-05,19:30\nB,2027-03-06,19:30',
      'The first row is not one of headings: "A", "2027-03-05", "19:30". Put one above it, such as Title, Date, Time.',
    ],
    [
      ',Date,Time,\nA,2027-03-05,19:30,x',
      'No column was recognized as title; the file\'s columns are "", "Date", "Time", "". Give each column a heading.',
    ],
  ])('%j says what to do', (text, message) => expect(reading(text).problems[0]?.message).toBe(message));
});

describe('a table with the date only in the first row of each day', () => {
  const HEADER = 'Datum;Uhrzeit;Titel';
  const DAY = '05.01.2027;10:00;Markt\n;14:00;Tanz\n;19–21 Uhr;Jazz\n06.01.2027;18:00;Schach';
  test('applies it to the rows below, and reports that once', () => {
    const { drafts, problems, unread } = reading(`${HEADER}\n${DAY}`);
    expect(drafts.map(({ fields: { title, start_date: start } }) => `${title} ${start.slice(0, 16)}`)).toEqual([
      'Markt 2027-01-05 10:00',
      'Tanz 2027-01-05 14:00',
      'Jazz 2027-01-05 19:00',
      'Schach 2027-01-06 18:00',
    ]);
    expect(problems).toEqual([
      {
        code: 'row-date-above',
        message:
          'Only the first row of a day has its date, as where cells are merged: 2 rows without one are read as on the day above them.',
        where: { row: 3, line: 3 },
      },
    ]);
    expect(unread).toEqual([]);
  });
  test('may have it in a row of its own', () => {
    expect(shown(`${HEADER}\nDi 05.01.2027;;\n;10:00;Markt\n;14:00;Tanz\nMi 06.01.2027;;\n;18:00;Schach`)).toEqual([
      'Markt 2027-01-05 10:00 2027-01-05 10:00',
      'Tanz 2027-01-05 14:00 2027-01-05 14:00',
      'Schach 2027-01-06 18:00 2027-01-06 18:00',
    ]);
  });
  test.each([
    ['only one row has no date', '05.01.2027;10:00;Markt\n;14:00;Tanz\n06.01.2027;18:00;Schach', 2],
    ['dates are repeated', '05.01.2027;10:00;Markt\n05.01.2027;14:00;Tanz\n;16:00;A\n;17:00;B', 2],
    ['times go back', '05.01.2027;19:00;Markt\n;14:00;Tanz\n;20:00;Jazz', 1],
    ['times are mostly the same', '05.01.2027;19:00;A\n;19:00;B\n12.01.2027;19:00;C\n;20:00;D', 2],
    ['rows without a date have no time', '05.01.2027;19:00;A\n;;B\n;;C', 1],
    ['no date stands above', ';18:00;A\n;19:00;B\n05.01.2027;19:00;C', 1],
  ])('is not assumed if %s', (_, rows, left) => {
    const { drafts, problems } = reading(`${HEADER}\n${rows}`);
    expect([drafts.length, new Set(problems.map(({ code }) => code))]).toEqual([left, new Set(['row-date'])]);
  });
});

test.each(['Да', 'так', 'ναι', 'Evet', 'はい', '是', '예'])('%s means yes', (yes) => {
  expect(reading(`Title,Start,Featured\nJazz,2027-01-05,${yes}`).drafts[0]!.fields.featured).toBe(true);
});

test('the known names of columns are in the form in which they are compared', () => {
  expect([...NAMES_OF.values()].flat().filter((name) => foldedWords(name) !== name)).toEqual([]);
});

test('År (year) is not a price, unlike Ár in Hungarian', () => {
  const costOf = (header: string) =>
    reading(`${header};Titel;Datum\n2027;Jazz;2027-01-05`).drafts[0]!.fields.cost ?? 'none';
  expect(['År', 'ÅR', 'A\u030Ar', 'Ár'].map(costOf)).toEqual(['none', 'none', 'none', '2027']);
});

test('the message about an unrecognized form names its questions, not who answered', () => {
  const { problems } = reading(
    'ID,Start time,Completion time,Email,Name,Your gig,When is it?\n1,2026-12-01 10:00,x,y,z,Jazz,2027-01-05',
  );
  expect(problems[0]!.message).toContain('columns: { title: "Your gig" }');
});

describe('a header below the name of the table', () => {
  test('is found even without a declared type', () => {
    const bytes = Buffer.from('Programme 2027\n\nDate;Title;Venue\n2027-01-05;Jazz;"Hall, large"');
    const output = parseFeed({ bytes, contentType: null, format: undefined, settings: SETTINGS });
    expect(output.kind === 'reading' && output.reading.drafts).toMatchObject([
      { fields: { title: 'Jazz', venue: [{ venue: 'Hall, large' }] } },
    ]);
  });
  test.each([
    ['Programme 2027\n\nDate;Occasion;Venue\n2027-01-05;Jazz;"Hall, large"', '"Date", "Occasion", "Venue"'],
    ['Programme 2027,,\nDate,Occasion,Venue\n2027-01-05,Jazz,', '"Date", "Occasion", "Venue"'],
    ['Date,Occasion\n2027-01-05,Jazz', '"Date", "Occasion"'],
  ])('is listed in the message if none of it is a title: %j', (text, names) => {
    expect(reading(text).problems[0]?.message).toBe(
      `No column was recognized as title; the file's columns are ${names}. Name them under columns in the ` +
        'configuration, for example columns: { title: "Occasion" }.',
    );
  });
});
