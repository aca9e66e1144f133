import { AppError } from '../error.ts';

/** What a failed request died of. `sent`: it may have reached the other side. `message` is a clause without the address asked for. */
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

/** Reads an error of `send`, or of reading its body. */
export function httpFailure(error: unknown): HttpFailure {
  const code = errorCode(error);
  if (error instanceof AppError && error.code === 'address-refused')
    return { code: 'address-refused', message: error.message, sent: false };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { code: 'unknown-host', message: 'its name has no address in the DNS', sent: false };
  if (code === 'ECONNREFUSED') return { code: 'refused', message: 'nothing accepts connections there', sent: false };
  if (UNREACHABLE[code] !== undefined) return { code: 'unreachable', message: UNREACHABLE[code], sent: false };
  if (code === 'invalid-header') return { code: 'invalid', message: (error as AppError).message, sent: false };
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    return { code: 'timeout', message: 'it did not begin to answer in time', sent: true };
  if (code === 'UND_ERR_BODY_TIMEOUT')
    return { code: 'timeout', message: 'it fell silent in the middle of its answer', sent: true };
  if (isTimeout(error)) return { code: 'timeout', message: 'its answer took too long', sent: true };
  if (/^(?:EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|ERR_SSL_HTTP_REQUEST)$/.test(code)) {
    return { code: 'not-tls', message: 'it does not speak TLS there', sent: false };
  }
  if (/^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/.test(code)) {
    return { code: 'tls', message: `no secure connection could be made (${code})`, sent: false };
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return { code: 'cut-off', message: 'its headers are larger than any feed needs', sent: true };
  if (error instanceof Error && error.name === 'HTTPParserError')
    return {
      code: 'cut-off',
      message: `what answers there does not speak HTTP as it should (${parserWords(error)})`,
      sent: true,
    };
  if (error instanceof AppError) return { code: 'cut-off', message: error.message, sent: true };
  return { code: 'cut-off', message: `the connection broke off (${code || String(error)})`, sent: true };
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  EADDRNOTAVAIL: 'there is no route to it',
  UND_ERR_CONNECT_TIMEOUT: 'it did not accept a connection in time',
  ETIMEDOUT: 'it did not accept a connection in time',
};

const parserWords = ({ message }: Error): string => /\(([^()]*)\)$/.exec(message)?.[1] ?? message;

const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError');

// With several addresses Node reports an AggregateError, whose members tell more.
function errorCode(error: unknown): string {
  const { code, errors, cause } = (error ?? {}) as { code?: unknown; errors?: readonly unknown[]; cause?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  return errors?.length ? errorCode(errors[0]) : cause === undefined ? '' : errorCode(cause);
}
