import type { FrameWords } from './frame-words.ts';

/** The texts of the public pages' frame in Polish. */
export const PL: FrameWords = {
  skip: 'Przejdź do treści',
  views: 'Widoki',
  list: 'Lista',
  week: 'Tydzień',
  month: 'Miesiąc',
  subscribe: 'Subskrybuj',
  embed: 'Umieść tę listę na swojej stronie',
  search: 'Szukaj',
  searchEvents: 'Szukaj wydarzeń',
  offline: 'Nie ma połączenia z siecią. Strona wygląda tak jak w chwili wczytania.',
  whatIsOn: 'Co się dzieje',
  allEvents: 'Wszystkie wydarzenia',
  printWeek: 'Wydrukuj ten tydzień',
  suggest: 'Zaproponuj wydarzenie',
  picking: {
    categories: { label: 'Kategorie', any: 'Inna kategoria' },
    tags: { label: 'Tagi', any: 'Każdy tag' },
    places: { label: 'Miejsca', any: 'Wszędzie' },
    organizers: { label: 'Organizatorzy', any: 'Każdy organizator' },
  },
  typeName: (count) => (count === undefined ? 'I inne: wpisz nazwę' : `I jeszcze ${count}: wpisz nazwę`),
};
