import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentLines } from '../../../src/ical/read/content-lines.ts';
import { propertyFromLine } from '../../../src/ical/read/property.ts';
import { anyText } from '../../support/any-text.ts';

const textsOf = (text: string): readonly string[] => [...contentLines(text)].map((line) => line.text);

describe('contentLines', () => {
  it.each([
    ['CRLF', 'A:1\r\nB:2\r\n', ['A:1', 'B:2']],
    ['LF', 'A:1\nB:2', ['A:1', 'B:2']],
    ['CR', 'A:1\rB:2\r', ['A:1', 'B:2']],
    ['a stray CR before the line end', 'A:1\r\r\nB:2\r\n', ['A:1', 'B:2']],
    ['a stray CR inside a value', 'A:one\rtwo\r\nB:2', ['A:onetwo', 'B:2']],
    ['a CR that ends a line among LFs', 'A:1\rB:2\nC:3', ['A:1', 'B:2', 'C:3']],
    ['folds by space and tab', 'A:on\r\n e\r\n\t two', ['A:one two']],
    ['a blank line inside a fold', 'A:1\r\n\r\n 2', ['A:12']],
    ['U+2028 and U+0085 do not end a line', 'A:1\u20282\u00853\nB:4', ['A:1\u20282\u00853', 'B:4']],
    ['byte order marks at line starts', '\uFEFFA:1\n\uFEFFB:2', ['A:1', 'B:2']],
    [
      'soft line breaks of vCalendar 1.0',
      'D;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:a=0D=0A=\r\nBad=\r\nc\r\nE:f\r\n',
      ['D;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:a=0D=0ABadc', 'E:f'],
    ],
    [
      'soft line breaks without the name of the parameter',
      'D;QUOTED-PRINTABLE:a=\nb\nE:f',
      ['D;QUOTED-PRINTABLE:ab', 'E:f'],
    ],
    [
      'an address that ends with an equals sign',
      'URL:https://a.example/?id=\nE:f',
      ['URL:https://a.example/?id=', 'E:f'],
    ],
    [
      'an indented layout is not folding',
      'BEGIN:VEVENT\n  UID:a\n  SUMMARY:b\n    more\nEND:VEVENT',
      ['BEGIN:VEVENT', 'UID:a', 'SUMMARY:b   more', 'END:VEVENT'],
    ],
  ])('%s', (_, text, lines) => {
    expect(textsOf(text)).toEqual(lines);
  });

  it('numbers lines as an editor does', () => {
    expect([...contentLines('A:1\r\n 2\r\n\r\nB:3')].map(({ line }) => line)).toEqual([1, 4]);
  });

  it('undoes any folding', () => {
    fc.assert(
      fc.property(
        anyText({ maxLength: 80 }).map((text) => `A:${text.replace(/[\s\uFEFF]/g, '.')}`),
        fc.array(fc.integer({ min: 3, max: 20 }), { minLength: 1 }),
        (line, widths) => {
          let folded = line.slice(0, 2);
          for (let at = 2, turn = 0; at < line.length; turn += 1) {
            const width = widths[turn % widths.length]!;
            folded += `${turn === 0 ? '' : '\r\n '}${line.slice(at, at + width)}`;
            at += width;
          }
          expect(textsOf(folded)).toEqual([line]);
        },
      ),
    );
  });
});

const propertyOf = (text: string): unknown => {
  const property = propertyFromLine({ text, line: 1 });
  return property && [property.name, { ...property.parameters }, property.value];
};

describe('propertyFromLine', () => {
  it.each([
    ['SUMMARY:a:b;c', ['SUMMARY', {}, 'a:b;c']],
    ['summary;language=en:x', ['SUMMARY', { LANGUAGE: 'en' }, 'x']],
    ['ATTENDEE;CN="a;b:c";ROLE=CHAIR:mailto:x@y', ['ATTENDEE', { CN: 'a;b:c', ROLE: 'CHAIR' }, 'mailto:x@y']],
    ['SUMMARY;LANGUAGE=:Empty', ['SUMMARY', { LANGUAGE: '' }, 'Empty']],
    [
      'DTSTART;TZID=tzone://Microsoft/Utc:20260501T100000',
      ['DTSTART', { TZID: 'tzone://Microsoft/Utc' }, '20260501T100000'],
    ],
    ['DTSTART;TZID=UTC+01:00:20260501T100000', ['DTSTART', { TZID: 'UTC+01:00' }, '20260501T100000']],
    ['DTSTART;TZID=(UTC+01:00) Berlin:20260501T100000', ['DTSTART', { TZID: '(UTC+01:00) Berlin' }, '20260501T100000']],
    ['DTSTART ; VALUE=DATE : 20260501', ['DTSTART', { VALUE: 'DATE' }, ' 20260501']],
    ['DESCRIPTION;ALTREP="never closed:text', ['DESCRIPTION', { ALTREP: 'never closed' }, 'text']],
    ["ORGANIZER;CN=a^nb ^'c^' ^^:x", ['ORGANIZER', { CN: 'a\nb "c" ^' }, 'x']],
    ['__PROTO__;A=B:x', undefined],
    ['no colon here', undefined],
    ['Two words: and a colon', undefined],
    ['', undefined],
  ])('%s', (text, property) => {
    expect(propertyOf(text)).toEqual(property);
  });

  it('reads any line, and 100,000 parameters without backtracking', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('A', ';', ':', '=', '"', ',', ' ', '\\', '-'), maxLength: 40 }),
        (text) => {
          propertyOf(text);
        },
      ),
    );
    expect(propertyFromLine({ text: `SUMMARY${';A=B'.repeat(100_000)}:x`, line: 1 })?.value).toBe('x');
    expect(propertyFromLine({ text: `SUMMARY;A="${'"'.repeat(100_001)}:x`, line: 1 })?.value).toBe('x');
  });
});
