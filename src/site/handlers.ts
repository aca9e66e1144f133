import type { Api } from '../contract/api.ts';
import type { Contract, Input, Result } from '../contract/endpoint.ts';
import type { HandlerContext } from './context.ts';

/**
 * A handler's answer: the body, and any headers of its own (`Location`). The endpoint determines the status.
 * `isReadOnly`: the caller may only read the single post it describes, whatever they may do with others.
 */
export interface Answer<R> {
  readonly body: R;
  readonly isReadOnly?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One function per endpoint; it throws `HttpProblem` to refuse. A missing or extra name does not compile. */
export type Handlers<C extends Contract> = {
  readonly [K in keyof C]: (input: Input<C[K]>, ctx: HandlerContext) => Promise<Answer<Result<C[K]>>>;
};

/** Endpoints that the request handling answers itself. */
type OwnEndpoint = 'siteIndex' | 'namespaceIndex' | 'readDoc' | 'sendBatch';

/** The handlers that the store and the embeds implement. */
export type SiteHandlers = Handlers<Omit<Api, OwnEndpoint>>;

/** Builds the answers to requests that have been carried out. */
export type Answers<R> = () => Promise<readonly Answer<R>[]>;

/**
 * Functions that carry out several requests to one endpoint in a single statement, which is its own transaction, so
 * nobody waits on this process while it holds the write lock. They return a function that builds the answers, to be
 * called afterwards, or undefined, having done nothing, if one statement is not enough or something is refused.
 */
export type StatementHandlers = {
  readonly [K in keyof SiteHandlers]?: (
    inputs: readonly Input<Api[K]>[],
    ctx: HandlerContext,
  ) => Promise<Answers<Result<Api[K]>> | undefined>;
};

/**
 * Functions that carry out several requests to one endpoint as a set in a transaction. The result equals carrying them
 * out one by one, except that all answers give the counts as they are after the last one. They throw if any request is
 * refused, and return undefined if the result would differ; the caller then rolls back and carries them out one by one.
 */
export type SetHandlers = {
  readonly [K in keyof SiteHandlers]?: (
    inputs: readonly Input<Api[K]>[],
    ctx: HandlerContext,
  ) => Promise<readonly Answer<Result<Api[K]>>[] | undefined>;
};
