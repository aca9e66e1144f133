/** What a page may do besides what all may. */
interface Allowed {
  /** Sources that its forms may lead to, besides the site. */
  readonly formsTo?: readonly string[];
  /** Who may show it in a frame. */
  readonly framedBy?: "'none'" | "'self'";
}

/** Nothing on a page may load or run that is not ours, but for pictures. */
export const lookPolicy = ({ formsTo = [], framedBy = "'self'" }: Allowed = {}): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' http: https:",
    "base-uri 'none'",
    `form-action ${["'self'", ...formsTo].join(' ')}`,
    `frame-ancestors ${framedBy}`,
  ].join('; ');
