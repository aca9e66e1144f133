import { AppError } from '../error.ts';

/**
 * Why a request failed. `sent`: it may have reached the server. `message` is a clause that does not contain the
 * address.
 */
export interface HttpFailure {
  readonly code:
    | 'address-refused'
    | 'unknown-host'
    | 'refused'
    | 'unreachable'
    | 'not-tls'
    | 'tls'
    | 'invalid'
    | 'timeout'
    | 'cut-off';
  readonly message: string;
  readonly sent: boolean;
}

/** Explains an error of `send`, or of reading its body. */
export function httpFailure(error: unknown): HttpFailure {
  const code = errorCode(error);
  const found = FAILURES.find(({ is }) => is(code, error));
  if (found) {
    const { code: own, sent, message } = found;
    return { code: own, message: typeof message === 'string' ? message : message(code, error), sent };
  }
  if (error instanceof AppError) return { code: 'cut-off', message: error.message, sent: true };
  return { code: 'cut-off', message: `the connection broke off (${code || String(error)})`, sent: true };
}

interface Failure extends Omit<HttpFailure, 'message'> {
  /** Matches by the error's code (from undici, Node.js or ours), or by the error itself. */
  readonly is: (code: string, error: unknown) => boolean;
  readonly message: string | ((code: string, error: unknown) => string);
}

const oneOf =
  (...codes: readonly string[]) =>
  (code: string): boolean =>
    codes.includes(code);
const messageOf = (_: string, error: unknown): string => (error instanceof Error ? error.message : String(error));
const isParserError = (error: unknown): error is Error => error instanceof Error && error.name === 'HTTPParserError';

/** Known failures; the first match counts. */
const FAILURES: readonly Failure[] = [
  {
    code: 'address-refused',
    is: (_, error) => error instanceof AppError && error.code === 'address-refused',
    message: messageOf,
    sent: false,
  },
  {
    code: 'unknown-host',
    is: oneOf('ENOTFOUND', 'EAI_AGAIN'),
    message: 'its name has no address in the DNS',
    sent: false,
  },
  { code: 'refused', is: oneOf('ECONNREFUSED'), message: 'nothing accepts connections there', sent: false },
  {
    code: 'unreachable',
    is: oneOf('EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'),
    message: 'there is no route to it',
    sent: false,
  },
  {
    code: 'unreachable',
    is: oneOf('UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'),
    message: 'it did not accept a connection in time',
    sent: false,
  },
  { code: 'invalid', is: oneOf('invalid-header'), message: messageOf, sent: false },
  {
    code: 'timeout',
    is: oneOf('UND_ERR_HEADERS_TIMEOUT'),
    message: 'it did not begin to answer in time',
    sent: true,
  },
  {
    code: 'timeout',
    is: oneOf('UND_ERR_BODY_TIMEOUT'),
    message: 'it fell silent in the middle of its answer',
    sent: true,
  },
  { code: 'timeout', is: (_, error) => isTimeout(error), message: 'its answer took too long', sent: true },
  {
    code: 'not-tls',
    is: oneOf('EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_HTTP_REQUEST'),
    message: 'it does not speak TLS there',
    sent: false,
  },
  {
    code: 'tls',
    is: (code) => /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/.test(code),
    message: (code) => `no secure connection could be made${CERTIFICATES[code] ?? ''} (${code})`,
    sent: false,
  },
  {
    code: 'cut-off',
    is: oneOf('UND_ERR_HEADERS_OVERFLOW'),
    message: 'its headers are larger than any feed needs',
    sent: true,
  },
  {
    code: 'cut-off',
    is: (_, error) => isParserError(error),
    message: (_, error) => `the server there does not speak HTTP as it should (${parserWords(error)})`,
    sent: true,
  },
];

const UNKNOWN_ISSUER = ': its certificate is not signed by an authority that this machine trusts';

/** What is wrong with a certificate. */
const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: ': its certificate has expired',
  CERT_NOT_YET_VALID: ': its certificate is not valid yet, or the clock of this machine is slow',
  ERR_TLS_CERT_ALTNAME_INVALID: ': its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_ISSUER,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${UNKNOWN_ISSUER}, or it does not send the certificates in between`,
};

function parserWords(error: unknown): string {
  const message = messageOf('', error);
  return /\(([^()]*)\)$/.exec(message)?.[1] ?? message;
}

const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError');

// If a host has several addresses, Node.js reports an AggregateError whose members have the codes.
function errorCode(error: unknown): string {
  const { code, errors, cause } = (error ?? {}) as { code?: unknown; errors?: readonly unknown[]; cause?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  const inner = errors?.length ? errors[0] : cause;
  return inner === undefined ? '' : errorCode(inner);
}
