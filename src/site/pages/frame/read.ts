import type { ErrorBody } from '../../../contract/representation.ts';
import { AppError } from '../../../error.ts';
import { html } from '../../../html/template.ts';
import type { Outcome } from '../../requests/outcome.ts';
import { blank } from '../../../look/document.ts';
import type { Frame, Page } from './layout.ts';

/** The interface's answer to an anonymous caller. */
export type Answered<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly status: number; readonly code: string; readonly waitMs?: number };
/** Reads a path below the calendar's namespace. */
export type Read = <T>(path: string, query?: Readonly<Record<string, string>>) => Promise<Answered<T>>;

/**
 * Returns an anonymous reader of the REST interface in process, so that nothing private gets onto pages. It throws if
 * the site fails.
 */
export function readerOf(answer: (url: URL) => Promise<Outcome>, namespace: string): Read {
  return async <T>(path: string, query: Readonly<Record<string, string>> = {}) => {
    const { status, body } = await answer(
      new URL(`http://in-process/api/${namespace}${path}?${new URLSearchParams(query)}`),
    );
    // The contract determines the type of the answer at each path.
    if (status < 300) return { ok: true, value: body as T };
    const { code, data } = body as ErrorBody;
    if (status === 503) throw new AppError('site-unavailable', `the interface cannot answer ${path} just now`);
    if (status >= 500) throw new Error(`the interface answered ${path} with ${status} ${code}`);
    const seconds = typeof data === 'object' && data?.['retry_after'];
    return { ok: false, status, code, ...(typeof seconds === 'number' ? { waitMs: seconds * 1000 } : {}) };
  };
}

export const notFound = ({ base, words }: Frame): Page => ({
  status: 404,
  title: words.notFound,
  main: blank(
    '404',
    words.notFound,
    words.notFoundText,
    html`<a class="btn main" href="${base}/">${words.whatIsOn}</a><a class="btn" href="${base}/month/">${words.month}</a>`,
  ),
});

export const gone = ({ base, words }: Frame): Page => ({
  status: 410,
  title: words.gone,
  main: blank('✕', words.gone, words.goneText, html`<a class="btn main" href="${base}/">${words.whatIsOn}</a>`),
});
