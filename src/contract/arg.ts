/** How much may be requested at once. */
export interface AtOnce {
  /** In a batch. */
  readonly writes: number;
  /** On a page of a list. */
  readonly items: number;
}

/** What parsers and computed defaults may use besides the raw value: the clock and the site. */
export interface ArgContext {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly timezone: string;
  readonly languages: readonly string[];
  /** The calendar's namespace: `calendar/events/v1`. */
  readonly namespace: string;
  /** Set if the limits differ from the published ones. */
  readonly atOnce?: AtOnce;
}

/** The published keys of an argument, in JSON Schema's terms, except `default` and `required`. */
export interface ArgAbout {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly format?: string;
  readonly items?: object;
  readonly maxItems?: number;
  readonly enum?: readonly string[] | ((context: ArgContext) => readonly string[]);
  readonly description?: string;
}

/**
 * Why a value has the wrong type (the second phase): the inner code, and a sentence built from the parameter's name.
 */
export interface Mismatch {
  readonly kind: 'mismatch';
  readonly code:
    | 'rest_invalid_type'
    | 'rest_not_in_enum'
    | 'rest_too_many_items'
    | 'rest_property_required'
    | 'rest_too_long';
  readonly message: (name: string) => string;
}

/** Why a validator refused a value (the first phase): a sentence about what is expected. */
export interface Refusal {
  readonly kind: 'invalid';
  readonly why: string;
}

/**
 * The result of reading a raw value. `invalid` belongs to the first phase and `mismatch`, a value not of the published
 * type, to the second. Real sites never mix the two in one answer, so `checkArgs` keeps them apart.
 */
export type Reading<T> = { readonly kind: 'value'; readonly value: T } | Refusal | Mismatch;

/** `given`: always present, through its default or the path, but not declared required. */
type Presence = 'required' | 'given' | 'optional';

/** An argument: what is published about it, and how a raw value is read. */
export interface Arg<T = unknown, P extends Presence = Presence> {
  readonly about: ArgAbout;
  readonly presence: P;
  /** The published default, if there is one. It is only applied if `fallback` exists. */
  readonly default?: unknown;
  /** The value if the argument is absent. */
  readonly fallback?: (context: ArgContext) => T;
  readonly parse: (raw: unknown, context: ArgContext) => Reading<T>;
  /** The JSON Schema for the OpenAPI document, if the published keys say too little. */
  readonly schema?: object;
}

export type Args = Readonly<Record<string, Arg>>;
export type ValueOf<A> = A extends Arg<infer T> ? T : never;

type Given<A extends Args> = { [K in keyof A]: A[K]['presence'] extends 'optional' ? never : K }[keyof A];

/** The typed arguments that a handler receives: required and defaulted ones are always present. */
export type ArgsOf<A extends Args> = { readonly [K in Given<A>]: ValueOf<A[K]> } & {
  readonly [K in Exclude<keyof A, Given<A>>]?: ValueOf<A[K]>;
};

export const value = <T>(value: T): Reading<T> => ({ kind: 'value', value });
export const invalid = (why: string): Refusal => ({ kind: 'invalid', why });

/**
 * Reads what was sent for an argument; undefined if nothing was. Null counts as nothing if it is the published default,
 * because programs generated from the self-description send the defaults that it shows.
 */
export function readingOf(arg: Arg, sent: unknown, context: ArgContext): Reading<unknown> | undefined {
  if (sent === undefined) return arg.fallback && value(arg.fallback(context));
  const reading = arg.parse(sent, context);
  return sent === null && arg.default === null && reading.kind !== 'value' ? undefined : reading;
}

/** The error for a value that is not of the published type. */
export const notOfType = (type: string): Mismatch => ({
  kind: 'mismatch',
  code: 'rest_invalid_type',
  message: (name) => `${name} is not of type ${type}.`,
});

/** The error for a text longer than `max` characters. */
export const tooLong = (max: number): Mismatch => ({
  kind: 'mismatch',
  code: 'rest_too_long',
  message: (name) => `${name} must be at most ${max} characters long.`,
});

/** The error for a list of more than `max` items. */
export const tooMany = (max: number): Mismatch => ({
  kind: 'mismatch',
  code: 'rest_too_many_items',
  message: (name) => `${name} must contain at most ${max} items.`,
});

export const arg = <T>(about: ArgAbout, parse: Arg<T>['parse'], schema?: object): Arg<T, 'optional'> => ({
  about,
  presence: 'optional',
  parse,
  ...(schema && { schema }),
});

export const required = <T>(inner: Arg<T>): Arg<T, 'required'> => withoutFallback(inner, 'required');

/**
 * A default that is both published and applied; `shown` is what the self-description prints if it differs from the
 * value.
 */
export const defaulted = <T>(
  fallback: T | ((context: ArgContext) => T),
  inner: Arg<T>,
  shown?: unknown,
): Arg<T, 'given'> => ({
  ...inner,
  presence: 'given',
  default: shown ?? fallback,
  fallback: typeof fallback === 'function' ? (fallback as (context: ArgContext) => T) : () => fallback,
});

/** A default that is only published: a missing argument stays missing. */
export const published = <T, P extends Presence>(shown: unknown, inner: Arg<T, P>): Arg<T, P> => ({
  ...inner,
  default: shown,
});

export type Partially<A extends Args> = { readonly [K in keyof A]: Arg<ValueOf<A[K]>, 'optional'> };

/** The arguments for an update: none required and no defaults applied, so that fields not mentioned are not reset. */
export function partial<A extends Args>(args: A): Partially<A> {
  const loosened = Object.entries(args).map(([name, arg]) => [name, withoutFallback(arg, 'optional')]);
  // Object.fromEntries loses the key type, which is that of `args`.
  return Object.fromEntries(loosened) as Partially<A>;
}

function withoutFallback<T, P extends Presence>({ about, parse, schema, ...inner }: Arg<T>, presence: P): Arg<T, P> {
  return { about, parse, presence, ...(schema && { schema }), ...('default' in inner && { default: inner.default }) };
}
