import { get } from 'node:http';

// A process of its own, so that its sockets and its time are not those of what is measured: opens streams of the
// console, as browsers do, and says each second how it goes. Reads what to open from its standard input.

/** What it is told. */
export interface CrowdOrder {
  /** The address of a stream. */
  readonly url: string;
  /** Cookies of sessions, over which the streams are spread. */
  readonly cookies: readonly string[];
  readonly count: number;
}

/** What it says, as a line of JSON. */
export interface CrowdReport {
  readonly open: number;
  /** Answers that were no streams. */
  readonly refused: number;
  /** Streams that heard a beat, that heard a part, and how many parts there were. */
  readonly heardBeat: number;
  readonly heardPart: number;
  readonly parts: number;
  /** Streams that the other side has ended in an orderly way, and those that were cut off. */
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
