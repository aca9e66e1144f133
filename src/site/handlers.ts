import type { Api } from '../contract/api.ts';
import type { Contract, Input, Result } from '../contract/endpoint.ts';
import type { HandlerContext } from './context.ts';

/**
 * What a handler answers: the body, and headers of its own (`Location`). The status is the endpoint's. `isReadOnly`: it
 * tells of a single post that the caller may only read, whatever they may do with others.
 */
export interface Answer<R> {
  readonly body: R;
  readonly isReadOnly?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One function per endpoint; it throws an `HttpProblem` to refuse. A missing or an extra name does not compile. */
export type Handlers<C extends Contract> = {
  readonly [K in keyof C]: (input: Input<C[K]>, ctx: HandlerContext) => Promise<Answer<Result<C[K]>>>;
};

/** The shell answers these itself. */
type OwnEndpoint = 'siteIndex' | 'namespaceIndex' | 'readDoc' | 'sendBatch';

/** What the store and the embeds have to bring. */
export type SiteHandlers = Handlers<Omit<Api, OwnEndpoint>>;

/** How requests that were carried out are answered. */
export type Answers<R> = () => Promise<readonly Answer<R>[]>;

/**
 * Functions that carry out several requests to one endpoint in one statement, which is a transaction of its own: nobody
 * waits for this process while it has the turn. They give how to answer, to be called afterwards; or nothing, and have
 * done nothing, where that takes more than the one statement, or something is refused.
 */
export type StatementHandlers = {
  readonly [K in keyof SiteHandlers]?: (
    inputs: readonly Input<Api[K]>[],
    ctx: HandlerContext,
  ) => Promise<Answers<Result<Api[K]>> | undefined>;
};

/**
 * Functions that carry out several requests to one endpoint as a set, in a transaction, with the same result as one
 * after the other, but that all answers tell the counts that are right after the last one. They throw when any of them
 * is refused, and give nothing where they would not have that result: whoever calls rolls back, and goes one by one.
 */
export type SetHandlers = {
  readonly [K in keyof SiteHandlers]?: (
    inputs: readonly Input<Api[K]>[],
    ctx: HandlerContext,
  ) => Promise<readonly Answer<Result<Api[K]>>[] | undefined>;
};
