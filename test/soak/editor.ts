import type { Daemon, Home } from '../support/daemon.ts';
import type { Dice } from './publishers.ts';

const EVENTS = '/api/calendar/events/v1/events';
const EDITS_AN_HOUR = 5;

interface Listed {
  readonly events: readonly { readonly id: number; readonly title: string }[];
  readonly total_pages: number;
}

/** A person who edits descriptions on the site, which no run may undo. */
export interface Editor {
  readonly edit: (daemon: Daemon) => Promise<void>;
  /** The titles of all events of the site. */
  readonly titles: (daemon: Daemon) => Promise<readonly string[]>;
  /** Edits that are lost although their events are still on the site. */
  readonly lost: (daemon: Daemon) => Promise<readonly string[]>;
}

/** Creates an account on the built-in site of a running daemon. */
export async function editor(home: Home, { url }: Daemon, throwDice: Dice): Promise<Editor> {
  const made = await home.command(['password', 'clerk', 'soak', '--json']);
  if (made.code !== 0) throw new Error(`no account: ${made.stderr}`);
  const { username, application_password: password } = JSON.parse(made.stdout) as Record<string, string>;
  const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}`, 'content-type': 'application/json' };
  const written = new Map<number, string>();

  const page = async (address: string, number: number): Promise<Listed> => {
    const response = await fetch(`${address}${EVENTS}?starts_after=1971-01-01&per_page=50&page=${number}`);
    if (!response.ok) throw new Error(`the list answered ${response.status}`);
    return (await response.json()) as Listed;
  };
  const describe = async (address: string): Promise<void> => {
    const { total_pages: pages } = await page(address, 1);
    const { events } = await page(address, 1 + throwDice(pages));
    const event = events[throwDice(events.length)];
    if (!event) return;
    const description = `<p>Written by hand, number ${written.size + 1}.</p>`;
    const body = JSON.stringify({ description });
    const response = await fetch(`${address}${EVENTS}/${event.id}`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`an edit was answered with ${response.status}: ${await response.text()}`);
    written.set(event.id, description);
  };
  await page(url, 1);
  return {
    edit: async (daemon) => {
      for (let turn = 0; turn < EDITS_AN_HOUR; turn += 1) await describe(daemon.url);
    },
    titles: async (daemon) => {
      const { total_pages: pages } = await page(daemon.url, 1);
      const titles: string[] = [];
      for (let number = 1; number <= pages; number += 1)
        titles.push(...(await page(daemon.url, number)).events.map(({ title }) => title));
      return titles;
    },
    lost: async (daemon) => {
      const lost: string[] = [];
      for (const [id, description] of written) {
        const response = await fetch(`${daemon.url}${EVENTS}/${id}`);
        const text = await response.text();
        if (response.status >= 500) throw new Error(`event ${id} was answered with ${response.status}: ${text}`);
        // Events in the trash are not shown.
        if (
          response.ok &&
          !(JSON.parse(text) as { description: string }).description.includes(description.slice(3, -4))
        )
          lost.push(`edited, and lost: event ${id}`);
      }
      return lost;
    },
  };
}
