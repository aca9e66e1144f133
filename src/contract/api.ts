import { batchArgs } from './batch.ts';
import { endpoint, type Contract } from './endpoint.ts';
import { eventArgs } from './event.ts';
import { organizerArgs } from './organizer.ts';
import { docArgs, embedArgs, embedProxyArgs, namespaceIndexArgs, siteIndexArgs } from './site-args.ts';
import { categoryArgs, tagArgs } from './term.ts';
import { venueArgs } from './venue.ts';

const read = { methods: ['GET'] } as const;
const create = { methods: ['POST'], status: 201, batch: true } as const;
const update = { methods: ['POST', 'PUT', 'PATCH'], batch: true } as const;
const remove = { methods: ['DELETE'], batch: true } as const;
const editing = { right: 'edit-events' } as const;
const sorting = { right: 'manage-categories' } as const;
const tagging = { right: 'manage-tags' } as const;

/** The whole interface, in the order of the self-description. */
export const api = {
  siteIndex: endpoint({
    ...read,
    namespace: '',
    path: '/',
    summary: 'The site and all of its routes',
    args: siteIndexArgs,
    answers: 'SiteIndex',
  }),
  sendBatch: endpoint({
    methods: ['POST'],
    namespace: '',
    path: '/batch/v1',
    summary: 'Several writes in one request',
    args: batchArgs,
    status: 207,
    answers: 'BatchAnswer',
  }),
  readEmbed: endpoint({
    ...read,
    namespace: 'oembed/1.0',
    path: '/embed',
    summary: 'oEmbed data of a page of this site',
    args: embedArgs,
    answers: 'Embed',
  }),
  readEmbedProxy: endpoint({
    ...read,
    ...editing,
    namespace: 'oembed/1.0',
    path: '/proxy',
    summary: 'oEmbed data of any page',
    args: embedProxyArgs,
    answers: 'Embed',
  }),

  namespaceIndex: endpoint({
    ...read,
    path: '',
    summary: 'The routes of this namespace',
    args: namespaceIndexArgs,
    answers: 'NamespaceIndex',
  }),
  readDoc: endpoint({ ...read, path: '/doc', summary: 'This document', args: docArgs, answers: 'Document' }),

  listEvents: endpoint({
    ...read,
    path: '/events',
    summary: 'List events',
    args: eventArgs.list,
    answers: 'EventPage',
  }),
  createEvent: endpoint({
    ...create,
    ...editing,
    path: '/events',
    summary: 'Create an event',
    args: eventArgs.create,
    answers: 'Event',
  }),
  readEvent: endpoint({
    ...read,
    path: '/events/{id}',
    summary: 'Read an event',
    args: eventArgs.byId,
    answers: 'Event',
  }),
  deleteEvent: endpoint({
    ...remove,
    ...editing,
    path: '/events/{id}',
    summary: 'Move an event to the trash',
    args: eventArgs.byId,
    answers: 'Event',
  }),
  updateEvent: endpoint({
    ...update,
    ...editing,
    path: '/events/{id}',
    summary: 'Change an event',
    args: eventArgs.update,
    answers: 'Event',
  }),
  readEventBySlug: endpoint({
    ...read,
    path: '/events/by-slug/{slug}',
    summary: 'Read an event',
    args: eventArgs.bySlug,
    answers: 'Event',
  }),
  deleteEventBySlug: endpoint({
    ...remove,
    ...editing,
    path: '/events/by-slug/{slug}',
    summary: 'Move an event to the trash',
    args: eventArgs.bySlug,
    answers: 'Event',
  }),
  updateEventBySlug: endpoint({
    ...update,
    ...editing,
    path: '/events/by-slug/{slug}',
    summary: 'Change an event',
    args: eventArgs.updateBySlug,
    answers: 'Event',
  }),

  listVenues: endpoint({
    ...read,
    path: '/venues',
    summary: 'List venues',
    args: venueArgs.list,
    answers: 'VenuePage',
  }),
  createVenue: endpoint({
    ...create,
    ...editing,
    path: '/venues',
    summary: 'Create a venue',
    args: venueArgs.create,
    answers: 'Venue',
  }),
  readVenue: endpoint({
    ...read,
    path: '/venues/{id}',
    summary: 'Read a venue',
    args: venueArgs.byId,
    answers: 'Venue',
  }),
  deleteVenue: endpoint({
    ...remove,
    ...editing,
    path: '/venues/{id}',
    summary: 'Move a venue to the trash',
    args: venueArgs.byId,
    answers: 'Venue',
  }),
  updateVenue: endpoint({
    ...update,
    ...editing,
    path: '/venues/{id}',
    summary: 'Change a venue',
    args: venueArgs.update,
    answers: 'Venue',
  }),
  readVenueBySlug: endpoint({
    ...read,
    path: '/venues/by-slug/{slug}',
    summary: 'Read a venue',
    args: venueArgs.bySlug,
    answers: 'Venue',
  }),
  deleteVenueBySlug: endpoint({
    ...remove,
    ...editing,
    path: '/venues/by-slug/{slug}',
    summary: 'Move a venue to the trash',
    args: venueArgs.bySlug,
    answers: 'Venue',
  }),
  updateVenueBySlug: endpoint({
    ...update,
    ...editing,
    path: '/venues/by-slug/{slug}',
    summary: 'Change a venue',
    args: venueArgs.updateBySlug,
    answers: 'Venue',
  }),

  listOrganizers: endpoint({
    ...read,
    path: '/organizers',
    summary: 'List organizers',
    args: organizerArgs.list,
    answers: 'OrganizerPage',
  }),
  createOrganizer: endpoint({
    ...create,
    ...editing,
    path: '/organizers',
    summary: 'Create an organizer',
    args: organizerArgs.create,
    answers: 'Organizer',
  }),
  readOrganizer: endpoint({
    ...read,
    path: '/organizers/{id}',
    summary: 'Read an organizer',
    args: organizerArgs.byId,
    answers: 'Organizer',
  }),
  deleteOrganizer: endpoint({
    ...remove,
    ...editing,
    path: '/organizers/{id}',
    summary: 'Move an organizer to the trash',
    args: organizerArgs.byId,
    answers: 'Organizer',
  }),
  updateOrganizer: endpoint({
    ...update,
    ...editing,
    path: '/organizers/{id}',
    summary: 'Change an organizer',
    args: organizerArgs.update,
    answers: 'Organizer',
  }),
  readOrganizerBySlug: endpoint({
    ...read,
    path: '/organizers/by-slug/{slug}',
    summary: 'Read an organizer',
    args: organizerArgs.bySlug,
    answers: 'Organizer',
  }),
  deleteOrganizerBySlug: endpoint({
    ...remove,
    ...editing,
    path: '/organizers/by-slug/{slug}',
    summary: 'Move an organizer to the trash',
    args: organizerArgs.bySlug,
    answers: 'Organizer',
  }),
  updateOrganizerBySlug: endpoint({
    ...update,
    ...editing,
    path: '/organizers/by-slug/{slug}',
    summary: 'Change an organizer',
    args: organizerArgs.updateBySlug,
    answers: 'Organizer',
  }),

  listCategories: endpoint({
    ...read,
    path: '/categories',
    summary: 'List event categories',
    args: categoryArgs.list,
    answers: 'CategoryPage',
  }),
  createCategory: endpoint({
    ...create,
    ...sorting,
    path: '/categories',
    summary: 'Create an event category',
    args: categoryArgs.create,
    answers: 'Term',
  }),
  readCategory: endpoint({
    ...read,
    path: '/categories/{id}',
    summary: 'Read an event category',
    args: categoryArgs.byId,
    answers: 'Term',
  }),
  updateCategory: endpoint({
    ...update,
    ...sorting,
    path: '/categories/{id}',
    summary: 'Change an event category',
    args: categoryArgs.update,
    answers: 'Term',
  }),
  deleteCategory: endpoint({
    ...remove,
    ...sorting,
    path: '/categories/{id}',
    summary: 'Delete an event category for good',
    args: categoryArgs.byId,
    answers: 'Term',
  }),

  listTags: endpoint({ ...read, path: '/tags', summary: 'List event tags', args: tagArgs.list, answers: 'TagPage' }),
  createTag: endpoint({
    ...create,
    ...tagging,
    path: '/tags',
    summary: 'Create an event tag',
    args: tagArgs.create,
    answers: 'Term',
  }),
  readTag: endpoint({ ...read, path: '/tags/{id}', summary: 'Read an event tag', args: tagArgs.byId, answers: 'Term' }),
  updateTag: endpoint({
    ...update,
    ...tagging,
    path: '/tags/{id}',
    summary: 'Change an event tag',
    args: tagArgs.update,
    answers: 'Term',
  }),
  deleteTag: endpoint({
    ...remove,
    ...tagging,
    path: '/tags/{id}',
    summary: 'Delete an event tag for good',
    args: tagArgs.byId,
    answers: 'Term',
  }),
} satisfies Contract;

export type Api = typeof api;
