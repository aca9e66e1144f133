import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../../config/config.ts';
import type { NewAccount } from '../../site/authorize/accounts.ts';
import type { Report } from '../../sync/model/plan.ts';
import type { Call } from '../terminal/command.ts';
import { printJson } from '../terminal/io.ts';
import type { OpenSite } from './open-sites.ts';
import { printLines } from '../terminal/screen.ts';
import { reportInWords } from '../terminal/words.ts';
import { countInWords } from '../../count-in-words.ts';

/** The role of a process: serving the sites and feeds, syncing the sources, or both. */
export interface Part {
  readonly serves: boolean;
  readonly syncs: boolean;
}

/** The addresses that people can visit. */
export interface VisitableAddresses {
  readonly sites: readonly Pick<OpenSite, 'name' | 'home' | 'isBuiltin'>[];
  readonly publicUrl: string;
}

/** The first line, printed before the database is up. */
export function headline({ sites, builtin, sources, file }: Config): string {
  const titles = Object.values(sites)
    .map(({ url }) => `"${url === 'builtin' ? builtin.title : url}"`)
    .join(', ');
  return `calsyncd keeps ${titles} in step with ${countInWords(sources.length, 'source')} of ${shown(file)}\n\n`;
}

/** The screen once everything is up: the addresses, who may sign in, and what to do next. */
export function firstScreen(
  config: Config,
  { sites, publicUrl }: VisitableAddresses,
  { serves, syncs }: Part,
  administrator: NewAccount | 'missing' | undefined,
): string {
  const remote = sites.filter(({ isBuiltin }) => !isBuiltin);
  const hasBuiltin = remote.length < sites.length;
  const addresses = [
    ...(serves && hasBuiltin
      ? [
          ['The calendar', `${publicUrl}/`],
          ['Its REST API', `${publicUrl}/api/`],
        ]
      : []),
    ...remote.map(({ name, home }) => [remote.length === 1 ? 'The site' : `The site ${name}`, home]),
    ...(serves ? [['Feeds', `${publicUrl}/feeds/`]] : []),
    ...(serves ? [['The console', `${publicUrl}/operator/`]] : []),
    ...(serves && hasBuiltin
      ? [
          ['Writing by hand', `${publicUrl}/edit`],
          ['Your passwords', `${publicUrl}/authorize`],
        ]
      : []),
  ];
  const width = Math.max(...addresses.map(([what = '']) => what.length), 15) + 2;
  return [
    ...addresses.map(([what = '', address]) => `${what.padEnd(width)} ${address}\n`),
    signingIn(publicUrl, administrator),
    ...(syncs
      ? [nextSteps(config, serves)]
      : ['\nThis process only serves. To sync, run another one with: start --role worker\n']),
    ...(syncs && config.sources.length > 0 ? ['\nThe first runs:\n'] : []),
  ]
    .join('')
    .replace(/^\n/, '');
}

function signingIn(publicUrl: string, administrator: NewAccount | 'missing' | undefined): string {
  if (administrator === undefined) return '';
  if (administrator === 'missing')
    return '\nNobody can sign in yet. To create the first administrator: npm run -s calsyncd -- password admin --account --role administrator\n';
  return (
    `\nThe first administrator signs in at ${publicUrl}/operator/ as "${administrator.login}" with this ` +
    `password, shown only this once:\n\n  ${administrator.password}\n`
  );
}

/** How to add a feed, for people who have none yet. */
function nextSteps({ sources, file }: Config, hasConsole: boolean): string {
  const samples = `${pathToFileURL(path.join(path.dirname(file), 'samples')).href}/`;
  if (!sources.every(({ url }) => url.startsWith(samples))) return '';
  const inConsole = hasConsole ? ', choose "Add a source" in the console, or' : '';
  return [
    '',
    sources.length === 0
      ? `There are no sources yet. To add a feed of your own${inConsole}:`
      : `These sources are samples. To add a feed of your own${inConsole}:`,
    '',
    '  1. See what it would become:  npm run -s calsyncd -- preview https://example.org/events.ics',
    `  2. Copy the lines that this prints at the end into ${shown(file)}${sources.length === 0 ? '.' : ', in place of the samples.'}`,
    '  3. Save it: this program notices within seconds.',
    '',
  ].join('\n');
}

/** A file name as a person would type it in the current directory. */
function shown(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith('..') ? file : relative;
}

/**
 * Returns a function that takes the reports of first runs. It prints a line for each and one after the last or, with
 * `--json`, a single value for all.
 */
export function tellFirstRuns(
  { io, config, options }: Call,
  publicUrl: string,
  { serves, syncs }: Part,
  administrator: NewAccount | undefined,
): (report: Report) => void {
  const awaited = new Set(syncs ? config.sources.flatMap(({ name, paused }) => (paused ? [] : [name])) : []);
  const reports: Report[] = [];
  const json = (): void =>
    printJson(io, {
      url: serves ? `${publicUrl}/` : null,
      ...(administrator && { administrator: { username: administrator.login, password: administrator.password } }),
      runs: reports,
    });
  if (awaited.size === 0 && options.json) json();
  return (report) => {
    if (!awaited.delete(report.source)) return;
    reports.push(report);
    if (!options.json) printLines(io, reportInWords(report));
    if (awaited.size > 0) return;
    if (options.json) json();
    else io.out('\nThe first runs are done. Each source is read again when it is due.\n');
  };
}
