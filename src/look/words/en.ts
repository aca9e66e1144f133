import type { FrameWords } from './frame-words.ts';

/** The texts of the public pages' frame in English. */
export const EN: FrameWords = {
  skip: 'Skip to content',
  views: 'Views',
  list: 'List',
  week: 'Week',
  month: 'Month',
  subscribe: 'Subscribe',
  embed: 'Put this list on your site',
  search: 'Search',
  searchEvents: 'Search the events',
  offline: 'You are offline. This page is as it was when it was loaded.',
  whatIsOn: 'What’s on',
  allEvents: 'All events',
  printWeek: 'Print this week',
  suggest: 'Suggest an event',
  picking: {
    categories: { label: 'Categories', any: 'Another category' },
    tags: { label: 'Tags', any: 'Any tag' },
    places: { label: 'Places', any: 'Anywhere' },
    organizers: { label: 'Organizers', any: 'By anybody' },
  },
  typeName: (count) => (count === undefined ? 'And more: type a name' : `And ${count} more: type a name`),
};
