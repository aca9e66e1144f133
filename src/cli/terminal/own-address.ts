import type { Config } from '../../config/config.ts';

/** The configured public address of the program, or else its local one. */
export const ownAddress = ({ builtin, host, port }: Config): string =>
  builtin.publicUrl || `http://${hostInAddress(host)}:${port}`;

function hostInAddress(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
