import {
  defaulted,
  notOfType,
  required,
  tooLong,
  tooMany,
  value,
  arg,
  type Args,
  type Mismatch,
  type Reading,
} from './arg.ts';
import { oneOf, wordList } from './arg-kinds.ts';
import { LINE_MAX } from './limits.ts';

/** The maximum number of requests in a batch. */
export const BATCH_MAX = 25;
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

export interface BatchRequest {
  readonly method: (typeof METHODS)[number];
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

// As WordPress prints it.
const requestSchema = {
  type: 'object',
  properties: {
    method: { type: 'string', enum: METHODS, default: 'POST' },
    path: { type: 'string', required: true },
    body: { type: 'object', properties: [], additionalProperties: true },
    headers: {
      type: 'object',
      properties: [],
      additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
    },
  },
};

const itemSchema = {
  type: 'object',
  required: ['path'],
  properties: {
    method: { type: 'string', enum: METHODS, default: 'POST' },
    path: { type: 'string', description: 'Below the address of the interface, with a slash in front' },
    body: { type: 'object' },
    headers: {
      type: 'object',
      description: 'If-Match and If-None-Match hold for this request; others are not read',
      additionalProperties: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    },
  },
};

export const batchArgs = {
  validation: defaulted('normal', oneOf(['require-all-validate', 'normal'], {})),
  requests: required(
    arg(
      { type: 'array', maxItems: BATCH_MAX, items: requestSchema },
      (raw, { atOnce }) => requestsFrom(raw, atOnce?.writes),
      {
        type: 'array',
        maxItems: BATCH_MAX,
        items: itemSchema,
      },
    ),
  ),
} satisfies Args;

const mismatch = (code: Mismatch['code'], message: Mismatch['message']): Mismatch => ({
  kind: 'mismatch',
  code,
  message,
});

function requestsFrom(raw: unknown, max = BATCH_MAX): Reading<readonly BatchRequest[]> {
  if (!Array.isArray(raw)) return notOfType('array');
  if (raw.length > max) return tooMany(max);
  const requests: BatchRequest[] = [];
  for (const [index, one] of raw.entries()) {
    const reading = requestFrom(one, index);
    if (reading.kind !== 'value') return reading;
    requests.push(reading.value);
  }
  return value(requests);
}

function requestFrom(raw: unknown, index: number): Reading<BatchRequest> {
  if (!isRecord(raw)) return mismatch('rest_invalid_type', (name) => `${name}[${index}] is not of type object.`);
  const { method: word = 'POST', path, body = {}, headers = {} } = raw;
  if (path === undefined)
    return mismatch('rest_property_required', (name) => `path is a required property of ${name}[${index}].`);
  const method = METHODS.find((one) => one === word);
  if (!method)
    return mismatch('rest_not_in_enum', (name) => `${name}[${index}][method] is not one of ${wordList(METHODS)}.`);
  if (typeof path !== 'string')
    return mismatch('rest_invalid_type', (name) => `${name}[${index}][path] is not of type string.`);
  if (path.length > LINE_MAX)
    return mismatch('rest_too_long', (name) => tooLong(LINE_MAX).message(`${name}[${index}][path]`));
  const fields = recordFrom(body);
  if (!fields) return mismatch('rest_invalid_type', (name) => `${name}[${index}][body] is not of type object.`);
  const given = recordFrom(headers);
  if (!given) return mismatch('rest_invalid_type', (name) => `${name}[${index}][headers] is not of type object.`);
  const texts = new Map(Object.entries(given).map(([header, one]) => [header, headerText(one)]));
  const wrong = [...texts].find(([, text]) => text === undefined);
  if (wrong)
    return mismatch(
      'rest_invalid_type',
      (name) => `${name}[${index}][headers][${wrong[0]}] is not of type string,array.`,
    );
  return value({
    method,
    path,
    body: fields,
    headers: Object.fromEntries([...texts].map(([header, text = '']) => [header.toLowerCase(), text])),
  });
}

/** The text of a header, also if given as a list; undefined for anything but strings. */
function headerText(given: unknown): string | undefined {
  const values: unknown[] = Array.isArray(given) ? given : [given];
  return values.every((one) => typeof one === 'string') ? values.join(', ') : undefined;
}

const isRecord = (raw: unknown): raw is Readonly<Record<string, unknown>> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

/** Reads an object; PHP writes an empty one as an empty list. */
function recordFrom(raw: unknown): Readonly<Record<string, unknown>> | undefined {
  if (isRecord(raw)) return raw;
  return Array.isArray(raw) && raw.length === 0 ? {} : undefined;
}
