import { batchArgs } from './batch.ts';
import { endpoint, type Contract } from './endpoint.ts';
import { eventArgs } from './event.ts';
import { organizerArgs } from './organizer.ts';
import type { BatchAnswer, CategoryPage, Event, EventPage, Organizer, OrganizerPage, TagPage, TermRecord, Venue, VenuePage } from './representation.ts';
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

/** The whole interface. The order is that of the self-description. */
export const api = {
  siteIndex: endpoint<unknown>()({ ...read, namespace: '', path: '/', summary: 'The site and all of its routes', args: siteIndexArgs }),
  sendBatch: endpoint<BatchAnswer>()({ methods: ['POST'], namespace: '', path: '/batch/v1', summary: 'Several writes in one request', args: batchArgs, status: 207 }),
  readEmbed: endpoint<unknown>()({ ...read, namespace: 'oembed/1.0', path: '/embed', summary: 'oEmbed data of a page of this site', args: embedArgs }),
  readEmbedProxy: endpoint<unknown>()({ ...read, ...editing, namespace: 'oembed/1.0', path: '/proxy', summary: 'oEmbed data of any page', args: embedProxyArgs }),

  namespaceIndex: endpoint<unknown>()({ ...read, path: '', summary: 'The routes of this namespace', args: namespaceIndexArgs }),
  readDoc: endpoint<unknown>()({ ...read, path: '/doc', summary: 'This document', args: docArgs }),

  listEvents: endpoint<EventPage>()({ ...read, path: '/events', summary: 'List events', args: eventArgs.list }),
  createEvent: endpoint<Event>()({ ...create, ...editing, path: '/events', summary: 'Create an event', args: eventArgs.create }),
  readEvent: endpoint<Event>()({ ...read, path: '/events/{id}', summary: 'Read an event', args: eventArgs.byId }),
  deleteEvent: endpoint<Event>()({ ...remove, ...editing, path: '/events/{id}', summary: 'Move an event to the trash', args: eventArgs.byId }),
  updateEvent: endpoint<Event>()({ ...update, ...editing, path: '/events/{id}', summary: 'Change an event', args: eventArgs.update }),
  readEventBySlug: endpoint<Event>()({ ...read, path: '/events/by-slug/{slug}', summary: 'Read an event', args: eventArgs.bySlug }),
  deleteEventBySlug: endpoint<Event>()({ ...remove, ...editing, path: '/events/by-slug/{slug}', summary: 'Move an event to the trash', args: eventArgs.bySlug }),
  updateEventBySlug: endpoint<Event>()({ ...update, ...editing, path: '/events/by-slug/{slug}', summary: 'Change an event', args: eventArgs.updateBySlug }),

  listVenues: endpoint<VenuePage>()({ ...read, path: '/venues', summary: 'List venues', args: venueArgs.list }),
  createVenue: endpoint<Venue>()({ ...create, ...editing, path: '/venues', summary: 'Create a venue', args: venueArgs.create }),
  readVenue: endpoint<Venue>()({ ...read, path: '/venues/{id}', summary: 'Read a venue', args: venueArgs.byId }),
  deleteVenue: endpoint<Venue>()({ ...remove, ...editing, path: '/venues/{id}', summary: 'Move a venue to the trash', args: venueArgs.byId }),
  updateVenue: endpoint<Venue>()({ ...update, ...editing, path: '/venues/{id}', summary: 'Change a venue', args: venueArgs.update }),
  readVenueBySlug: endpoint<Venue>()({ ...read, path: '/venues/by-slug/{slug}', summary: 'Read a venue', args: venueArgs.bySlug }),
  deleteVenueBySlug: endpoint<Venue>()({ ...remove, ...editing, path: '/venues/by-slug/{slug}', summary: 'Move a venue to the trash', args: venueArgs.bySlug }),
  updateVenueBySlug: endpoint<Venue>()({ ...update, ...editing, path: '/venues/by-slug/{slug}', summary: 'Change a venue', args: venueArgs.updateBySlug }),

  listOrganizers: endpoint<OrganizerPage>()({ ...read, path: '/organizers', summary: 'List organizers', args: organizerArgs.list }),
  createOrganizer: endpoint<Organizer>()({ ...create, ...editing, path: '/organizers', summary: 'Create an organizer', args: organizerArgs.create }),
  readOrganizer: endpoint<Organizer>()({ ...read, path: '/organizers/{id}', summary: 'Read an organizer', args: organizerArgs.byId }),
  deleteOrganizer: endpoint<Organizer>()({ ...remove, ...editing, path: '/organizers/{id}', summary: 'Move an organizer to the trash', args: organizerArgs.byId }),
  updateOrganizer: endpoint<Organizer>()({ ...update, ...editing, path: '/organizers/{id}', summary: 'Change an organizer', args: organizerArgs.update }),
  readOrganizerBySlug: endpoint<Organizer>()({ ...read, path: '/organizers/by-slug/{slug}', summary: 'Read an organizer', args: organizerArgs.bySlug }),
  deleteOrganizerBySlug: endpoint<Organizer>()({ ...remove, ...editing, path: '/organizers/by-slug/{slug}', summary: 'Move an organizer to the trash', args: organizerArgs.bySlug }),
  updateOrganizerBySlug: endpoint<Organizer>()({ ...update, ...editing, path: '/organizers/by-slug/{slug}', summary: 'Change an organizer', args: organizerArgs.updateBySlug }),

  listCategories: endpoint<CategoryPage>()({ ...read, path: '/categories', summary: 'List event categories', args: categoryArgs.list }),
  createCategory: endpoint<TermRecord>()({ ...create, ...sorting, path: '/categories', summary: 'Create an event category', args: categoryArgs.create }),
  readCategory: endpoint<TermRecord>()({ ...read, path: '/categories/{id}', summary: 'Read an event category', args: categoryArgs.byId }),
  updateCategory: endpoint<TermRecord>()({ ...update, ...sorting, path: '/categories/{id}', summary: 'Change an event category', args: categoryArgs.update }),
  deleteCategory: endpoint<TermRecord>()({ ...remove, ...sorting, path: '/categories/{id}', summary: 'Delete an event category for good', args: categoryArgs.byId }),

  listTags: endpoint<TagPage>()({ ...read, path: '/tags', summary: 'List event tags', args: tagArgs.list }),
  createTag: endpoint<TermRecord>()({ ...create, ...tagging, path: '/tags', summary: 'Create an event tag', args: tagArgs.create }),
  readTag: endpoint<TermRecord>()({ ...read, path: '/tags/{id}', summary: 'Read an event tag', args: tagArgs.byId }),
  updateTag: endpoint<TermRecord>()({ ...update, ...tagging, path: '/tags/{id}', summary: 'Change an event tag', args: tagArgs.update }),
  deleteTag: endpoint<TermRecord>()({ ...remove, ...tagging, path: '/tags/{id}', summary: 'Delete an event tag for good', args: tagArgs.byId }),
} satisfies Contract;

export type Api = typeof api;
