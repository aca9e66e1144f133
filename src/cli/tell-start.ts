import type { NewAccount } from '../site/authorize/accounts.ts';
import type { Report } from '../sync/plan.ts';
import type { Call } from './command.ts';
import { printJson } from './io.ts';
import { reportInWords } from './words.ts';

/** Takes the reports of the first runs and tells, in the end, what came of them and where to look. */
export interface StartTold { readonly report: (report: Report) => void }

/** What a person sees after `npm start`: a line per source as its first run ends, then the addresses to open. */
export function tellStart({ io, config, options }: Call, publicUrl: string, sources: readonly string[], serves: boolean, administrator?: NewAccount): StartTold {
  const awaited = new Set(sources);
  const reports: Report[] = [];
  const ended = (): void => {
    if (options.json) printJson(io, { url: serves ? `${publicUrl}/` : null, ...(administrator && { administrator: { username: administrator.login, password: administrator.password } }), runs: reports });
    else io.out(serves ? `\n${addresses(publicUrl)}` : '');
  };
  if (!options.json) io.out(`calsyncd keeps ${names(titlesOf(config))} in step with ${config.sources.length} ${config.sources.length === 1 ? 'source' : 'sources'}\n`);
  if (!options.json && administrator) io.out(`\nThe first administrator signs in at ${publicUrl}/authorize as "${administrator.login}" with this password, shown only now:\n\n  ${administrator.password}\n\n`);
  if (awaited.size === 0) ended();
  return {
    report: (report) => {
      if (!awaited.delete(report.source)) return;
      reports.push(report);
      if (!options.json) io.out(reportInWords(report));
      if (awaited.size === 0) ended();
    },
  };
}

const titlesOf = ({ sites, builtin }: Call['config']): readonly string[] => Object.values(sites).map(({ url }) => (url === 'builtin' ? builtin.title : url));
const names = (titles: readonly string[]): string => titles.map((title) => `"${title}"`).join(', ');

const addresses = (publicUrl: string): string => [
  ['The calendar', '/'], ['Its REST API', '/api/'], ['Feeds', '/feeds/'], ['Your passwords', '/authorize'],
].map(([what, path]) => `${what!.padEnd(17)} ${publicUrl}${path}\n`).join('');
