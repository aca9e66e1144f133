/** Random numbers from 0 to 1, always the same for a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Chance = () => number;
const below = (chance: Chance, limit: number): number => Math.floor(chance() * limit);
const oneOf = <T>(chance: Chance, list: readonly T[]): T => list[below(chance, list.length)]!;

/** Breaks a body in one to six ways: in its bytes, lines or structure, or by mixing it with another one. */
export function mutate(body: Uint8Array, other: Uint8Array, chance: Chance): Uint8Array {
  let mutated = body;
  for (let left = 1 + below(chance, 6); left > 0; left -= 1) mutated = oneOf(chance, WAYS)(mutated, other, chance);
  return mutated.subarray(0, 400_000);
}

type Way = (body: Uint8Array, other: Uint8Array, chance: Chance) => Uint8Array;

const onText =
  (change: (text: string, other: string, chance: Chance) => string): Way =>
  (body, other, chance) =>
    Buffer.from(change(Buffer.from(body).toString('latin1'), Buffer.from(other).toString('latin1'), chance), 'latin1');
const onLines = (change: (lines: string[], other: string[], chance: Chance) => void): Way =>
  onText((text, other, chance) => {
    const lines = text.split('\n');
    change(lines, other.split('\n'), chance);
    return lines.join('\n');
  });

const WORDS = [
  'BEGIN:VEVENT',
  'END:VEVENT',
  'BEGIN:VCALENDAR',
  'END:VCALENDAR',
  'BEGIN:VTIMEZONE',
  'END:VTIMEZONE',
  'BEGIN:VALARM',
  'DTSTART:00000000T000000',
  'DTSTART;TZID=Nowhere:20270101T000000',
  'DTEND:99991231T235959Z',
  'DURATION:P99999999W',
  'DURATION:-PT1S',
  'RRULE:FREQ=SECONDLY',
  'RRULE:FREQ=YEARLY;BYDAY=-53SU,53MO;BYWEEKNO=53;BYSETPOS=-366',
  'RRULE:FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30',
  'RRULE:FREQ=DAILY;UNTIL=1;COUNT=1e9;INTERVAL=0',
  'EXDATE;VALUE=PERIOD:20270101T000000Z/PT1H',
  'RDATE;VALUE=PERIOD:20270101T000000Z/19700101T000000Z',
  'RECURRENCE-ID;RANGE=THISANDFUTURE:20270101',
  'UID:',
  'UID:__proto__',
  'SUMMARY;LANGUAGE="x:y',
  'CATEGORIES:\\,,,\\;',
  'GEO:1e400;-1e400',
  'X-APPLE-STRUCTURED-LOCATION;X-TITLE="\\\\n":geo:,',
  'ATTACH;ENCODING=BASE64;VALUE=BINARY:////',
  'DESCRIPTION:<<<<a href="javascript:x">\\n\\',
  'TZOFFSETTO:+9999',
  'TRIGGER:-P1D',
  '\u00ef\u00bb\u00bf',
  '"',
  '""",""',
  ';;;;',
  '\t\t',
  '=SUM(A1)',
  ' ',
  '\0',
];

const WAYS: readonly Way[] = [
  (body, _, chance) => {
    const copy = Buffer.from(body);
    for (let left = 1 + below(chance, 8); left > 0 && copy.length > 0; left -= 1)
      copy[below(chance, copy.length)] = below(chance, 256);
    return copy;
  },
  (body, _, chance) => body.subarray(0, below(chance, body.length + 1)),
  (body, _, chance) => {
    const at = below(chance, body.length + 1);
    return Buffer.concat([body.subarray(0, at), body.subarray(Math.min(body.length, at + below(chance, 40)))]);
  },
  (body, _, chance) => {
    const at = below(chance, body.length + 1);
    return Buffer.concat([
      body.subarray(0, at),
      Buffer.from(Array.from({ length: below(chance, 30) }, () => below(chance, 256))),
      body.subarray(at),
    ]);
  },
  (body, other, chance) =>
    Buffer.concat([body.subarray(0, below(chance, body.length + 1)), other.subarray(below(chance, other.length + 1))]),
  onLines((lines, _, chance) => {
    lines.splice(below(chance, lines.length), 1 + below(chance, 3));
  }),
  onLines((lines, _, chance) => {
    lines.splice(
      below(chance, lines.length),
      0,
      ...Array.from({ length: 1 + below(chance, 3) }, () => oneOf(chance, WORDS)),
    );
  }),
  onLines((lines, _, chance) => {
    const at = below(chance, lines.length);
    lines.splice(at, 0, ...lines.slice(at, at + 1 + below(chance, 12)));
  }),
  onLines((lines, _, chance) => {
    const [one, two] = [below(chance, lines.length), below(chance, lines.length)];
    [lines[one], lines[two]] = [lines[two]!, lines[one]!];
  }),
  onLines((lines, other, chance) => {
    const at = below(chance, other.length);
    lines.splice(below(chance, lines.length), 0, ...other.slice(at, at + 1 + below(chance, 20)));
  }),
  onLines((lines, _, chance) => {
    const at = below(chance, lines.length);
    lines[at] = lines[at]!.replace(
      /[:=;,].*/,
      (rest) => `${rest[0]}${oneOf(chance, WORDS).replace(/^[A-Z-]+[:;]/, '')}`,
    );
  }),
  onText((text, _, chance) =>
    text.replace(oneOf(chance, [/\d+/g, /\d{8}/g]), (number) =>
      chance() < 0.1
        ? oneOf(chance, ['0', '-1', '99999999999999999999', '1e9', '', '20270229', '00000000', '23', '366'])
        : number,
    ),
  ),
  onText((text, _, chance) =>
    text.replaceAll(
      oneOf(chance, ['\r\n', '\n ', ',', ';', ':', 'END:VEVENT', '"']),
      oneOf(chance, ['\n', '\r', ',', ';', '"', '', '\r\r\n', ':']),
    ),
  ),
  (body, _, chance) => {
    const text = Buffer.from(body).toString('utf8');
    return oneOf(chance, [
      () => Buffer.from(`\uFEFF${text}`, 'utf16le'),
      () => Buffer.from(text, 'latin1'),
      () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
    ])();
  },
];
