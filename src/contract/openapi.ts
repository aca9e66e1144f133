import type { Arg, ArgContext } from './arg.ts';
import { routesOf, type Place, type Route } from './describe.ts';
import { pathParams, type Contract, type Endpoint, type Method } from './endpoint.ts';
import { statusOfCode } from './problem-codes.ts';
import { schemas } from './schemas.ts';
import type { Schema } from './shape.ts';

/** The OpenAPI 3.0 document of a contract: every operation with its parameters, body and responses. */
export function openapi(
  contract: Contract,
  info: { readonly title: string; readonly description: string; readonly version: string },
  place: Place,
): object {
  const paths = routesOf(contract, place.namespace).map((route) => [
    `/${route.path.replace(/^\//, '')}`,
    pathItem(route, contract, place),
  ]);
  return {
    openapi: '3.0.3',
    info,
    servers: [{ url: place.root.replace(/\/$/, '') }],
    paths: Object.fromEntries(paths),
    components: {
      schemas,
      securitySchemes: {
        applicationPassword: {
          type: 'http',
          scheme: 'basic',
          description: 'A user name or e-mail address and one of the application passwords of that user',
        },
      },
      responses: Object.fromEntries(
        Object.values(PROBLEMS).map(([name, description]) => [name, { description, content: json('Problem') }]),
      ),
    },
  };
}

const PROBLEMS = {
  400: ['BadRequest', 'A parameter is missing or invalid'],
  401: ['Unauthorized', 'The credentials are wrong, or the operation needs some'],
  403: ['Forbidden', 'The user may not do this, or nobody may see this'],
  404: ['NotFound', 'There is no such thing'],
  410: ['Gone', 'It is in the trash already'],
  412: ['PreconditionFailed', 'It is not as If-Match or If-None-Match says'],
  413: ['ContentTooLarge', 'The body is too large'],
  415: ['UnsupportedMediaType', 'The body is neither JSON nor a form'],
  429: ['TooManyRequests', 'Too many wrong passwords; Retry-After says when to come back'],
  503: ['ServiceUnavailable', 'The site cannot answer now; Retry-After says when to come back'],
} as const;

const json = (name: string): Schema => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });

function pathItem(route: Route, contract: Contract, context: ArgContext): object {
  const operations = route.endpoints.flatMap((endpoint) =>
    endpoint.methods.map((method) => [
      method.toLowerCase(),
      operation(endpoint, method, nameOf(endpoint, contract), context),
    ]),
  );
  return Object.fromEntries(operations);
}

const nameOf = (endpoint: Endpoint, contract: Contract): string =>
  Object.entries(contract).find(([, one]) => one === endpoint)?.[0] ?? '';

function operation(endpoint: Endpoint, method: Method, name: string, context: ArgContext): object {
  const inPath = pathParams(endpoint.path);
  const takesBody = hasBody(method);
  const args = Object.entries(endpoint.args);
  const body = takesBody ? args.filter(([name]) => !inPath.includes(name)) : [];
  const parameters = args
    .filter(([name]) => inPath.includes(name) || !takesBody)
    .map(([name, arg]) => parameter(name, arg, inPath.includes(name), context));
  return {
    // POST, PUT and PATCH of an update are the same operation under three names.
    operationId: method === endpoint.methods[0] ? name : `${name}By${method.charAt(0)}${method.slice(1).toLowerCase()}`,
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[1] || 'index'],
    security: endpoint.right === 'anyone' ? [{}, { applicationPassword: [] }] : [{ applicationPassword: [] }],
    parameters,
    ...(body.length > 0 && { requestBody: requestBody(body, context) }),
    responses: responses(endpoint, method),
  };
}

const hasBody = (method: Method): boolean => method !== 'GET' && method !== 'DELETE';

const parameter = (name: string, arg: Arg, inPath: boolean, context: ArgContext): object => ({
  name,
  in: inPath ? 'path' : 'query',
  required: inPath || arg.presence === 'required',
  ...(arg.about.description !== undefined && { description: arg.about.description }),
  ...(isList(arg) && IN_ONE),
  schema: schemaOf(arg, context),
});

const isList = ({ about }: Arg): boolean => about.items !== undefined;

/** Comma-separated. By default, OpenAPI repeats the name for each item, but of repeated names only the last counts. */
const IN_ONE = { style: 'form', explode: false };

function requestBody(args: readonly (readonly [string, Arg])[], context: ArgContext): object {
  const required = args.filter(([, { presence }]) => presence === 'required').map(([name]) => name);
  const properties = args.map(([name, arg]) => [
    name,
    { ...schemaOf(arg, context), ...(arg.about.description !== undefined && { description: arg.about.description }) },
  ]);
  const schema = {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties) as object,
  };
  const encoding = Object.fromEntries(args.filter(([, arg]) => isList(arg)).map(([name]) => [name, IN_ONE]));
  return {
    required: required.length > 0,
    content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema, encoding } },
  };
}

function schemaOf({ about, schema, default: shown, fallback }: Arg, context: ArgContext): Schema {
  const { description: _, enum: words, ...rest } = about;
  const allowed = typeof words === 'function' ? words(context) : words;
  // The applied default, not the published one, which may be a number as text.
  const applied = fallback && typeof shown !== 'function' ? { default: fallback(context) } : {};
  return schema
    ? { ...schema, ...applied }
    : { ...rest, ...(allowed && allowed.length > 0 && { enum: allowed }), ...applied };
}

function responses({ status, answers, right, path, args, refusals }: Endpoint, method: Method): object {
  const isPage = answers.endsWith('Page');
  const total = { schema: { type: 'integer' } };
  const expected = [
    Object.keys(args).length > 0 && 400,
    401,
    right !== 'anyone' && 403,
    (isPage || pathParams(path).length > 0) && 404,
    method === 'DELETE' && right === 'edit-events' && 410,
    (right !== 'anyone' || method === 'GET') && 412,
    hasBody(method) && 413,
    hasBody(method) && 415,
    429,
    503,
    ...refusals.map((code) => statusOfCode[code]),
  ];
  const problems = [...new Set(expected)]
    .filter((status) => typeof status === 'number')
    .map((status) => [status, { $ref: `#/components/responses/${PROBLEMS[status as keyof typeof PROBLEMS][0]}` }]);
  return {
    [status]: {
      description: 'Done',
      ...(isPage && { headers: { 'X-TEC-Total': total, 'X-TEC-TotalPages': total } }),
      content: json(answers),
    },
    ...Object.fromEntries(problems),
  };
}
