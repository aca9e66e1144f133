import { offsetAt } from '../../../src/time.ts';
import type { Params, Reply } from './reply.ts';
import type { Site } from './site.ts';

/** GET /: the site's identity and namespaces. `_fields` selects keys. */
export function siteIndex(site: Site, params: Params): Reply {
  const offset = offsetAt(site.now(), site.timezone) / 60;
  const isFixed = site.timezone.startsWith('UTC');
  const body: Record<string, unknown> = {
    name: 'Caf&eacute; &amp; Culture',
    description: '',
    url: site.home,
    home: site.home,
    gmt_offset: isFixed ? String(offset) : offset,
    timezone_string: isFixed ? '' : site.timezone,
    page_for_posts: 0,
    page_on_front: 0,
    show_on_front: 'posts',
    namespaces: ['oembed/1.0', site.namespace, 'wp/v2', 'wp-site-health/v1'],
    authentication: {
      'application-passwords': { endpoints: { authorization: `${site.home}/wp-admin/authorize-application.php` } },
    },
    routes: { '/': {} },
  };
  const fields = params['_fields'] === undefined ? Object.keys(body) : String(params['_fields']).split(',');
  return {
    status: 200,
    body: Object.fromEntries(fields.filter((field) => field in body).map((field) => [field, body[field]])),
  };
}

const RESOURCES = {
  events: ['title', 'start_date', 'end_date'],
  venues: ['venue'],
  organizers: ['organizer'],
  categories: ['name'],
  tags: ['name'],
};

/** GET /NAMESPACE: the routes with their arguments. None allows batches; venues have no coordinates. */
export function namespaceIndex(site: Site): Reply {
  const routes = Object.fromEntries(
    Object.entries(RESOURCES).map(([resource, required]) => [
      `/${site.namespace}/${resource}`,
      {
        namespace: site.namespace,
        methods: ['GET', 'POST'],
        endpoints: [
          {
            methods: ['GET'],
            args: {
              page: { default: 1, type: 'integer', required: false },
              per_page: { default: '10', type: 'integer', required: false },
            },
          },
          {
            methods: ['POST'],
            args: Object.fromEntries(required.map((name) => [name, { type: 'string', required: true }])),
          },
        ],
        _links: { self: [{ href: `${site.root}/${site.namespace}/${resource}` }] },
      },
    ]),
  );
  return {
    status: 200,
    body: {
      namespace: site.namespace,
      routes: {
        [`/${site.namespace}`]: {
          namespace: site.namespace,
          methods: ['GET'],
          endpoints: [{ methods: ['GET'], args: [] }],
        },
        ...routes,
      },
      _links: { up: [{ href: `${site.root}/` }] },
    },
  };
}
