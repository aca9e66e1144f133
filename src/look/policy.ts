/** What a page may do beyond the default. */
interface Allowed {
  /** Sources besides the site that its forms may lead to. */
  readonly formsTo?: readonly string[];
  /** Who may show it in a frame. */
  readonly framedBy?: "'none'" | "'self'" | '*';
  /** Whether it shows pages of ours in frames. */
  readonly frames?: true | undefined;
}

/** A page's content security policy: only our own content, except for pictures. */
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
