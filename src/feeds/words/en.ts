import { inQuotes } from '../../look/words/in-quotes.ts';
import { safeLink } from '../../html/link.ts';
import { html } from '../../html/template.ts';
import type { PageWords } from './page-words.ts';

export const en: PageWords = {
  language: 'en',
  locale: 'en-GB',
  feeds: 'Calendar feeds',
  ownFeed: 'Make your own feed',
  copied: 'Address copied.',
  copyByHand: 'Press Ctrl+C or Cmd+C to copy the selected address.',

  introduction:
    'See these events in your own calendar. When something is added, moved or cancelled here, your calendar updates by itself.',
  none: html`No feeds are configured yet. The operator adds them under <code>feeds:</code> in the configuration.`,
  onlyWhatYouLike: 'Only what you like',
  choose: 'Choose categories, places and words, and get your own address.',
  subscribe: 'Subscribe',
  subscribeTo: (title) => `Subscribe to ${title}`,
  googleOutlookMore: 'Google, Outlook, more',
  morePrograms: (title) => `Google, Outlook, more: ${title}`,
  next: (title, when) => `Next: ${title}, ${when}`,
  howItWorks: 'How it works',
  steps: [
    'Pick a calendar on this page.',
    'Press your program’s button once.',
    'It checks for changes every few hours, or once a day. You can remove it there at any time.',
  ],
  by: { categories: 'Single categories', venue: 'Single places', organizer: 'Single organizers', tags: 'Single tags' },
  further: (count, address) =>
    html`And ${count} more, which you can choose for ${safeLink({ href: address }, 'your own feed')}.`,
  local: html`<strong>Only this computer can reach these addresses.</strong>
Google and Outlook fetch feeds from their own servers and need a public one;
programs on this computer work.`,

  chooseHere: 'Choose, and see what you get. Nothing chosen means everything.',
  calendar: 'Calendar',
  text: 'Containing these words',
  eventLanguage: 'Language',
  allLanguages: 'All',
  howShown: 'How it is shown in your calendar',
  variant: 'Variant',
  variants: {
    full: 'With pictures and formatted text',
    lite: 'Small: text only',
    google: 'For Google Calendar: formatted text',
  },
  cancelledEvents: 'Cancelled events',
  cancelled: { keep: 'Marked as cancelled', hide: 'Left out', title: 'Said in the title, too' },
  showResult: 'Show events and address',
  result: 'Result',

  allFeeds: 'All feeds',
  subscribeWith: 'Subscribe with',
  programs: {
    apple: ['Apple Calendar', 'opens on iPhone, iPad and Mac'],
    google: ['Google Calendar', 'on a computer: paste the address'],
    outlookCom: ['Outlook.com', 'also Hotmail and Live'],
    microsoft365: ['Microsoft 365', 'Outlook at work or school'],
  },
  byHand: 'By hand, step by step',
  toPhone: 'To your phone',
  qrText: 'Point your phone’s camera at it and choose there. It works on posters, too.',
  qrAlt: 'QR code with the address of this page',
  embed: 'Put this list on your site',
  otherWays: 'Other ways',
  news: { rss: 'News feed (RSS)', atom: 'News feed (Atom)', json: 'For programs (JSON Feed)' },
  download: 'Download once (.ics)',
  table: 'As a table (.csv)',
  address: 'Address of this feed, for Thunderbird, Android and everything else',
  copy: 'Copy',
  secret: 'This address is secret: anyone who has it can read the feed. Share it with care.',
  basic:
    'It asks for a user name and a password. Google and Outlook on the web cannot send them; Apple Calendar and Thunderbird can.',
  instructions: {
    google: 'Google Calendar',
    googleCopy: 'Copy the address above.',
    googleOpen: (link) => html`On a computer (the phone apps cannot do this), open ${link}.`,
    googleLink: 'Google Calendar, “From URL”',
    googlePaste:
      'Paste it and choose “Add calendar”. It appears on your phone, too. Google checks for changes about once a day, sometimes later.',
    outlookByHand:
      'By hand, on the web and in the new Outlook: in the calendar “Add calendar”, “Subscribe from web”, paste ' +
      'the address, “Import”. In classic Outlook for Windows: “Add Calendar”, “From Internet”.',
    outlookElse: (scheme) =>
      `Where a button above opens Outlook with an address that does not begin with ${inQuotes(scheme)}, paste the one ` +
      'from here. Outlook on the web checks for changes every few hours, sometimes only after a day.',
    apple: 'Apple Calendar',
    appleMac:
      'The button above opens Calendar on iPhone, iPad and Mac. By hand on a Mac: ' +
      'File, New Calendar Subscription, paste the address; with iCloud as its location it appears on your ' +
      'other devices, too.',
    applePhone:
      'On an iPhone or iPad, in Calendar: Calendars, Add Calendar, Add Subscription Calendar. ' +
      'Or in Settings: Apps, Calendar, Calendar Accounts, Add Account, Other, Add Subscribed Calendar (before ' +
      'iOS 18: Calendar, Accounts, Add Account …).',
    others: 'Thunderbird, Android and others',
    thunderbird: (asksForPassword) =>
      'Thunderbird: New Calendar, On the Network, paste the address as the location, ' +
      `${asksForPassword ? 'type the user name' : 'tick “This location doesn’t require credentials”'}, Find ` +
      'Calendars, Subscribe.',
    android:
      'Android: through Google Calendar or Outlook as above, or with an app that subscribes, such as ICSx⁵. ' +
      'Any program that subscribes to iCalendar (.ics) addresses can use it.',
  },
  coming: 'Coming up',
  nothingComing: 'Nothing coming up.',
  calledOff: 'Cancelled',
  until: (day) => `until ${day}`,
  events: (count, number) => `${number} ${count === 1 ? 'event' : 'events'}`,
  toCome: 'to come',
  eventsUncounted: 'Events',
  everything: 'everything',
  or: 'or',
  one: { categories: 'category', tags: 'tag', venue: 'place', organizer: 'organizer' },
  several: { categories: 'categories', tags: 'tags', venue: 'places', organizer: 'organizers' },
  containing: (text) => `containing ${inQuotes(text)}`,
  featured: 'featured',
  featuredOnly: 'featured ones only',
  unfeaturedOnly: 'without featured ones',
  inLanguage: (name) => `in ${name}`,
  free: 'free of charge',
  time: {
    label: 'Days',
    any: 'All days',
    shortcuts: {
      today: 'today',
      tomorrow: 'tomorrow',
      weekend: 'this weekend',
      'seven-days': 'in the next seven days',
      'next-week': 'next week',
    },
    on: (day) => `on ${day}`,
    from: (day) => `from ${day} on`,
    moves: 'These days move with the calendar: what is over leaves the feed.',
  },
  span: (past, future) => `from ${past} days back to ${future} days ahead`,
  large: (megabytes) =>
    html`<strong>This feed is large (${megabytes} MB).</strong> Google Calendar may refuse feeds above 1 MB; a narrower feed is safer there.`,
  lite: (address) => html`Its ${safeLink({ href: address }, 'small variant')} leaves out pictures and formatted text.`,
  narrower: 'Change what is in it',

  notFound: 'There is no such feed',
  notFoundText: 'There is nothing at this address, or it has gone.',
  theseThereAre: 'These feeds are available:',
  wrongAddress: 'This address cannot be understood',
  missing: {
    categories: (name) => `The calendar has no category ${inQuotes(name)}.`,
    tags: (name) => `The calendar has no tag ${inQuotes(name)}.`,
    venue: (name) => `The calendar has no place ${inQuotes(name)}.`,
    organizer: (name) => `The calendar has no organizer ${inQuotes(name)}.`,
  },
  refused: (why) => `The calendar refused this request: ${why}`,
  busy: 'Many feeds are being made right now. Please try again in a minute.',
  siteFails:
    'This feed cannot be made at the moment: the calendar is not answering as it should. Please try again later.',
  stale: (when) =>
    `The calendar is not answering at the moment. This is what it showed ${when}; subscribers get the same.`,

  nextOnly: (count) => `the next ${count} events`,

  badge: {
    label: 'calendar',
    checked: (ago) => `checked ${ago}`,
    some: (fresh, all) => `${fresh} of ${all} sources up to date`,
    silent: (ago) => `last checked ${ago}`,
    never: 'not checked yet',
    paused: 'not checked at the moment',
    none: 'kept by hand',
    heading: 'Show how up to date it is',
    introduction: 'A picture for your own page that says when this calendar was last checked. It updates by itself.',
    code: 'HTML for your page',
  },

  doesItWork: 'Does it work?',
  testIntroduction: 'This fetches the feed as calendar programs do, and says what would fail.',
  test: 'Test this feed',
  testAgain: 'Test this feed again',
  tested: 'Feeds have just been tested; try again in a minute.',
  right: 'Passed',
  wrong: 'Failed',
  checksRight: (count) => (count === 1 ? 'One check passed' : `${count} checks passed`),
  verdicts: {
    all: [
      'Yes. Every calendar program can subscribe.',
      'Tested just now, the way Google, Outlook, Apple and Thunderbird do it.',
    ],
    most: ['Most programs can subscribe.', 'Some may refuse it or show a warning; this is why.'],
    local: ['Not with Google and Outlook on the web.', 'Programs on this computer or network can subscribe.'],
    none: ['No. Programs cannot subscribe as it is.', 'This has to be fixed first.'],
  },
  findings: {
    answers: (status) => `The address answers ${status}.`,
    leads: (status, where) =>
      `The address answers ${status} and redirects to ${where}: set public_url under builtin to the final address.`,
    nowhere: 'nowhere',
    reached: 'The address can be reached and answers 200, without redirects.',
    unreachable: (why) =>
      `The address cannot be reached: ${why}. Check public_url under builtin, and what stands between the program and the network.`,
    type: 'Its type is text/calendar in UTF-8.',
    wrongType: (type) =>
      `Its type is "${type}"; programs expect text/calendar; charset=utf-8. Something in between changes it.`,
    noType: 'none',
    noCookies: 'It sets no cookies.',
    cookies: 'Something in between sets a cookie, which some programs cannot handle.',
    size: (kilobytes) => `Its size (${kilobytes} kB) is fine for every program.`,
    large: (megabytes) => `It is ${megabytes} MB in size; Google Calendar may refuse more than 1 MB.`,
    unread: 'It is too large to be checked here.',
    whole: 'It is a complete calendar.',
    cut: 'It does not begin with BEGIN:VCALENDAR or is cut off: something in between changes it.',
    readable: (events) => `It can be read: ${events}.`,
    unreadable: (read, events, why) => `Not all of it can be read: ${read} of ${events} events. ${why}`,
    uids: 'Every event has its own UID.',
    sameUids: 'Two events have the same UID.',
    zones: 'Every time zone is defined.',
    noZones: (zones) => `Time zones are used but not defined: ${zones}.`,
    again: 'A program that already has it need not download it again (304).',
    notAgain: (byTag, byDate) =>
      `A program that already has it gets it again (${byTag} by ETag, ${byDate} by date): something in between drops ETag or Last-Modified.`,
    packed: 'It is sent compressed on request.',
    notPacked: 'It is not sent compressed: something in between undoes it.',
    isLocal: 'Only this computer or network can reach the address: Google Calendar and Outlook on the web cannot.',
    isHttp: 'It uses http: Apple Calendar shows a warning, and Outlook may refuse it. Put it behind https.',
    isBasic: 'It asks for a user name and a password: Google Calendar and Outlook on the web cannot send them.',
  },
};
