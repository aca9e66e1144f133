import type { Role } from '../../src/site/context.ts';
import type { TestSite } from './builtin-site.ts';
import { quickAccount } from './quick-account.ts';
import { pagesOf, tokenOf, type Browser, type Shown } from './site-pages.ts';

/** People who write at `/edit`, each in a minimal browser. */
export interface Editors {
  /** Signs in somebody with a role. */
  readonly signIn: (role: Role) => Promise<{ readonly browser: Browser; readonly done: Shown }>;
  readonly open: (peer?: string) => Browser;
  /** Resets the rate limits. */
  readonly renew: () => void;
}

export async function editorsOf(site: TestSite): Promise<Editors> {
  const passwords = new Map<Role, string>();
  for (const role of ['editor', 'author', 'contributor', 'subscriber'] as const)
    passwords.set(role, (await quickAccount(site.db, role)).password);
  let pages = pagesOf(site);
  return {
    open: (peer) => pages(peer),
    renew: () => {
      pages = pagesOf(site);
    },
    signIn: async (role) => {
      const browser = pages();
      const token = tokenOf(await browser.get('/edit/'));
      const password = passwords.get(role) ?? '';
      return { browser, done: await browser.post('/edit/', { token, login: role, password, do: 'signin' }) };
    },
  };
}

/** The version that a page's form is based on. */
export const versionIn = ({ html }: Shown): string => /name="version" value="([^"]+)"/.exec(html)?.[1] ?? '';

/** Opens a page and sends its form. */
export async function sendForm(
  browser: Browser,
  path: string,
  fields: Readonly<Record<string, string>>,
  file?: File,
): Promise<Shown> {
  const page = await browser.get(path);
  const all = { token: tokenOf(page), version: versionIn(page), ...fields };
  if (!file) return browser.post(path, all);
  const form = new FormData();
  for (const [name, value] of Object.entries(all)) form.set(name, value);
  form.set('image', file);
  return browser.post(path, form);
}

/** The id of the event, venue or organizer that a form redirected to. */
export const redirectedId = ({ headers }: Shown): number =>
  Number(/\/(?:event|venues|organizers)\/(\d+)\//.exec(headers.get('location') ?? '')?.[1]);
