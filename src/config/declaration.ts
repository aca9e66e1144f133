import { ALERT_KIND_NAMES, ALERT_KINDS } from './alerts/alert-kinds.ts';
import { COLUMN_FIELDS } from '../csv/columns.ts';
import { FIELD_NAMES, FIELDS, FLAGS, TEXTS, type FieldName } from '../sync/model/fields.ts';
import { FORMAT_NAMES } from '../sync/formats/format-kinds.ts';
import { KINDS, type KindName, type KindValue } from './kinds.ts';
import type { Schema } from './schema.ts';
import type { Secret } from './secret.ts';
import {
  either,
  flag,
  integer,
  list,
  map,
  object,
  oneOf,
  optional,
  text,
  typed,
  type TypedSchema,
  type ValueOf,
} from './typed-schema.ts';

// The single declaration of the configuration file, from which parsing, editor completion and types derive. `kind`
// names an entry in kinds.ts; a `writeOnly` text is a secret; a value with a default may be omitted.

const kind = <K extends KindName>(name: K, description: string, options: Schema = {}) =>
  typed<KindValue<K>>({ type: 'string', kind: name, pattern: KINDS[name].pattern, description, ...options });
const secret = (description: string) => typed<Secret>({ type: 'string', writeOnly: true, minLength: 1, description });

const NAME = '^(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';
const nameOptions = {
  keys: 'a name of at most 64 letters (a to z, A to Z), digits, ".", "_" and "-", with at least one letter',
};
const AUTHORITIES = ['preserve', 'feed', 'site'] as const;

const Site = object(
  {
    url: kind('site', '"builtin" for the built-in site, or the API root of another: https://example.org/wp-json', {
      default: 'builtin',
    }),
    namespace: kind(
      'namespace',
      'The namespace of its events interface; The Events Calendar on WordPress: tribe/events/v1',
      { default: 'calendar/events/v1' },
    ),
    username: optional(text('The user whose application password is used', { minLength: 1 })),
    application_password: optional(
      secret('An application password of that user, best as ${NAME} from the environment'),
    ),
    language: optional(kind('language', 'The language sent with every write, where language_parameter is set')),
    language_parameter: optional(
      text('The name of the parameter in which the site takes a language', { pattern: '^[A-Za-z_][A-Za-z0-9_-]*$' }),
    ),
    requests_in_flight: integer('How many requests the site gets at the same time', 1, 64, { default: 4 }),
    full_every: kind('duration', 'How often a feed is compared with the site as a whole, even if it is unchanged', {
      default: '24h',
      least: '1m',
    }),
  },
  'The site that is kept in step',
);

const Builtin = object(
  {
    title: text('The name of the calendar on its pages', { default: 'Calendar', minLength: 1 }),
    description: text('A line about it', { default: '' }),
    timezone: kind('zone', 'The zone of the calendar', { default: 'UTC' }),
    languages: list(kind('language', 'A language'), 'The languages that an event may have; the first is the default', {
      default: ['en', 'pl'],
      minItems: 1,
    }),
    public_url: kind(
      'publicUrl',
      'The address under which people reach it, where that is not the address of the program',
      { default: '' },
    ),
    brand: optional(
      kind('color', 'The colour of its pages and of the console: their links, buttons and the band at the top'),
    ),
    logo: optional(
      kind(
        'logo',
        'The picture beside its name: file:logo.svg beside this file, or the address of one on another site',
      ),
    ),
    suggestions: flag('Whether visitors may suggest events, which are published once an editor agrees', {
      default: false,
    }),
    trash_days: integer('Days until what is in the trash is deleted', 0, 3650, { default: 30 }),
    currency: object(
      {
        symbol: text('The currency sign', { default: '$', minLength: 1 }),
        position: oneOf(['prefix', 'postfix'], 'Whether the sign stands before or after the amount', {
          default: 'prefix',
        }),
      },
      'The currency of costs that name none',
      { default: {} },
    ),
    namespace_alias: optional(
      kind('namespace', 'A second name for the same routes, for programs that know only one: tribe/events/v1'),
    ),
  },
  'The built-in site',
  { default: {} },
);

/** The fields that rules can look at. */
export const LOOKED_AT = [...FIELD_NAMES, 'uid', 'url', 'class'] as const;

const Rule = object(
  {
    field: oneOf(LOOKED_AT, 'The field to look at'),
    matches: kind('regex', 'A regular expression to find in its text'),
  },
  'A rule on one field',
);

const Rules = (description: string) => list(Rule, description);
const words = (what: string) =>
  map(
    '^',
    list(text('A word, or some in a row', { minLength: 1 }), 'Words', { minItems: 1 }),
    `Name of a ${what}: words; it is given to every event with one of them in its title, description or categories, whatever their case and accents`,
  );
const given = { minLength: 1 };
/** A key for each field, with its description from the table of fields. */
const inWords = <F extends FieldName, T>(fields: readonly F[], value: (description: string) => TypedSchema<T>) =>
  // Object.fromEntries loses the key type, which is that of `fields`.
  Object.fromEntries(fields.map((field) => [field, optional(value(FIELDS[field].words))])) as unknown as Record<
    F,
    ReturnType<typeof optional<T>>
  >;
const SetRule = object(
  {
    when: Rules('The rules that an event must match, all of them; without any, every event does'),
    only_where_empty: flag('Sets only fields that the feed leaves empty', { default: false }),
    ...inWords(TEXTS, text),
    title: optional(
      text(
        'Its title. In this and the other texts {0} is what the first rule of when has found, {1} its first group',
        given,
      ),
    ),
    description: optional(text('Its description, as plain text')),
    status: optional(oneOf(['publish', 'draft', 'pending', 'private'], 'Its status')),
    ...inWords(FLAGS, flag),
    categories: optional(list(text('A name', given), 'Its categories, instead of those that it has', {})),
    add_categories: optional(list(text('A name', given), 'Further categories', {})),
    tags: optional(list(text('A name', given), 'Its tags, instead of those that it has', {})),
    add_tags: optional(list(text('A name', given), 'Further tags', {})),
    venue: optional(text('The name of its venue; "" for none')),
    address: optional(text('The street and number of its venue')),
    zip: optional(text('The postal code of its venue')),
    city: optional(text('The town of its venue')),
    country: optional(text('The country of its venue')),
    organizer: optional(text('The name of its organizer; "" for none')),
  },
  'Fields that are set',
);
const aliases = (what: string) =>
  map(
    '^',
    text('Its name on the site', given),
    `Name of ${what} in the feed: its name on the site. Case, accents and punctuation do not matter`,
  );

const Source = object(
  {
    url: kind('feed', 'Where the feed is: https, http, webcal, or file (relative to this file)'),
    site: optional(text('The site it is for, where there are several')),
    format: optional(oneOf(FORMAT_NAMES, 'The format of the feed; detected if it is left out')),
    every: optional(kind('duration', 'How often it is read; 1h if neither every nor cron is given', { least: '1s' })),
    cron: optional(kind('cron', 'The times at which it is read, instead of every; in the zone of the source')),
    timezone: optional(
      kind('zone', 'The zone of times that the feed gives without one, and in which its times in UTC are shown'),
    ),
    utc_times: oneOf(
      ['local', 'utc'],
      'local: times in UTC are shown in the zone of the source, else in the one that the feed names, else (if it ' +
        'has no other times) in that of the site; utc: they stay in UTC',
      { default: 'local' },
    ),
    publisher: optional(kind('mailbox', 'The mail address of its publisher, to whom the console helps to write')),
    language: optional(
      kind('language', 'The language of its new events, and of the word before the titles of cancelled ones'),
    ),
    was: optional(text('Its name before it was renamed, by which its events are found', { pattern: NAME })),
    window: object(
      {
        past: kind('duration', 'How far back', { default: '30d' }),
        future: kind('duration', 'How far ahead', { default: '540d', least: '1d' }),
      },
      'Which events are read, counted from today',
      { default: {} },
    ),
    status: oneOf(['publish', 'draft', 'pending', 'private'], 'The status of its events', { default: 'publish' }),
    authority: either(
      oneOf(AUTHORITIES, 'For all fields'),
      typed<Partial<Record<FieldName, (typeof AUTHORITIES)[number]>>>(
        object(
          Object.fromEntries(
            FIELD_NAMES.map((field) => [field, optional(oneOf(AUTHORITIES, `Who decides on ${field}`))]),
          ),
          'Field by field; preserve for the others',
        ),
      ),
      'Who wins where feed and site differ: preserve keeps what a person edited, feed and site always win',
      { default: 'preserve' },
    ),
    missing: object(
      {
        action: oneOf(['keep', 'draft', 'cancel', 'trash'], 'What happens to the event', { default: 'trash' }),
        after: integer('How many good readings in a row it has to be missing from', 1, 1000, { default: 3 }),
      },
      'What happens when an event is gone from the feed',
      { default: {} },
    ),
    hold: object(
      {
        share: kind(
          'percent',
          'A run that would remove more than this share of the upcoming events waits for a person',
          { default: '20%' },
        ),
        more_than: integer(
          'A run that would remove this many events or fewer never waits for that reason',
          0,
          1_000_000,
          { default: 3 },
        ),
      },
      'A run that would remove that much waits for a person',
      { default: {} },
    ),
    categories: object(
      {
        map: map('^', text('The name on the site', { minLength: 1 }), 'Name in the feed: name on the site'),
        add: list(text('A name', { minLength: 1 }), 'Given to every event'),
        unknown: oneOf(
          ['create', 'ignore'],
          'What becomes of a category of the feed that neither map, add nor words name',
          {
            default: 'create',
          },
        ),
        words: words('category'),
      },
      'Categories',
      { default: {} },
    ),
    tags: object(
      {
        map: map('^', text('The name on the site', { minLength: 1 }), 'Name in the feed: name on the site'),
        words: words('tag'),
        add: list(text('A name', { minLength: 1 }), 'Given to every event'),
      },
      'Tags',
      { default: {} },
    ),
    venue: object(
      { default: optional(text('The venue of events that name none', { minLength: 1 })), aliases: aliases('a venue') },
      'Venues',
      { default: {} },
    ),
    organizer: object(
      {
        default: optional(text('The organizer of events that name none', { minLength: 1 })),
        aliases: aliases('an organizer'),
      },
      'Organizers',
      { default: {} },
    ),
    set: list(SetRule, 'Fields that are set, rule after rule; only and skip are applied to the result'),
    only: list(Rule, 'Only events that every rule matches'),
    skip: list(Rule, 'No events that any rule matches'),
    auth: object(
      {
        bearer: optional(secret('Sent as Authorization: Bearer')),
        basic: optional(
          object({ username: text('The user'), password: secret('The password') }, 'Sent as Authorization: Basic'),
        ),
        headers: map("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", secret('The value'), 'Further headers', {
          keys: 'the name of a header',
        }),
      },
      'How the feed is requested',
      { default: {} },
    ),
    paused: flag('While this is true, the feed is read only when a person asks for it', {
      default: false,
    }),
    own_feed: flag('Lets it read a calendar that this program itself publishes, which is otherwise refused', {
      default: false,
    }),
    columns: typed<Readonly<Record<string, string>>>(
      object(
        Object.fromEntries(
          COLUMN_FIELDS.map((field) => [
            field,
            optional(text(`The header of the column for ${field}`, { minLength: 1 })),
          ]),
        ),
        'CSV: the field of an event and the header of its column, where it is not found by its name; ' +
          'of several columns with " + " between them (Name + Date); none where a column is taken for what it is not',
        { default: {} },
      ),
    ),
  },
  'A feed whose events go to the site',
);

const idOrSlug = (description: string) => optional(list(text('An id or a slug', { minLength: 1 }), description, {}));

const Feed = object(
  {
    title: optional(text('Its name in calendar programs', { minLength: 1 })),
    description: optional(text('A line about it')),
    color: optional(kind('color', 'Its colour in calendar programs')),
    site: optional(text('The site it shows, where there are several')),
    language: optional(kind('language', 'Only events of this language')),
    categories: idOrSlug('Only events of one of these categories'),
    tags: idOrSlug('Only events with one of these tags'),
    venue: idOrSlug('Only events at one of these venues'),
    organizer: idOrSlug('Only events of one of these organizers'),
    search: optional(text('Only events with these words', { minLength: 1 })),
    featured: optional(flag('Only featured events, or only others')),
    window: optional(
      object(
        {
          past: kind('duration', 'How far back', { default: '90d' }),
          future: kind('duration', 'How far ahead', { default: '540d', least: '1d' }),
        },
        'Which events are in it, counted from today',
      ),
    ),
    variant: oneOf(
      ['full', 'lite', 'google'],
      'full: text and HTML, pictures; lite: text alone, small; google: HTML where Google Calendar shows it',
      { default: 'full' },
    ),
    cancelled: oneOf(
      ['keep', 'hide', 'title'],
      'Cancelled events: keep marks them by their status, hide leaves them out, title marks them in their title too',
      { default: 'keep' },
    ),
    secret: optional(
      secret(
        'Makes it private: it is only at /feeds/~<secret>/<name>.ics. At least 16 letters, digits, ".", "_" or ' +
          '"-", best as ${NAME} from the environment; another one ends the address before',
      ),
    ),
    basic: optional(
      object(
        { username: text('The user', { minLength: 1 }), password: secret('The password') },
        'Makes it private: it asks for a user and a password',
      ),
    ),
  },
  'A calendar that goes out',
);

const secretAddress = (name: KindName, description: string) =>
  typed<Secret>({ type: 'string', kind: name, pattern: KINDS[name].pattern, writeOnly: true, description });

const Receiver = object(
  {
    mail: optional(kind('mailbox', 'Gets mails; needs alerts.mail')),
    ntfy: optional(secretAddress('web', 'Gets messages of ntfy: https://ntfy.sh/ and a topic that is hard to guess')),
    token: optional(secret('An access token of the ntfy server')),
    webhook: optional(secretAddress('web', 'Gets a POST with JSON')),
    slack: optional(secretAddress('web', 'Gets messages in Slack: the address of an incoming webhook')),
    teams: optional(
      secretAddress('web', 'Gets messages in Teams: the address of a workflow that posts to a channel or chat'),
    ),
    hears: list(
      oneOf(ALERT_KIND_NAMES, ALERT_KIND_NAMES.map((name) => `${name}: ${ALERT_KINDS[name]}`).join('; ')),
      'What it is notified about',
      { default: ALERT_KIND_NAMES.filter((name) => name !== 'digest'), minItems: 1 },
    ),
    sources: list(
      text('The name of a source', { minLength: 1 }),
      'Only about these sources; about all if it is left out',
    ),
    after: kind('duration', 'Only what has lasted this long', { default: '0s' }),
    quiet: optional(kind('hours', 'Hours without messages, which come afterwards if they are still true: 22:00-07:00')),
    digest_at: kind('clock', 'When the digest comes, in the zone of the calendar', { default: '08:00' }),
    code: optional(
      secret(
        'Lets it decide on a held run without signing in: its messages get a second link, whose page asks for this code',
      ),
    ),
  },
  'Somebody who is notified',
);

const MailServer = object(
  {
    server: kind(
      'mailServer',
      'The server that sends the mails: smtp://mail.example.org:587 or smtps://mail.example.org',
    ),
    username: optional(text('The user there', { minLength: 1 })),
    password: optional(secret('The password there')),
    from: kind('mailbox', 'The address that mails come from'),
  },
  'How mails are sent',
);

/** The whole file. */
export const ConfigFile = object(
  {
    site: optional(Site),
    sites: optional(
      map(NAME, Site, 'Several sites by name, instead of site', {
        ...nameOptions,
        minProperties: 1,
        default: undefined,
      }),
    ),
    builtin: Builtin,
    sources: map(NAME, Source, 'The feeds that come in, by name', nameOptions),
    feeds: map(NAME, Feed, 'The calendars that go out, by name: /feeds/<name>.ics', nameOptions),
    alerts: object(
      {
        webhook: optional(secretAddress('web', 'Gets a POST with JSON when a run is held or a source keeps failing')),
        mail: optional(MailServer),
        receivers: map(NAME, Receiver, 'Who is notified, by name', nameOptions),
      },
      'Who is notified',
      { default: {} },
    ),
    operator: object(
      {
        allow_addresses: list(
          kind('network', 'A network'),
          'Networks from which the operator console at /operator may be used, besides this machine',
        ),
        trusted_proxies: list(
          kind('network', 'A network'),
          'Networks of reverse proxies that say for whom they ask (X-Forwarded-For), besides those on this machine',
        ),
        environment: list(
          text('The name of an environment variable', { pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }),
          'Environment variables that administrators may name as ${NAME} in forms of the console: they can learn what these hold',
        ),
      },
      'The operator console',
      { default: {} },
    ),
    backup: object(
      {
        every: optional(kind('duration', 'How often a backup is made', { least: '1h' })),
        cron: optional(kind('cron', 'When a backup is made, instead of every; in the zone of the calendar')),
        keep: integer('How many backups stay in the folder; the oldest go', 1, 1000, { default: 7 }),
        folder: optional(
          text(
            'Where they are written, beside this file if it does not begin with a slash; in the data directory where it is left out. Best on another disk',
            { minLength: 1 },
          ),
        ),
      },
      'Backups that make themselves; none without every or cron',
      { default: {} },
    ),
    metrics: object(
      {
        token: optional(
          secret(
            'Requests with it as Authorization: Bearer may read /metrics; best as ${NAME} from the environment. Without it only programs on this machine may',
          ),
        ),
        per_source: flag('Each source has values of its own there, also if there are more than 1,000', {
          default: false,
        }),
      },
      'What programs that watch this one may read',
      { default: {} },
    ),
    fetch: object(
      {
        contact: optional(text('An address of a person, shown to the servers of the feeds', { minLength: 3 })),
        allow_addresses: list(
          kind('network', 'A network'),
          'Networks that feeds may be in besides the public internet',
        ),
        allow_files: list(
          text('A directory', { minLength: 1 }),
          'Directories that feeds may be in besides that of this file',
        ),
        max_megabytes: integer(
          'How large a feed may be, in MB, also unpacked; reading one takes several times as much memory',
          1,
          200,
          { default: 50 },
        ),
      },
      'How feeds are fetched',
      { default: {} },
    ),
  },
  'The configuration of calsyncd',
  { default: {} },
);

/**
 * The file's content after parsing: durations in milliseconds, percentages as fractions of one, secrets wrapped,
 * defaults applied.
 */
export type ConfigFile = ValueOf<typeof ConfigFile>;
export type SourceEntry = ValueOf<typeof Source>;
export type SiteEntry = ValueOf<typeof Site>;
export type FeedEntry = ValueOf<typeof Feed>;
export type ReceiverEntry = ValueOf<typeof Receiver>;
