import { expect, test } from 'vitest';
import { httpFailure } from '../../../src/client/http-failure.ts';
import { AppError } from '../../../src/error.ts';

const coded = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code });

test.each<[string, unknown, string, boolean]>([
  ['a name without address', coded('ENOTFOUND'), 'unknown-host', false],
  ['a resolver that does not answer', coded('EAI_AGAIN'), 'unknown-host', false],
  ['nothing listening', coded('ECONNREFUSED'), 'refused', false],
  [
    'nothing listening at any address',
    Object.assign(new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')])),
    'refused',
    false,
  ],
  ['no route', coded('EHOSTUNREACH'), 'unreachable', false],
  ['no connection in time', coded('UND_ERR_CONNECT_TIMEOUT'), 'unreachable', false],
  ['no TLS', coded('ERR_SSL_WRONG_VERSION_NUMBER'), 'not-tls', false],
  ['an expired certificate', coded('CERT_HAS_EXPIRED'), 'tls', false],
  ['another host in the certificate', coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls', false],
  ['a self-signed certificate', coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls', false],
  ['no headers', coded('UND_ERR_HEADERS_TIMEOUT'), 'timeout', true],
  ['no more body', coded('UND_ERR_BODY_TIMEOUT'), 'timeout', true],
  ['no end in time', new DOMException('x', 'TimeoutError'), 'timeout', true],
  ['hung up', coded('UND_ERR_SOCKET'), 'cut-off', true],
  ['reset', coded('ECONNRESET'), 'cut-off', true],
  ['wrapped', new Error('x', { cause: coded('ECONNREFUSED') }), 'refused', false],
  ['an address that the guard refuses', new AppError('address-refused', 'no'), 'address-refused', false],
  ['a bad header', new AppError('invalid-header', 'no'), 'invalid', false],
  ['an error of this program', new AppError('too-large', 'the body is larger than 1 MB'), 'cut-off', true],
  ['no error at all', undefined, 'cut-off', true],
])('the code of a failed request: %s', (_, error, code, sent) =>
  expect(httpFailure(error)).toMatchObject({ code, sent }),
);

test.each([
  ['CERT_HAS_EXPIRED', 'no secure connection could be made: its certificate has expired (CERT_HAS_EXPIRED)'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'its certificate is not signed by an authority that this machine trusts (SELF_SIGNED_CERT_IN_CHAIN)',
  ],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'be made (ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE)'],
])('%s is explained', (code, words) => expect(httpFailure(coded(code)).message).toContain(words));
