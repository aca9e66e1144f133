/** Hints for writing a key. The schema says what it is; these show how it is used. */
export interface KeyNote {
  /** A value as written in the file. */
  readonly example: string;
  /** A common mistake, which is refused. */
  readonly wrong?: string;
  /** A common misunderstanding. */
  readonly mind?: string;
}

const WINDOW = {
  past: { example: '90d', wrong: '3 months', mind: 'An event that began earlier and still lasts is in it.' },
  future: { example: '365d', wrong: '1y', mind: 'A year is 365d. Events beyond it come by themselves as time passes.' },
} as const;

const SECRET_IN_FILE = 'Write ${NAME}, and the secret into the environment: the file is shown, kept and copied.';
const KEPT_BY_PEOPLE =
  'Changed later, it also changes the events that are on the site; where a person has set another one, that stays.';
const BY_NAME = 'It is the name as the site shows it, not its slug.';
const HOOK = { example: "'${HOOK_ADDRESS}'", wrong: 'hooks.example/a' } as const;

/** By the path of a key; test/unit/config/keys.test.ts tries each example. */
export const KEY_NOTES: Readonly<Record<string, KeyNote>> = {
  'site.url': {
    example: 'https://example.org/wp-json',
    wrong: 'example.org',
    mind: 'With https: a real site refuses application passwords without it.',
  },
  'site.namespace': {
    example: 'tribe/events/v1',
    wrong: 'tribe',
    mind: 'The default is for the built-in site; WordPress with The Events Calendar needs tribe/events/v1.',
  },
  'site.username': { example: 'calendar-sync', mind: 'A user who may publish events; on WordPress, an Editor.' },
  'site.application_password': {
    example: "'${SITE_PASSWORD}'",
    wrong: '""',
    mind: 'Not the password with which one signs in: WordPress makes application passwords on the profile page.',
  },
  'site.language': { example: 'pl', wrong: 'Polish', mind: 'Only for sites that name a parameter for it.' },
  'site.language_parameter': {
    example: 'wpml_language',
    wrong: 'wpml language',
    mind: 'It depends on the translation plugin; `doctor` lists the languages that the site declares.',
  },
  'site.requests_in_flight': {
    example: '2',
    wrong: '100',
    mind: 'More is rarely faster: shared hosting answers many at once with 429 or 503.',
  },
  'site.full_every': {
    example: '7d',
    wrong: '7',
    mind: 'While a feed does not change, the site is checked only this often.',
  },
  sites: {
    example: '{ town: { url: builtin }, museum: { url: https://museum.example/wp-json, namespace: tribe/events/v1 } }',
    mind: 'Instead of site, not beside it. Each source then says whose it is, with its own `site`.',
  },
  'builtin.title': { example: "What's on in Zielonka", wrong: '[]', mind: 'It heads the pages and names the feeds.' },
  'builtin.description': { example: 'Concerts, markets and matches', mind: 'One line: search engines show it.' },
  'builtin.timezone': { example: 'Europe/Warsaw', wrong: 'Mitteleuropa', mind: 'UTC is right for almost no town.' },
  'builtin.languages': { example: '[de, en]', wrong: '[Deutsch]', mind: 'The first is the language of the pages.' },
  'builtin.public_url': {
    example: 'https://calendar.example.org',
    wrong: 'calendar.example.org',
    mind: 'Without it, links in feeds and mails lead to 127.0.0.1.',
  },
  'builtin.brand': { example: '"#0b5b6b"', wrong: '"0b5b6b"', mind: 'In quotes, as # begins a comment in YAML.' },
  'builtin.logo': { example: 'file:logo.svg', wrong: 'logo.svg', mind: 'Beside this file, or below its folder.' },
  'builtin.suggestions': { example: 'true', wrong: '1', mind: 'Nothing is public before an editor publishes it.' },
  'builtin.trash_days': { example: '90', wrong: 'never', mind: 'An event that is deleted for good cannot be undone.' },
  'builtin.currency.symbol': { example: '" zł"', mind: 'A blank before it belongs to the quotes.', wrong: '""' },
  'builtin.currency.position': { example: 'postfix', wrong: 'after', mind: 'postfix: 15 zł; prefix: $15.' },
  'builtin.namespace_alias': { example: 'tribe/events/v1', wrong: 'tribe', mind: 'The usual name works as before.' },
  sources: {
    example: '{ city-library: { url: https://library.example/events.ics } }',
    wrong: '[https://library.example/events.ics]',
    mind: 'The name is in addresses and in the history: to change it, say `was`.',
  },
  'sources.NAME.url': {
    example: 'https://library.example/events.ics',
    wrong: 'library.example/events.ics',
    mind: 'The address of the feed, not of the page that shows it; the console finds the one behind the other.',
  },
  'sources.NAME.site': {
    example: 'museum',
    wrong: 'nowhere',
    mind: 'A name below `sites`; needed where there are several.',
  },
  'sources.NAME.format': { example: 'csv', wrong: 'excel', mind: 'Only where a server calls a table something else.' },
  'sources.NAME.every': { example: '30m', wrong: '30', mind: 'A server that asks for longer pauses gets them.' },
  'sources.NAME.cron': {
    example: '"*/30 6-23 * * *"',
    wrong: 'hourly',
    mind: 'In quotes, as * has a meaning of its own in YAML; and instead of every. A sixth field in front is the second.',
  },
  'sources.NAME.timezone': {
    example: 'Europe/Warsaw',
    wrong: 'CEST',
    mind: 'The answer to "all times are an hour off": a feed without zones means the clock where it takes place.',
  },
  'sources.NAME.utc_times': { example: 'utc', wrong: 'Europe/Warsaw', mind: 'For another zone set timezone instead.' },
  'sources.NAME.publisher': {
    example: 'events@library.example',
    wrong: 'Library <events@library.example>',
    mind: 'No letter goes out by itself: a person reads it and presses Send.',
  },
  'sources.NAME.language': {
    example: 'pl',
    wrong: 'German',
    mind: 'One of builtin.languages, or of those that the site declares.',
  },
  'sources.NAME.was': {
    example: 'library',
    wrong: '"*"',
    mind: 'Renamed without it, it is a new source: the events of the old one are not its own.',
  },
  'sources.NAME.window.past': WINDOW.past,
  'sources.NAME.window.future': WINDOW.future,
  'sources.NAME.status': { example: 'draft', wrong: 'hidden', mind: KEPT_BY_PEOPLE },
  'sources.NAME.authority': {
    example: '{ title: site, start_date: feed, end_date: feed }',
    wrong: 'ours',
    mind: 'With feed, what people edit is overwritten at the next run.',
  },
  'sources.NAME.missing.action': {
    example: 'cancel',
    wrong: 'delete',
    mind: 'Nothing is deleted for good: trash can be taken back. Past events always stay.',
  },
  'sources.NAME.missing.after': { example: '1', wrong: '0', mind: 'A feed that flickers loses events with 1.' },
  'sources.NAME.hold.share': {
    example: '50%',
    wrong: '"50"',
    mind: 'A run waits only if it passes both, the share and the number.',
  },
  'sources.NAME.hold.more_than': {
    example: '10',
    wrong: '"-1"',
    mind: 'Small feeds need it: one of three events is a third.',
  },
  'sources.NAME.categories.map': {
    example: '{ Konzert: Music, "Vortrag & Gespräch": Talks }',
    wrong: '[Konzert, Music]',
    mind: BY_NAME,
  },
  'sources.NAME.categories.add': { example: '[Library]', wrong: '{ name: Library }', mind: BY_NAME },
  'sources.NAME.categories.unknown': {
    example: 'ignore',
    wrong: 'skip',
    mind: 'The event itself is kept. only, skip, when and words still see the category.',
  },
  'sources.NAME.categories.words': {
    example: '{ Children: [kids, "story time"] }',
    wrong: '[kids]',
    mind: 'Whole words: kid is not found in kids.',
  },
  'sources.NAME.tags.map': { example: '{ gratis: free }', wrong: '[gratis, free]', mind: BY_NAME },
  'sources.NAME.tags.words': {
    example: '{ free: [free entry, gratis] }',
    wrong: '[free entry]',
    mind: 'Whole words: free is not found in freedom.',
  },
  'sources.NAME.tags.add': { example: '[imported]', wrong: '{ name: imported }', mind: BY_NAME },
  'sources.NAME.venue.default': { example: 'Main Library', wrong: '""', mind: BY_NAME },
  'sources.NAME.venue.aliases': {
    example: '{ Central Libr.: Main Library }',
    wrong: '[Main Library]',
    mind: 'The name in the feed comes first.',
  },
  'sources.NAME.organizer.default': { example: 'City Library', wrong: '""', mind: BY_NAME },
  'sources.NAME.organizer.aliases': {
    example: '{ lib: City Library }',
    wrong: '[City Library]',
    mind: 'The name in the feed comes first.',
  },
  'sources.NAME.set': {
    example: '[{ when: [{ field: title, matches: "^Library: (.+)$" }], title: "{1}" }]',
    wrong: '{ title: Library }',
    mind: 'A list: each part begins with a dash. They apply one after the other.',
  },
  'sources.NAME.set[].when': {
    example: '[{ field: title, matches: "(?i)concert" }]',
    wrong: '{ field: title, matches: concert }',
    mind: 'All of them must match; for one or the other write two parts.',
  },
  'sources.NAME.set[].only_where_empty': { example: 'true', wrong: 'yes!', mind: 'It is about what the feed says.' },
  'sources.NAME.set[].title': { example: '"{1}"', wrong: '""', mind: 'In quotes, as { begins a map in YAML.' },
  'sources.NAME.set[].description': { example: 'See the programme.', mind: 'Plain text: signs of HTML are shown.' },
  'sources.NAME.set[].excerpt': { example: 'Every Sunday', mind: 'Plain text, too.' },
  'sources.NAME.set[].website': { example: 'https://library.example/events', mind: 'A whole address, with https:.' },
  'sources.NAME.set[].image': {
    example: 'https://library.example/hall.jpg',
    mind: 'The site fetches it, and keeps a copy.',
  },
  'sources.NAME.set[].cost': {
    example: 'free',
    mind: 'A number gets the sign of the currency; a word is left unchanged.',
  },
  'sources.NAME.set[].status': { example: 'draft', wrong: 'hidden', mind: KEPT_BY_PEOPLE },
  'sources.NAME.set[].featured': {
    example: 'true',
    wrong: '"on"',
    mind: 'Shown large; few at a time, or it means nothing.',
  },
  'sources.NAME.set[].sticky': { example: 'true', wrong: '"on"', mind: 'First of its day in the month.' },
  'sources.NAME.set[].hide_from_listings': { example: 'true', wrong: '"on"', mind: 'Its page stays public.' },
  'sources.NAME.set[].show_map': { example: 'false', wrong: '"on"', mind: 'Needs a place with an address.' },
  'sources.NAME.set[].show_map_link': { example: 'false', wrong: '"on"', mind: 'Needs a place with an address.' },
  'sources.NAME.set[].categories': {
    example: '[Music]',
    wrong: '{ name: Music }',
    mind: 'Replaces those of the feed; add_categories keeps them.',
  },
  'sources.NAME.set[].add_categories': {
    example: '[Music]',
    wrong: '{ name: Music }',
    mind: 'Keeps those of the feed.',
  },
  'sources.NAME.set[].tags': {
    example: '[open-air]',
    wrong: '{ name: Music }',
    mind: 'Replaces those of the feed; add_tags keeps them.',
  },
  'sources.NAME.set[].add_tags': { example: '[open-air]', wrong: '{ name: Music }', mind: 'Keeps those of the feed.' },
  'sources.NAME.set[].venue': { example: 'Main Library', mind: BY_NAME },
  'sources.NAME.set[].address': { example: '12 High Street', mind: 'Venues on the site keep theirs.' },
  'sources.NAME.set[].zip': { example: '"01067"', mind: 'In quotes, or a 0 in front is lost.' },
  'sources.NAME.set[].city': { example: 'Leeds', mind: 'Venues of one name in two towns are two.' },
  'sources.NAME.set[].country': { example: 'Ireland', mind: 'As it should be shown.' },
  'sources.NAME.set[].organizer': { example: 'City Library', mind: BY_NAME },
  'sources.NAME.only': {
    example: '[{ field: title, matches: "(?i)concert|reading" }]',
    wrong: '[concert, reading]',
    mind: 'Every rule has to match; for one or the other use | in one rule.',
  },
  'sources.NAME.only[].field': {
    example: 'categories',
    wrong: 'summary',
    mind: 'The names of the site, not of iCalendar.',
  },
  'sources.NAME.only[].matches': {
    example: '"(?i)^staff"',
    wrong: '"(a+)+"',
    mind: 'Case counts unless it begins with (?i); it matches anywhere unless it begins with ^.',
  },
  'sources.NAME.skip': {
    example: '[{ field: categories, matches: "^Staff$" }]',
    wrong: '[Staff]',
    mind: 'What is skipped comes off the site, as `missing` says.',
  },
  'sources.NAME.auth.bearer': { example: "'${FEED_TOKEN}'", wrong: '""', mind: SECRET_IN_FILE },
  'sources.NAME.auth.basic.username': {
    example: 'reader',
    mind: 'Not in the address: that is logged by others.',
    wrong: '[]',
  },
  'sources.NAME.auth.basic.password': { example: "'${FEED_PASSWORD}'", wrong: '""', mind: SECRET_IN_FILE },
  'sources.NAME.auth.headers': { example: "{ X-Api-Key: '${FEED_KEY}' }", wrong: '[X-Api-Key]', mind: SECRET_IN_FILE },
  'sources.NAME.paused': {
    example: 'true',
    wrong: 'till Monday',
    mind: 'Its events stay. `calsyncd pause` has an end and a reason, and needs no change of the file.',
  },
  'sources.NAME.own_feed': { example: 'true', wrong: 'all', mind: 'Two that read each other go round in circles.' },
  'sources.NAME.columns': {
    example: '{ title: Match, start_date: Kick-off, uid: Match + Kick-off, categories: none }',
    wrong: '{ Match: title }',
    mind: 'The field of an event comes first, then the header as it stands in the table.',
  },
  feeds: {
    example: '{ music: { title: Live music, categories: [music] } }',
    wrong: '[music]',
    mind: 'The name is in the address, /feeds/music.ics: another one loses its subscribers.',
  },
  'feeds.NAME.title': { example: 'Live music', wrong: '""', mind: 'Calendar programs show it to subscribers.' },
  'feeds.NAME.description': { example: 'Concerts in town', mind: 'Few programs show it.' },
  'feeds.NAME.color': {
    example: 'teal',
    wrong: 'light-teal',
    mind: 'Programs may ignore it, and let their users choose.',
  },
  'feeds.NAME.site': { example: 'museum', wrong: 'nowhere', mind: 'A name below `sites`.' },
  'feeds.NAME.language': { example: 'pl', wrong: 'Polish', mind: 'Events without a language have the first one.' },
  'feeds.NAME.categories': {
    example: '[music, talks]',
    wrong: '{ name: music }',
    mind: 'Slugs as in addresses, not the names on the pages; any of them is enough.',
  },
  'feeds.NAME.tags': {
    example: '[free]',
    wrong: '{ name: music }',
    mind: 'Slugs as in addresses, not the names on the pages; any of them is enough.',
  },
  'feeds.NAME.venue': {
    example: '[main-library]',
    wrong: '{ name: music }',
    mind: 'Slugs as in addresses, not the names on the pages; any of them is enough.',
  },
  'feeds.NAME.organizer': {
    example: '[city-library]',
    wrong: '{ name: music }',
    mind: 'Slugs as in addresses, not the names on the pages; any of them is enough.',
  },
  'feeds.NAME.search': { example: 'jazz', wrong: '""', mind: 'In title and text.' },
  'feeds.NAME.featured': { example: 'true', wrong: 'only', mind: 'false: only those that are not.' },
  'feeds.NAME.window.past': WINDOW.past,
  'feeds.NAME.window.future': WINDOW.future,
  'feeds.NAME.variant': { example: 'lite', wrong: 'outlook', mind: 'Google Calendar shows HTML only of google.' },
  'feeds.NAME.cancelled': {
    example: 'title',
    wrong: 'show',
    mind: 'Some programs do not show the status: title helps them.',
  },
  'feeds.NAME.secret': {
    example: "'${STAFF_FEED}'",
    wrong: 'staff',
    mind: 'Anyone who has the address can read it, and pass it on.',
  },
  'feeds.NAME.basic.username': {
    example: 'staff',
    wrong: '""',
    mind: 'Google Calendar cannot ask with a password: use secret.',
  },
  'feeds.NAME.basic.password': { example: "'${STAFF_PASSWORD}'", wrong: '""', mind: SECRET_IN_FILE },
  'alerts.webhook': { ...HOOK, mind: 'For a program of yours; Slack and Teams need receivers of their own.' },
  'alerts.mail.server': {
    example: 'smtp://mail.example.org:587',
    wrong: 'mail.example.org',
    mind: 'smtp on port 587, smtps on 465. A password is only sent encrypted.',
  },
  'alerts.mail.username': { example: 'calendar', wrong: '""', mind: 'Often the whole address.' },
  'alerts.mail.password': { example: "'${SMTP_PASSWORD}'", wrong: '""', mind: SECRET_IN_FILE },
  'alerts.mail.from': {
    example: 'calendar@town.example',
    wrong: 'Calendar',
    mind: 'An address that the server may send for, or mails land in spam.',
  },
  'alerts.receivers': {
    example: '{ clerk: { ntfy: "https://ntfy.sh/${NTFY_TOPIC}" } }',
    wrong: '[clerk@town.example]',
    mind: 'One way each: somebody with mail and phone is two receivers.',
  },
  'alerts.receivers.NAME.mail': { example: 'clerk@town.example', wrong: 'clerk', mind: 'Needs alerts.mail.' },
  'alerts.receivers.NAME.ntfy': {
    example: '"https://ntfy.sh/${NTFY_TOPIC}"',
    wrong: 'my-topic',
    mind: 'Anyone who knows the topic can read the messages.',
  },
  'alerts.receivers.NAME.token': { example: "'${NTFY_TOKEN}'", wrong: '""', mind: 'Only beside ntfy.' },
  'alerts.receivers.NAME.webhook': { ...HOOK, mind: 'Each message has an Idempotency-Key: take it once.' },
  'alerts.receivers.NAME.slack': { ...HOOK, mind: 'Of an incoming webhook, not of the channel.' },
  'alerts.receivers.NAME.teams': { ...HOOK, mind: 'Of a workflow; the old connectors are switched off.' },
  'alerts.receivers.NAME.hears': { example: '[failing, held]', wrong: '[everything]', mind: 'digest has to be named.' },
  'alerts.receivers.NAME.sources': { example: '[city-library]', wrong: '[nowhere]', mind: 'Names as below sources.' },
  'alerts.receivers.NAME.after': { example: '24h', wrong: '1', mind: 'What ends before then is not reported.' },
  'alerts.receivers.NAME.quiet': { example: '"22:00-07:00"', wrong: 'night', mind: 'In the zone of the calendar.' },
  'alerts.receivers.NAME.digest_at': { example: '"07:30"', wrong: '7 am', mind: 'Only if it hears digest.' },
  'alerts.receivers.NAME.code': {
    example: "'${CLERK_CODE}'",
    wrong: '""',
    mind: 'It is in no message: tell it in person.',
  },
  'operator.allow_addresses': {
    example: '[192.168.1.0/24]',
    wrong: '[office]',
    mind: 'Behind a proxy, it is the address of who asks that counts; [0.0.0.0/0, "::/0"] is everybody, who then sign in.',
  },
  'operator.trusted_proxies': {
    example: '[172.18.0.0/16]',
    wrong: '[nginx]',
    mind: 'For proxies on other machines or in containers: otherwise all their visitors count as one.',
  },
  'operator.environment': { example: '[SLACK_WEBHOOK]', wrong: '["${SLACK_WEBHOOK}"]', mind: 'The name alone.' },
  'backup.every': { example: '24h', wrong: '10m', mind: 'One of the processes that sync makes it, on its machine.' },
  'backup.cron': { example: "'30 3 * * *'", wrong: '3:30', mind: 'One that was missed is made at the next start.' },
  'backup.keep': { example: '14', wrong: '0', mind: 'Other files in the folder are left alone.' },
  'backup.folder': {
    example: '/mnt/other-disk/calsyncd',
    wrong: '""',
    mind: 'A backup on the same disk goes with it. The configuration file is in none of them.',
  },
  'metrics.token': { example: "'${METRICS_TOKEN}'", wrong: '""', mind: 'Programs on this machine then need it, too.' },
  'metrics.per_source': { example: 'true', wrong: 'all', mind: 'A scrape of 100,000 sources is 55 MB.' },
  'fetch.contact': {
    example: 'calendar@town.example',
    wrong: '""',
    mind: 'Publishers write to you instead of blocking you.',
  },
  'fetch.allow_addresses': {
    example: '[10.1.2.0/24]',
    wrong: '[intranet.example]',
    mind: 'As small as it can be: everybody who may add a source can read what is there.',
  },
  'fetch.allow_files': { example: '[/srv/feeds]', wrong: '[""]', mind: 'Folders, with all below them.' },
  'fetch.max_megabytes': { example: '80', wrong: '500', mind: 'Reading takes several times as much memory.' },
};
