import { expect, test } from 'vitest';
import { settingGroups, withFields, valueInFile } from '../../../src/operator/add/settings-fields.ts';
import { choiceWords, settingLabel } from '../../../src/operator/add/setting-words.ts';

const FIELDS = settingGroups().flatMap(({ fields }) => fields);

test.each(FIELDS.map((field) => [field.path.join('.'), field] as const))(
  '%s has a name and a line of help',
  (_, field) => {
    expect(settingLabel(field)).toMatch(/^[A-Z][a-z]+( \(?[A-Za-z]+\)?)*$/);
    expect(field.description).not.toBe('');
  },
);

test('no two settings have the same name', () => {
  const labels = FIELDS.map((field) => settingLabel(field));
  expect(new Set(labels).size).toBe(labels.length);
});

test('choices are words, not values of the file', () => {
  const shown = Object.fromEntries(
    FIELDS.filter(({ kind }) => kind === 'choice').map((field) => [
      field.path.join('.'),
      field.choices.map((choice) => choiceWords(field, choice)).join(' | '),
    ]),
  );
  expect(shown).toMatchObject({
    authority: 'what a person edited stays | the feed wins | the site wins',
    paused: 'yes | no',
    'missing.action': 'kept | hidden as a draft | shown as cancelled | put into the trash',
  });
});

test('an address with a password is not shown in its field', () => {
  const [url] = FIELDS;
  expect(url && valueInFile({ url: 'https://town:hunter2@x.example/a.ics' }, url)).toBeUndefined();
  expect(url && valueInFile({ url: 'https://x.example/@town:a' }, url)).toBe('https://x.example/@town:a');
});

test('what is typed stays as it is, or becomes a number or boolean where the file has one', () => {
  const typed: Readonly<Record<string, string>> = { 'columns.title': '007', 'missing.after': '2', paused: 'true' };
  expect(withFields({}, FIELDS, (name) => typed[name])).toEqual({
    columns: { title: '007' },
    missing: { after: 2 },
    paused: true,
  });
});
