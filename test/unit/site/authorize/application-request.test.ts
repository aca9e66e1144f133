import { describe, expect, test } from 'vitest';
import {
  approvedAddress,
  isAsked,
  policySource,
  queryOf,
  refusalOf,
  rejectedAddress,
  requestFrom,
} from '../../../../src/site/authorize/application-request.ts';

const request = (fields: Readonly<Record<string, string>>) => requestFrom((name) => fields[name]);
const ID = '0b6f7c1e-3a52-4c8e-9b1d-2f4a5c6d7e8f';

describe('where a password may be sent', () => {
  test.each<[string, boolean, boolean]>([
    ['https://app.example/done', false, true],
    ['myapp://callback', false, true],
    ['http://127.0.0.1:9000/done', false, true],
    ['http://localhost/done', false, true],
    ['http://[::1]:9000/', false, true],
    ['', false, true],
    ['http://app.example/done', false, false],
    ['http://app.example/done', true, true],
    ['http://localhost.app.example/done', false, false],
    ['javascript:alert(1)', true, false],
    ['javascript://app.example/%0aalert(1)', true, false],
    ['data://text/html,x', true, false],
    ['file://host/x', true, false],
    ['myapp:callback', true, false],
    ['com.example.my-app://callback', false, true],
    ['COM.EXAMPLE.APP://callback', false, true],
    ['wordpress2://callback', false, true],
    ['view-source://app.example/done', true, false],
    ['view-source:https://app.example/done', true, false],
    ['chrome://settings/', true, false],
    ['chrome-extension://abcdefgh/done.html', true, false],
    ['moz-extension://abcdefgh/done.html', true, false],
    ['edge://settings/', true, false],
    ['about://newtab/', true, false],
    ['intent://app.example/#Intent;scheme=http;end', true, false],
    ['android-app://com.example.app/http/app.example', true, false],
    ['jar://app.example/a.jar!/done', true, false],
    ['jar:https://app.example/a.jar!/done', true, false],
    ['ms-msdt://app.example/', true, false],
    ['search-ms://app.example/', true, false],
    ['web+thing://app.example/', true, false],
    ['smb://app.example/share', true, false],
    ['ldap://app.example/', true, false],
    ['/done', true, false],
    ['app.example', true, false],
    ['https://anna:secret@app.example/', true, false],
    ['https://bücher.example/done', false, true],
    ['https://my_app.example:8443/done', false, true],
    ['myapp://Callback/done', false, true],
    ['https://a;frame-ancestors/', true, false],
    ['https://a,frame-ancestors/', true, false],
    ['https://*/', true, false],
    ["https://'self'/", true, false],
  ])('%s is accepted (local site: %s): %s', (address, isLocal, isTaken) => {
    expect(refusalOf(request({ success_url: address }), isLocal) === undefined).toBe(isTaken);
    expect(refusalOf(request({ reject_url: address }), isLocal) === undefined).toBe(isTaken);
  });
});

test.each([
  [ID, true],
  [ID.toUpperCase(), true],
  ['', true],
  ['nonsense', false],
  [`${ID}0`, false],
])('an id of %s is accepted: %s', (app_id, isTaken) => {
  expect(refusalOf(request({ app_id }), false) === undefined).toBe(isTaken);
});

test('the application learns the decision at the address that it named', () => {
  expect(
    approvedAddress('https://app.example/done?state=1&password=x#f', 'https://site.example', 'anna b', 'a+b&c'),
  ).toBe('https://app.example/done?state=1&password=a%2Bb%26c&site_url=https%3A%2F%2Fsite.example&user_login=anna+b#f');
  expect(approvedAddress('myapp://callback', 'https://site.example', 'anna', 'x')).toBe(
    'myapp://callback?site_url=https%3A%2F%2Fsite.example&user_login=anna&password=x',
  );
  expect(
    rejectedAddress(request({ success_url: 'https://app.example/done', reject_url: 'https://app.example/no' })),
  ).toBe('https://app.example/no');
  expect(rejectedAddress(request({ success_url: 'https://app.example/done?a=1' }))).toBe(
    'https://app.example/done?a=1&success=false',
  );
  expect(rejectedAddress(request({ app_name: 'Phone' }))).toBeUndefined();
});

test('a request survives a query string unchanged, without unknown fields', () => {
  const asked = request({ app_name: 'My & phone', app_id: ID, success_url: 'myapp://x?a=b', evil: 'yes' });
  const query = new URLSearchParams(queryOf(asked));
  expect([...query.keys()]).toEqual(['app_name', 'app_id', 'success_url']);
  expect(requestFrom((name) => query.get(name))).toEqual(asked);
  expect([isAsked(asked), isAsked(request({ app_name: '  ' }))]).toEqual([true, false]);
});

test.each([
  ['https://app.example:8443/a?b', ['https://app.example:8443']],
  ['myapp://callback/x', ['myapp:']],
  ['', []],
])('a policy for %s names %j', (address, sources) => {
  expect(policySource(address)).toEqual(sources);
});
