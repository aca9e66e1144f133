import { get } from 'node:http';

// A separate process, so that its sockets and its processor time do not count in measurements. It opens streams of the
// console as browsers do, and reports on them each second. It reads from standard input what to open.

/** The order on standard input. */
export interface CrowdOrder {
  /** The address of a stream. */
  readonly url: string;
  /** Session cookies that the streams are distributed over. */
  readonly cookies: readonly string[];
  readonly count: number;
}

/** The report, as a line of JSON. */
export interface CrowdReport {
  readonly open: number;
  /** Answers that are not streams. */
  readonly refused: number;
  /** How many streams have received a heartbeat, how many an update, and the number of updates. */
  readonly heardBeat: number;
  readonly heardPart: number;
  readonly parts: number;
  /** Streams that the server ended properly, and streams that were cut off. */
  readonly ended: number;
  readonly cutOff: number;
}

async function openCrowd({ url, cookies, count }: CrowdOrder): Promise<void> {
  const report = { open: 0, refused: 0, parts: 0, ended: 0, cutOff: 0 };
  const [withBeat, withPart] = [new Set<number>(), new Set<number>()];
  for (let index = 0; index < count; index += 1) {
    const request = get(url, { agent: false, headers: { cookie: cookies[index % cookies.length]! } }, (response) => {
      if (response.statusCode === 200) report.open += 1;
      else report.refused += 1;
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        if (text.includes('event: beat')) withBeat.add(index);
        const parts = text.split('event: part').length - 1;
        if (parts > 0) withPart.add(index);
        report.parts += parts;
      });
      response.once('end', () => (report.ended += 1));
      response.once('error', () => (report.cutOff += 1));
    });
    request.once('error', () => (report.cutOff += 1));
  }
  const say = (): void => {
    const line: CrowdReport = { ...report, heardBeat: withBeat.size, heardPart: withPart.size };
    process.stdout.write(`${JSON.stringify(line)}\n`);
    if (report.ended + report.cutOff + report.refused >= count) process.exit(0);
  };
  setInterval(say, 250);
}

if (import.meta.main) {
  let order = '';
  for await (const text of process.stdin.setEncoding('utf8')) order += text;
  await openCrowd(JSON.parse(order) as CrowdOrder);
}
