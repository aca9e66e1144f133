import type { Args, ArgsOf } from './arg.ts';
import type { ProblemCode } from './problem-codes.ts';
import type { Representations } from './representation.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The right that a caller needs in general; handlers check rights to particular posts. */
export type Right = 'anyone' | 'edit-events' | 'manage-categories' | 'manage-tags';

/**
 * One operation of the interface. Routing, validation, self-description, OpenAPI and types all derive from this value.
 */
export interface Endpoint<A extends Args = Args, N extends keyof Representations = keyof Representations> {
  readonly methods: readonly Method[];
  /** The namespace of the route; `calendar` stands for the configured one, '' for the site itself. */
  readonly namespace: 'calendar' | 'oembed/1.0' | '';
  /** The path below the namespace: `/events/{id}`. `{id}` matches digits, `{slug}` anything but a slash. */
  readonly path: string;
  readonly summary: string;
  readonly args: A;
  /** The status code of success. */
  readonly status: number;
  readonly right: Right;
  /** Whether it may be an item of a batch. */
  readonly batch: boolean;
  /** The name of the representation that it returns. */
  readonly answers: N;
  /** Error codes it may answer with, besides those that follow from its other properties. */
  readonly refusals: readonly ProblemCode[];
}

export type Contract = Readonly<Record<string, Endpoint>>;

/** The typed arguments of an endpoint, as its handler receives them. */
export type Input<E> = E extends Endpoint<infer A> ? ArgsOf<A> : never;
/** The body that an endpoint returns. */
export type Result<E> = E extends Endpoint<Args, infer N> ? Representations[N] : never;

type Form<A extends Args, N extends keyof Representations> = Pick<
  Endpoint<A, N>,
  'methods' | 'path' | 'summary' | 'args' | 'answers'
> &
  Partial<Pick<Endpoint, 'namespace' | 'status' | 'right' | 'batch' | 'refusals'>>;

/** Declares an endpoint. */
export const endpoint = <const A extends Args, const N extends keyof Representations>(
  form: Form<A, N>,
): Endpoint<A, N> => ({ namespace: 'calendar', status: 200, right: 'anyone', batch: false, refusals: [], ...form });

/** The names in the `{name}` placeholders of a path. */
export const pathParams = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
