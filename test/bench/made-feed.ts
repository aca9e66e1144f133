const DAY_MS = 86_400_000;

/** One VEVENT of a generated feed; `number` determines all its values. */
export interface MadeEvent {
  readonly number: number;
  readonly title?: string;
}

/** The bytes of a feed of generated events, spread over 500 days from `from` on (epoch milliseconds). */
export function madeFeed(events: readonly MadeEvent[], from: number): Uint8Array {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//calsyncd//bench//EN'];
  for (const { number, title = `Event number ${number}` } of events) {
    const start = new Date(from + (number % 500) * DAY_MS + (number % 12) * 3_600_000)
      .toISOString()
      .slice(0, 19)
      .replace(/[-:]/g, '');
    lines.push(
      'BEGIN:VEVENT',
      `UID:event-${number}@bench.example`,
      'DTSTAMP:20261101T000000Z',
      `DTSTART;TZID=Europe/Warsaw:${start}`,
      'DURATION:PT1H30M',
      `SUMMARY:${title}\\, with a title`,
      'DESCRIPTION:A text of some length\\, as they are\\nwith a second line.',
      `CATEGORIES:Category ${number % 12}`,
      `LOCATION:Hall ${number % 20}\\, Main Street ${number % 20}`,
      'END:VEVENT',
    );
  }
  return Buffer.from([...lines, 'END:VCALENDAR', ''].join('\r\n'));
}

/** A number of events, counted from 0. */
export const numbered = (count: number): readonly MadeEvent[] =>
  Array.from({ length: count }, (_, number) => ({ number }));
