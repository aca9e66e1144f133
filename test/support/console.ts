import { operatorConsole } from '../../src/cli/web/operator-console.ts';
import { startRun } from '../../src/run/steps/start-run.ts';
import { carryOn } from '../../src/run/steps/carry-on.ts';
import type { Engine } from '../../src/operator/frame/operator.ts';
import { quickAccount } from './quick-account.ts';
import type { OpenedApp } from './syncing-app.ts';

/** An answer of the console. */
export interface Answered {
  readonly status: number;
  /** Where it redirects to, as a path; '' if nowhere. */
  readonly to: string;
  readonly html: string;
  /** The visible text: without tags, with single spaces. */
  readonly text: string;
  readonly headers: Headers;
}

/** A browser that is signed in to the console of an open program. */
export interface ConsoleClient {
  /** `path` is below `/operator`. */
  readonly get: (path: string) => Promise<Answered>;
  /** Sends the form of the page at `path` with its token. A list sends a field several times. */
  readonly post: (path: string, fields: Readonly<Record<string, string | readonly string[]>>) => Promise<Answered>;
  /** Sends a request unchanged, with the cookies of this browser. */
  readonly send: (path: string, init?: RequestInit, peer?: string) => Promise<Answered>;
}

const ORIGIN = 'http://127.0.0.1:8080';

/** Makes runs in this process, as commands do: they have ended when a request returns. */
export const engineOf = ({ context }: OpenedApp): Engine => ({
  request: async (sources, cause) => {
    for (const source of sources) {
      const setup = context.sources.get(source);
      if (setup) await carryOn(context, setup, await startRun(context, setup, cause, false), () => undefined);
    }
  },
  carryOut: async (setup, begin) => {
    const started = await begin();
    await carryOn(context, setup, started, () => undefined);
    return started;
  },
});

/** A browser in which nobody is signed in. */
export function consoleBrowser(app: OpenedApp): ConsoleClient {
  const {
    routes: [, [, handle]],
  } = operatorConsole(app, engineOf(app), app.reload) as unknown as { routes: [unknown, [string, Handle]] };
  const cookies = new Map<string, string>();
  const send: ConsoleClient['send'] = async (path, init = {}, peer = '127.0.0.1') => {
    const headers = new Headers(init.headers);
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await handle(new Request(`${ORIGIN}/operator${path}`, { ...init, headers }), peer);
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const html = onOneLine(await response.text());
    return {
      status: response.status,
      to: (response.headers.get('location') ?? '').replace(/^\/operator/, ''),
      html,
      text: textOf(html),
      headers: response.headers,
    };
  };
  const get: ConsoleClient['get'] = (path) => send(path);
  return {
    send,
    get,
    post: async (path, fields) => {
      const page = await get(path);
      // A path that only accepts forms has its page at another address.
      const token = tokenIn((page.status === 200 ? page : await get('/')).html);
      const body = new URLSearchParams([['token', token]]);
      for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one);
      return send(path, { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } });
    },
  };
}

type Handle = (request: Request, peer: string) => Promise<Response>;

/** Signs in as `login`; the user is created with this role if there is none. */
export async function signedInConsole(
  app: OpenedApp,
  login = 'clerk',
  role: 'administrator' | 'editor' = 'administrator',
): Promise<ConsoleClient> {
  const browser = consoleBrowser(app);
  const password = await passwordOf(app, login, role);
  const page = await browser.get('/');
  const done = await browser.send('/', {
    method: 'POST',
    body: new URLSearchParams({ token: tokenIn(page.html), login, password, do: 'signin' }),
  });
  if (done.status !== 303) throw new Error(`signing in was refused: ${done.text}`);
  return browser;
}

// The password of each login, so that signing in once more does not set another one.
const passwords = new WeakMap<OpenedApp, Map<string, string>>();

async function passwordOf(app: OpenedApp, login: string, role: 'administrator' | 'editor'): Promise<string> {
  const own = passwords.get(app) ?? new Map<string, string>();
  passwords.set(app, own);
  const known = own.get(login);
  if (known !== undefined) return known;
  const { password } = await quickAccount(app.state.database.query(), login, { role });
  own.set(login, password);
  return password;
}

/**
 * The hidden fields of the first form on a page that contains a text. If the form has several buttons, the text tells
 * which one is meant.
 */
export function hiddenIn(html: string, mark: string): Readonly<Record<string, string>> {
  const form = html.split('<form ').find((each) => each.split('</form>')[0]?.includes(mark));
  if (form === undefined) throw new Error(`the page has no form with ${mark}`);
  const [own = ''] = form.split('</form>');
  const hidden = own.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  return Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, value]));
}

/** The token of the first form on a page. */
export function tokenIn(html: string): string {
  const token = /name="token" value="([^"]+)"/.exec(html)?.[1];
  if (token === undefined) throw new Error('the page has no form of ours');
  return token;
}

// Line breaks in a template do not matter to its page, except in preformatted text.
const onOneLine = (html: string): string =>
  html
    .split(/(<(?:pre|textarea)\b[^>]*>[\s\S]*?<\/(?:pre|textarea)>)/)
    .map((part, index) =>
      index % 2 === 1 ? part.replace(/>\n/, '>') : part.replace(/(>)\s*\n\s*|\s*\n\s*(?=<)/g, '$1'),
    )
    .join('')
    .replace(/<\/?[a-z][^<>]*>/g, (tag) => tag.replace(/\s+/g, ' ').replace(/ ?\/?>$/, '>'));

const textOf = (html: string): string =>
  html
    .replace(/<(?:style|script|svg)[\s\S]*?<\/(?:style|script|svg)>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(?:#39|apos);/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();

/** The sources in the list, in its order. */
export const sourcesListed = (html: string): readonly string[] =>
  [...html.matchAll(/name="source" value="([^"]*)"/g)].map(([, name = '']) => name);
