/** What a page may do besides what all may. */
interface Allowed {
  /** Sources that its forms may lead to, besides the site. */
  readonly formsTo?: readonly string[];
  /** Who may show it in a frame. */
  readonly framedBy?: "'none'" | "'self'" | '*';
  /** It shows pages of ours in frames. */
  readonly frames?: true | undefined;
}

/** Nothing on a page may load or run that is not ours, but for pictures. */
export const lookPolicy = ({ formsTo = [], framedBy = "'self'", frames }: Allowed = {}): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' http: https:",
    ...(frames ? ["frame-src 'self'"] : []),
    "base-uri 'none'",
    `form-action ${["'self'", ...formsTo].join(' ')}`,
    `frame-ancestors ${framedBy}`,
  ].join('; ');
