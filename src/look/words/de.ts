import type { FrameWords } from './frame-words.ts';

/** The texts of the public pages' frame in German. */
export const DE: FrameWords = {
  skip: 'Zum Inhalt springen',
  views: 'Ansichten',
  list: 'Liste',
  week: 'Woche',
  month: 'Monat',
  subscribe: 'Abonnieren',
  embed: 'Diese Liste auf der eigenen Seite',
  search: 'Suchen',
  searchEvents: 'Veranstaltungen suchen',
  offline: 'Sie sind offline. Diese Seite ist so, wie sie beim Laden war.',
  whatIsOn: 'Was läuft',
  allEvents: 'Alle Veranstaltungen',
  printWeek: 'Diese Woche drucken',
  suggest: 'Veranstaltung vorschlagen',
  picking: {
    categories: { label: 'Kategorien', any: 'Weitere Kategorie' },
    tags: { label: 'Schlagwörter', any: 'Alle Schlagwörter' },
    places: { label: 'Orte', any: 'Überall' },
    organizers: { label: 'Veranstalter', any: 'Von allen' },
  },
  typeName: (count) => (count === undefined ? 'Und weitere: Namen eintippen' : `Und ${count} weitere: Namen eintippen`),
};
