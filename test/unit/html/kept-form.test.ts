import { describe, expect, test } from 'vitest';
import { keptIn, keptOf, keptText, refilled, type SentField } from '../../../src/html/kept-form.ts';
import { html, type Html } from '../../../src/html/template.ts';

const fill = (
  page: Html,
  sent: readonly SentField[],
): { readonly page: string; readonly left: readonly SentField[] } => {
  const { page: filled, left } = refilled(page, sent);
  return { page: filled.markup, left };
};

const row = (id: number, why = html``): Html =>
  html`<form method="post"><input type="hidden" name="id" value="${id}"><input name="why"${why}></form>`;
const folded = (inner: Html, open = html``): Html => html`<details${open}><summary>x</summary>${inner}</details>`;
const post = (inner: Html): Html => html`<form method="post">${inner}</form>`;

describe('a form that is filled in again', () => {
  test.each<[string, Html, readonly SentField[], string]>([
    [
      'a text field',
      html`<input name="a" value="old">`,
      [['a', '"<x>"']],
      '<input name="a" value="&quot;&lt;x&gt;&quot;">',
    ],
    ['a text field that was emptied', html`<input name="a" value="old">`, [['a', '']], '<input name="a" value="">'],
    [
      'a text area',
      html`<textarea name="a">\n&lt;old&gt;</textarea>`,
      [['a', '\n</textarea>']],
      '<textarea name="a">\n\n&lt;/textarea&gt;</textarea>',
    ],
    [
      'a checkbox',
      html`<input name="b"><input type="checkbox" name="a" value="1"><input type="checkbox" name="a" value="2" checked>`,
      [
        ['a', '1'],
        ['b', ''],
      ],
      '<input name="b" value=""><input type="checkbox" name="a" value="1" checked=""><input type="checkbox" name="a" value="2">',
    ],
    [
      'a select',
      html`<select name="a"><option value="1" selected>One</option><option value="2">Two</option></select>`,
      [['a', '2']],
      '<select name="a"><option value="1">One</option><option value="2" selected="">Two</option></select>',
    ],
    [
      'a text field after an end tag with a line break',
      html`<label>A</label\n  ><input name="a">`,
      [['a', 'x']],
      '<label>A</label\n  ><input name="a" value="x">',
    ],
    [
      'a select and a text area with line breaks in all tags',
      html`<b>A</b\n><select\nname="a"\n><option\n>1</option\n ><option value="2"\n>2</option\n></select\n><b>B</b\n><textarea\nname="b"\n>old</textarea\n>`,
      [
        ['a', '2'],
        ['b', 'new'],
      ],
      '<b>A</b\n><select\nname="a"\n><option>1</option\n ><option value="2" selected="">2</option\n></select\n>' +
        '<b>B</b\n><textarea\nname="b"\n>\nnew</textarea\n>',
    ],
    [
      'several fields of the same name',
      html`<input name="a"><input name="a">`,
      [
        ['a', '1'],
        ['a', '2'],
      ],
      '<input name="a" value="1"><input name="a" value="2">',
    ],
    [
      'a hidden field with the version it was made from',
      html`<input type="hidden" name="version" value="2"><input name="a">`,
      [
        ['version', '1'],
        ['a', 'x'],
      ],
      '<input type="hidden" name="version" value="1"><input name="a" value="x">',
    ],
  ])('%s', (_, inner, sent, expected) => {
    expect(fill(html`<p>A &amp; b</p><form method="post">${inner}</form>`, sent)).toEqual({
      page: `<p>A &amp; b</p><form method="post">${expected}</form>`,
      left: [],
    });
  });

  test('is the one with the same hidden id, and is unfolded', () => {
    const list = html`${folded(row(1))}${folded(row(2))}`;
    const why: SentField = ['why', 'because'];
    expect(fill(list, [['id', '2'], why]).page).toBe(
      html`${folded(row(1))}${folded(row(2, html` value="because"`), html` open=""`)}`.markup,
    );
    expect(fill(list, [['id', '3'], why])).toEqual({ page: list.markup, left: [['id', '3'], why] });
  });

  test('is the one with the most of the fields; those that it does not have are returned', () => {
    const before = html`<form method="get"><input name="a"></form>${post(html`<input name="a">`)}`;
    const { page, left } = fill(html`${before}${post(html`<input name="a"><input name="b">`)}`, [
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
    ]);
    expect(page).toBe(html`${before}${post(html`<input name="a" value="1"><input name="b" value="2">`)}`.markup);
    expect(left).toEqual([['c', '3']]);
  });

  test('never gets a token, a file or the value of a button', () => {
    const kept = keptOf({
      fields: [
        ['token', 'old'],
        ['do', 'publish'],
        ['kept', 'x'],
        ['a', '1'],
      ],
      hadFile: false,
    });
    expect(kept?.fields).toEqual([['a', '1']]);
    const form = post(html`<input type="hidden" name="token" value="new"><input name="a"><input type="file" name="f">`);
    expect(
      fill(form, [
        ['token', 'old'],
        ['a', '1'],
        ['f', 'x'],
      ]).page,
    ).toContain('name="token" value="new"');
  });
});

test('kept fields are read back unchanged; invalid and oversized ones are not', () => {
  const kept = { fields: [['a', '"\r\n\u2028<ü>']] as const, hadFile: true };
  expect(keptIn(keptText(kept) ?? '')).toEqual(kept);
  expect(keptOf({ fields: [['a', '']], hadFile: false })).toBeUndefined();
  for (const text of ['', '[]', 'null', '{}', '{"fields":[["a"]]}']) expect(keptIn(text)).toBeUndefined();
  expect(keptText({ fields: [['a', 'x'.repeat(250_001)]], hadFile: false })).toBeUndefined();
});
