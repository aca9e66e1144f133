import { coming, comingEvents } from './coming.ts';
import { calendarText } from './feed-text.ts';
import { programHome, type Daemon, type Home } from './daemon.ts';

/** A town with two sources and one published feed. */
export const TOWN = `builtin: { title: Town calendar, timezone: Europe/Warsaw }
sources:
  library: { url: "file:library.ics", missing: { after: 1 } }
  club: { url: "file:club.csv" }
feeds:
  all: { title: Everything on }
`;
const [MATCH, CUP] = [coming(5), coming(12)];
const CSV = `Title,Start,End,Venue
Match,${MATCH} 15:00,${MATCH} 17:00,Stadium
Cup,${CUP} 15:00,${CUP} 17:00,Stadium
`;

/** A home for the program, with this configuration and its feeds. */
export async function townHome(yaml = TOWN, as: readonly string[] = []): Promise<Home> {
  const home = await programHome(yaml, as);
  await home.write('library.ics', calendarText(comingEvents(12)));
  await home.write('club.csv', CSV);
  return home;
}

interface Listed {
  readonly total: number;
  readonly events: readonly {
    readonly id: number;
    readonly slug: string;
    readonly title: string;
    readonly modified: string;
  }[];
}
/** The events that the daemon's site lists. */
export const list = async (daemon: Daemon): Promise<Listed> =>
  (await (
    await fetch(`${daemon.url}/api/calendar/events/v1/events?starts_after=1971-01-01&per_page=50`)
  ).json()) as Listed;
export const get = (daemon: Daemon, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${daemon.url}${path}`, { headers });
export const printLine = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
