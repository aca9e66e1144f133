import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { alwaysDecides } from '../../../src/config/splice/always-decides.ts';
import {
  addReceiver,
  addSource,
  editReceiver,
  editSource,
  removeReceiver,
  removeSource,
  renameSource,
  type Spliced,
} from '../../../src/config/splice/splice.ts';
import type { Raw, RawMap } from '../../../src/config/splice/raw.ts';
import { repetitions } from '../../support/repetitions.ts';

const read = (text: string): RawMap => (parseDocument(text, { uniqueKeys: false }).toJS() ?? {}) as RawMap;
const sourcesIn = (text: string): RawMap => (read(text)['sources'] ?? {}) as RawMap;
const textOf = (spliced: Spliced): string => {
  if (spliced.kind === 'byHand') throw new Error(spliced.because);
  return spliced.text;
};
const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

describe('a source is added', () => {
  const town = { url: 'https://town.example/events.ics', every: '1h' };

  test('after the others, with their indentation and the empty line between them', () => {
    const text = lines(
      'sources:',
      '    library:',
      '        url: https://library.example/a.ics # old',
      '        # every: 1h',
      '',
      '    # the club',
      '    club: { url: file:club.csv }',
      '    # not yet:',
      '    #   url: x',
      '',
      'feeds: {}',
    );
    const block = lines('', '    town:', '        url: https://town.example/events.ics', '        every: 1h');
    expect(textOf(addSource(text, 'town', town))).toBe(text.replace('    #   url: x\n', (own) => own + block));
  });

  test.each([
    ['', lines('sources:', '  town:', '    url: https://town.example/events.ics', '    every: 1h')],
    [
      '# nothing yet',
      lines(
        '# nothing yet',
        'sources:',
        '  town:',
        '    url: https://town.example/events.ics',
        '    every: 1h',
      ).trimEnd(),
    ],
    [
      'sources:\n  # here\nfeeds: {}\n',
      lines(
        'sources:',
        '  # here',
        '  town:',
        '    url: https://town.example/events.ics',
        '    every: 1h',
        'feeds: {}',
      ),
    ],
    [
      'sources: {} # none\n',
      lines('sources:', '  town:', '    url: https://town.example/events.ics', '    every: 1h # none'),
    ],
    [
      'sources: { a: { url: x } }\n',
      'sources: { a: { url: x }, town: { url: https://town.example/events.ics, every: 1h } }\n',
    ],
    [
      'builtin:\r\n  title: T\r\n',
      'builtin:\r\n  title: T\r\nsources:\r\n  town:\r\n    url: https://town.example/events.ics\r\n    every: 1h\r\n',
    ],
  ])('to %j', (text, after) => expect(textOf(addSource(text, 'town', town))).toBe(after));

  test('but not over another one, nor into a file with a mistake or a shared map', () => {
    expect(addSource('sources: { town: { url: x } }', 'town', town)).toEqual({
      kind: 'byHand',
      because: 'There is a source "town" already.',
    });
    expect(addSource('sources: { town: ', 'b', town).kind).toBe('byHand');
    expect(addSource('sources: &all\n  a: { url: x }\nother: *all\n', 'b', town).kind).toBe('byHand');
  });
});

describe('a source is edited', () => {
  const text = lines(
    'sources:',
    '  a:',
    '    url: "https://a.example/"   # the address',
    '    categories: # theirs',
    '      add: [ Library ]',
    '    skip:',
    '      # staff',
    '      - { field: title, matches: staff } # always',
    '      - field: uid',
    '        matches: ^x',
    '    only: []',
    '  b: { url: x }',
  );
  const source = sourcesIn(text)['a'] as RawMap;
  const edited = (changes: Readonly<Record<string, Raw>>): string =>
    textOf(editSource(text, 'a', { ...source, ...changes }));

  test('in one value, without changing anything else', () =>
    expect(edited({ url: 'https://b.example/' })).toBe(text.replace('"https://a.example/"', 'https://b.example/')));

  test('with an entry added in brackets, and a key added on a line', () => {
    expect(edited({ categories: { add: ['Library', 'Books, old'], map: { Lesung: 'Reading' } } })).toBe(
      text.replace('[ Library ]\n', '[ Library, "Books, old" ]\n      map: { Lesung: Reading }\n'),
    );
  });

  test('with its rules reordered together with their comments', () => {
    const [staff, uid] = source['skip'] as readonly Raw[];
    const skip = [{ field: 'title', matches: '(?i)board' }, uid ?? null, staff ?? null];
    expect(edited({ skip })).toBe(
      text.replace(/( {6}# staff\n.*\n)((?: {6}- field.*\n).*\n)/, (_, first: string, second: string) =>
        `      - { field: title, matches: (?i)board }\n${second}${first}`.replace('(?i)board', '"(?i)board"'),
      ),
    );
  });

  test('with a key removed together with its lines, and empty values are not written', () => {
    expect(edited({ skip: [], venue: {}, tags: { add: [] } })).toBe(text.replace(/ {4}skip:\n[\s\S]*(?= {4}only)/, ''));
  });

  test('but not if others refer to it: that is left to a person', () => {
    const shared = lines('sources:', '  a: &a', '    url: x', '    every: 1h', '  b:', '    <<: *a', '    url: y');
    expect(editSource(shared, 'a', { url: 'x', every: '2h' }).kind).toBe('byHand');
    expect(textOf(editSource(shared, 'b', { ...(sourcesIn(shared)['b'] as RawMap), every: '2h' }))).toBe(
      `${shared}    every: 2h\n`,
    );
  });
});

test('a source is removed with its comments, and the last one leaves an empty map', () => {
  const text = lines(
    'sources:',
    '  # about a',
    '  a:',
    '    url: x',
    '    # tail of a',
    '',
    '  # about b',
    '  b:',
    '    url: y',
    '',
    '# feeds',
    'feeds: {}',
  );
  expect(textOf(removeSource(text, 'a'))).toBe(
    lines('sources:', '  # about b', '  b:', '    url: y', '', '# feeds', 'feeds: {}'),
  );
  expect(textOf(removeSource(text, 'b'))).toBe(
    lines('sources:', '  # about a', '  a:', '    url: x', '    # tail of a', '', '# feeds', 'feeds: {}'),
  );
  expect(textOf(removeSource('sources:\n  a:\n    url: x', 'a'))).toBe('sources: {}');
});

test('a renamed source remembers its old name', () => {
  const text = lines('sources:', '  "a" : # one', '    url: x', '    was: z');
  expect(textOf(renameSource(text, 'a', 'b'))).toBe(lines('sources:', '  b : # one', '    url: x', '    was: a'));
  expect(renameSource('sources: { a: { url: x }, b: { url: y } }', 'a', 'b').kind).toBe('byHand');
});

// Sources as people write them: each a text of its own, whose first line is its name.
const SOURCES: readonly string[] = [
  '  NAME:\n    url: https://a.example/x.ics\n    every: 1h\n',
  '  NAME: { url: https://a.example/x.ics, every: 1h, categories: { add: [A, B] } }   # flow\n',
  '  # comment\twith a tab\n  # and a second\n  NAME:\n    # inside\n' +
    '    url: "https://a.example/#x"\n\n    every: 1h   # how often\n' +
    '    categories:\n      add:\n        - A\n        # odd\n        - "B: ' +
    'c"\n    # tail\n',
  '  "NAME":\n      url:   x\n      skip: [ {field: title, matches: "a,b"} , { field: uid, matches: c } ]\n',
  "  'NAME': &NAME\n    url: >-\n      https://a.example/\n    set:\n" +
    '    - title: T\n      when:\n      - { field: title, matches: x }\n' +
    '    # second\n    - when: []\n      add_tags: [t]\n',
  '  NAME:\n    !!str url: x\n    every: ${EVERY:-1h}\n    columns: { title: A,\n      venue: B }\n',
  '  NAME:\n    url: x\n    set:\n      - description: |\n          # not a comment\n\n          text\n        title: "ü \\u00fc"\n',
  '  NAME: # behind\n    only:\n      - field: title\n        # between\n        matches: x\n    url: x\n\n\n',
];
const file = fc
  .record({
    head: fc.constantFrom('', '# a file\n\n', 'builtin: { title: T }\n', '%YAML 1.2\n---\n', '\ufeff'),
    sources: fc.array(fc.constantFrom(...SOURCES), { minLength: 1, maxLength: 4 }),
    gap: fc.constantFrom('', '\n', '\n\n'),
    foot: fc.constantFrom('', '\n# feeds\nfeeds: {}\n', 'feeds:\n  all: {}\n', '# the end'),
    crlf: fc.boolean(),
    isOpen: fc.boolean(),
  })
  .map(({ head, sources, gap, foot, crlf, isOpen }) => {
    const ended = (text: string): string => (crlf ? text.replaceAll('\n', '\r\n') : text);
    const parts = sources.map((source, index) =>
      ended(source.replaceAll('NAME', `s${index}`) + (index < sources.length - 1 ? gap : '')),
    );
    const tail = ended(foot);
    return {
      before: ended(`${head}sources:\n`),
      parts: isOpen && foot === '' ? [...parts.slice(0, -1), (parts.at(-1) ?? '').trimEnd()] : parts,
      after: tail,
    };
  });
const wholeOf = ({
  before,
  parts,
  after,
}: {
  readonly before: string;
  readonly parts: readonly string[];
  readonly after: string;
}): string => before + parts.join('') + after;

const value = fc.oneof(
  fc.constantFrom(
    '1h',
    'yes',
    '12',
    '1e3',
    '#x',
    'a: b',
    'a #b',
    "it's",
    '- x',
    '*a',
    '${TOKEN}',
    ' ',
    '',
    'ü\n\tx',
    '?',
    '~',
    'a,b',
    '[x',
  ),
  fc.string({ maxLength: 12, unit: 'grapheme' }),
);
const plain = { noNullPrototype: true } as const;
const rule = fc.record({ field: fc.constantFrom('title', 'uid'), matches: value }, plain);
const changes = fc.record(
  {
    url: value,
    every: fc.option(value),
    categories: fc.option(
      fc.record(
        {
          add: fc.array(value, { maxLength: 3 }),
          map: fc.dictionary(value, value, { maxKeys: 2, noNullPrototype: true }),
        },
        { requiredKeys: [], ...plain },
      ),
    ),
    skip: fc.option(fc.array(rule, { maxLength: 3 })),
    set: fc.option(
      fc.array(fc.record({ when: fc.array(rule, { maxLength: 2 }), title: value }, plain), { maxLength: 3 }),
    ),
    venue: fc.record({ default: value }, plain),
  },
  { requiredKeys: [], ...plain },
);

/** The value as it is read back, given that empty values are not written. */
function lean(now: Raw): Raw {
  if (typeof now !== 'object' || now === null || Array.isArray(now)) return now;
  const entries = Object.entries(now as RawMap).map(([key, each]) => [key, lean(each)] as const);
  return Object.fromEntries(
    entries.filter(([, each]) => !(typeof each === 'object' && (each === null || Object.keys(each).length === 0))),
  );
}

test('in files as people write them, an edit changes its own source and no other byte', () => {
  let byHand = 0;
  const times = 300;
  fc.assert(
    fc.property(file, fc.nat(), changes, fc.boolean(), (made, which, wanted, isTurned) => {
      const text = wholeOf(made);
      const index = which % made.parts.length;
      const name = `s${index}`;
      const own = sourcesIn(text)[name] as RawMap;
      const next: RawMap = Object.fromEntries(
        Object.entries({ ...own, ...wanted })
          .filter(([, each]) => each !== null)
          .map(([key, each]) => [key, isTurned && Array.isArray(each) ? (each as readonly Raw[]).toReversed() : each]),
      );
      const [head, foot] = [
        made.before + made.parts.slice(0, index).join(''),
        made.parts.slice(index + 1).join('') + made.after,
      ];
      const spliced = editSource(text, name, next);
      if (spliced.kind === 'byHand') {
        byHand += 1;
        return;
      }
      expect(lean(read(spliced.text))).toEqual(lean({ ...read(text), sources: { ...sourcesIn(text), [name]: next } }));
      expect(spliced.text.startsWith(head)).toBe(true);
      expect(spliced.text.endsWith(foot)).toBe(true);
    }),
    { numRuns: times },
  );
  // Few files have to be left to a person.
  expect(byHand).toBeLessThan(times / 10);
});

test('sources are added, removed and renamed without touching the others', () => {
  fc.assert(
    fc.property(file, fc.nat(), changes, (made, which, wanted) => {
      const text = wholeOf(made);
      const sources = sourcesIn(text);
      const source = lean(
        Object.fromEntries(Object.entries({ url: 'x', ...wanted }).filter(([, each]) => each !== null)),
      ) as RawMap;
      const more = textOf(addSource(text, 'town', source));
      expect(read(more)).toEqual({ ...read(text), sources: { ...sources, town: source } });
      const put = more.length - text.length;
      const at = [...more].findIndex((_, index) => more.slice(0, index) + more.slice(index + put) === text);
      expect(at).toBeGreaterThan(-1);
      expect(textOf(removeSource(more, 'town')).trimEnd()).toBe(text.trimEnd());

      const index = which % made.parts.length;
      const name = `s${index}`;
      const { [name]: own, ...others } = sources;
      const called = textOf(renameSource(text, name, 'other'));
      expect(read(called)).toEqual({ ...read(text), sources: { ...others, other: { ...(own as RawMap), was: name } } });
      const fewer = textOf(removeSource(text, name));
      expect(read(fewer)).toEqual({ ...read(text), sources: others });
      const kept = made.parts.filter((_, other) => other !== index);
      expect(kept.filter((part) => !fewer.includes(part.trim()))).toEqual([]);
    }),
    { numRuns: repetitions(100) },
  );
});

describe('who always decides about a field', () => {
  const FIELDS = ['title', 'start_date'];

  test.each([
    [
      '# Ours\nsources:\n  a: # the hall\n    url: x\n',
      '# Ours\nsources:\n  a: # the hall\n    url: x\n    authority: { title: site, start_date: site }\n',
    ],
    [
      'sources:\n  a:\n    url: x\n    authority: preserve # as ever\n',
      'sources:\n  a:\n    url: x\n    authority: { title: site, start_date: site } # as ever\n',
    ],
    [
      'sources:\n  a:\n    url: x\n    authority: { title: feed, cost: feed }\n',
      'sources:\n  a:\n    url: x\n    authority: { title: site, cost: feed, start_date: site }\n',
    ],
  ])('is added to %j', (before, after) =>
    expect(alwaysDecides(before, 'a', 'site', FIELDS)).toMatchObject({ kind: 'spliced', text: after }),
  );

  test.each(['sources:\n  b: { url: x }\n', 'sources:\n  a: { url: x, authority: feed }\n'])(
    'is left to a person in %j',
    (text) => expect(alwaysDecides(text, 'a', 'site', FIELDS).kind).toBe('byHand'),
  );
});

describe('a receiver of alerts', () => {
  const clerk = { mail: 'clerk@town.example' };
  const lines = '  receivers:\n    clerk:\n      mail: clerk@town.example\n';

  test.each([
    ['# Empty.\n', `# Empty.\nalerts:\n${lines}`],
    ['alerts:\n  mail: { server: x } # ours\n', `alerts:\n  mail: { server: x } # ours\n${lines}`],
    ['alerts: {}\n', `alerts:\n${lines}`],
    ['alerts:\n  receivers: {} # nobody\n', `alerts:\n${lines.replace('town.example', 'town.example # nobody')}`],
    [
      'alerts:\n  receivers:\n    boss: { mail: x } # first\nfeeds: {}\n',
      `alerts:\n  receivers:\n    boss: { mail: x } # first\n    clerk:\n      mail: clerk@town.example\nfeeds: {}\n`,
    ],
  ])('is added to %j', (text, after) => {
    expect(textOf(addReceiver(text, 'clerk', clerk))).toBe(after);
    expect(addReceiver(after, 'clerk', clerk)).toMatchObject({ because: 'There is a receiver "clerk" already.' });
  });

  test('is changed and removed without changing anything else', () => {
    const text =
      'alerts:\n  receivers:\n    # The desk.\n    clerk: { mail: a@b.example, after: 2h } # not at night\n    boss: { mail: x }\n';
    expect(textOf(editReceiver(text, 'clerk', { mail: 'c@d.example', after: '2h' }))).toBe(text.replace('a@b', 'c@d'));
    const without = textOf(removeReceiver(text, 'clerk'));
    expect(without).toBe('alerts:\n  receivers:\n    boss: { mail: x }\n');
    expect(textOf(removeReceiver(without, 'boss'))).toBe('alerts:\n  receivers: {}\n');
    expect(removeReceiver(without, 'clerk')).toMatchObject({ because: 'There is no receiver "clerk" in the file.' });
    expect(editReceiver(without, 'clerk', clerk)).toMatchObject({ kind: 'byHand' });
  });
});
