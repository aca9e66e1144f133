import { eventAnswer } from './event-fields.ts';
import type { Representations } from './representation.ts';
import { anyObject, list, ref, schemasOf, type Schema } from './shape.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const language = { type: 'string', description: 'The language of the item, on a site that keeps languages apart' };
const truth = { type: 'boolean' };
const each = <S extends Schema>(schema: S, ...names: readonly string[]): Record<string, S> =>
  Object.fromEntries(names.map((name) => [name, schema]));

/** An object whose keys are all required except the `optional` ones. */
const object = (properties: Record<string, Schema>, optional: Record<string, Schema> = {}): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
});

const post = {
  id: integer,
  global_id: text,
  global_id_lineage: list(text),
  author: { ...text, description: 'A user id, as text' },
  ...each(text, 'status', 'date', 'date_utc', 'modified', 'modified_utc', 'url', 'slug'),
};
const linked = (name: string, own: Record<string, Schema>, optional: Record<string, Schema>): Schema =>
  object(
    { ...post, [name]: text, ...own },
    {
      description: text,
      excerpt: text,
      image: ref('Image'),
      json_ld: { type: 'object' },
      translation_language: language,
      ...optional,
    },
  );
const page = (name: string, items: string): Schema =>
  object(
    { rest_url: text, total: integer, total_pages: integer, [name]: list(ref(items)) },
    each(text, 'next_rest_url', 'previous_rest_url'),
  );

const event = schemasOf(eventAnswer);

/** What the interface returns, for the OpenAPI document. */
export const schemas = {
  DateDetails: object(each(text, 'year', 'month', 'day', 'hour', 'minutes', 'seconds')),
  ImageSize: object({ ...each(integer, 'width', 'height', 'filesize'), ...each(text, 'mime-type', 'url') }),
  Image: object(
    { id: integer, ...each(text, 'url', 'extension') },
    {
      ...each(integer, 'width', 'height', 'filesize'),
      sizes: { type: 'object', additionalProperties: ref('ImageSize') },
    },
  ),
  CostDetails: object({ ...each(text, 'currency_symbol', 'currency_code', 'currency_position'), values: list(text) }),
  EventTerm: object({
    ...each(integer, 'id', 'parent', 'count', 'term_group', 'term_taxonomy_id'),
    ...each(text, 'name', 'slug', 'taxonomy', 'description', 'filter'),
    urls: { type: 'object', additionalProperties: text },
  }),
  Term: object(
    {
      id: integer,
      count: integer,
      ...each(text, 'description', 'name', 'slug', 'taxonomy', 'url'),
      meta: anyObject,
      urls: { type: 'object', additionalProperties: text },
    },
    {
      parent: integer,
      _links: { type: 'object' },
      _embedded: { type: 'object', description: 'What embeddable links lead to, where `_embed` asks for it' },
      translation_language: language,
    },
  ),
  Venue: linked(
    'venue',
    { show_map: truth, show_map_link: truth },
    {
      ...each(text, 'address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website', 'stateprovince'),
      ...each({ type: 'number' }, 'geo_lat', 'geo_lng'),
    },
  ),
  Organizer: linked('organizer', {}, each(text, 'phone', 'website', 'email')),
  Event: object(
    { ...post, ...event.required },
    {
      json_ld: { type: 'object', description: 'schema.org data; only where one event is read' },
      translation_language: language,
      ...event.optional,
    },
  ),
  EventPage: page('events', 'Event'),
  VenuePage: page('venues', 'Venue'),
  OrganizerPage: page('organizers', 'Organizer'),
  CategoryPage: page('categories', 'Term'),
  TagPage: page('tags', 'Term'),
  BatchItem: { ...object({ body: {}, status: integer, headers: anyObject }), nullable: true },
  BatchAnswer: object({ responses: list(ref('BatchItem')) }, { failed: { ...text, enum: ['validation'] } }),
  Embed: object(
    { version: text, type: text },
    {
      ...each(
        text,
        'title',
        'html',
        'url',
        'provider_name',
        'provider_url',
        'author_name',
        'author_url',
        'thumbnail_url',
      ),
      ...each({ ...integer, nullable: true }, 'width', 'height'),
      ...each(integer, 'thumbnail_width', 'thumbnail_height'),
    },
  ),
  NamespaceIndex: object({
    namespace: text,
    routes: { type: 'object', additionalProperties: ref('Route') },
    _links: { type: 'object' },
  }),
  SiteIndex: object({
    ...each(text, 'name', 'description', 'url', 'home', 'timezone_string', 'show_on_front'),
    gmt_offset: { oneOf: [{ type: 'number' }, text] },
    page_for_posts: integer,
    page_on_front: integer,
    namespaces: list(text),
    authentication: anyObject,
    routes: { type: 'object', additionalProperties: ref('Route') },
  }),
  Route: object(
    { namespace: text, methods: list(text), endpoints: list({ type: 'object' }) },
    { _links: { type: 'object' } },
  ),
  Document: { type: 'object', description: 'This document' },
  Problem: object(
    {
      code: text,
      message: text,
      data: {
        ...object(
          { status: integer },
          { params: { oneOf: [list(text), { type: 'object', additionalProperties: text }] }, details: anyObject },
        ),
      },
    },
    { additional_data: list({}) },
  ),
} as const satisfies Record<keyof Representations | 'Problem', Schema> & Record<string, Schema>;
