import { listIn } from './list-in.ts';
import type { Words } from './words.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const COUNTS: Readonly<Record<number, string>> = { 2: 'two', 3: 'three', 4: 'four' };
const NTH = ['', 'first', 'second', 'third', 'fourth', 'fifth'];
const ORDINAL = new Intl.PluralRules('en', { type: 'ordinal' });
const ORDINALS: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = { one: 'st', two: 'nd', few: 'rd' };
const joined = listIn('en-GB');

/** What the public pages say, in English. */
export const EN: Words = {
  skip: 'Skip to the content',
  views: 'Views',
  list: 'List',
  month: 'Month',
  subscribe: 'Subscribe with your calendar program',
  search: 'Search',
  from: 'From',
  show: 'Show',
  categories: 'Categories',
  pages: 'Pages',
  earlier: 'Earlier',
  later: 'Later',
  nothing: 'Nothing is announced yet.',
  nothingFound: 'Nothing was found. Try fewer words, or an earlier day.',
  allDay: 'all day',
  until: 'until',
  to: 'to',
  more: 'more',
  today: 'today',
  when: 'When',
  where: 'Where',
  by: 'By',
  cost: 'Cost',
  category: 'Category',
  tags: 'Tags',
  website: 'Website',
  phone: 'Phone',
  email: 'E-mail',
  map: 'Show on the map',
  addToCalendar: 'Add to your calendar',
  file: 'Calendar file',
  notFound: 'Not found',
  notFoundText: 'There is nothing at this address.',
  gone: 'No longer announced',
  goneText: 'This event was taken off the calendar.',
  whatIsOn: 'What is on',
  unavailable: 'Back in a moment',
  unavailableText: 'The calendar cannot be reached just now. Nothing is lost; please try again in a moment.',
  tooMany: 'This month has more events than fit here; the list has all of them.',
  coming: 'Coming events',
  category1: 'Category',
  tag1: 'Tag',
  venue1: 'Venue',
  organizer1: 'Organizer',
  protectedEvent: 'Protected event',
  protectedText: 'This event is shown to whoever has its password.',
  password: 'Password',
  wrongPassword: 'This is not its password.',
  tooManyPasswords: 'There were too many wrong passwords. Try again in a minute.',
  // views
  series: {
    daily: 'Every day',
    weekly: (weekdays, weeks) => {
      const names = joined(weekdays.map((weekday) => WEEKDAYS[weekday]));
      if (weeks === 1) return `Every ${names}`;
      return `Every ${COUNTS[weeks] ?? weeks} weeks on ${names}`;
    },
    someWeeks: (weekdays) => joined(weekdays.map((weekday) => `${WEEKDAYS[weekday]}s`)),
    monthlyWeekday: (nth, weekday) => `Every ${nth === 'last' ? nth : NTH[nth]} ${WEEKDAYS[weekday]} of the month`,
    monthlyDay: (day) => `On the ${day}${ORDINALS[ORDINAL.select(day)] ?? 'th'} of every month`,
    until: (rule, day) => `${rule} until ${day}`,
    more: (count, isCut) => `${isCut ? 'more than ' : ''}${count} more ${count === 1 ? 'date' : 'dates'}`,
  },
  allDates: 'All dates',
  seriesIsOver: 'All dates of this series are over.',
  cancelled: 'Cancelled',
};
