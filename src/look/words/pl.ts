import type { FrameWords } from './frame-words.ts';

/** What the frame of the public pages says, in Polish. */
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
  printWeek: 'Wydrukuj ten tydzień',
  suggest: 'Zaproponuj wydarzenie',
};
