import { AppError } from '../../error.ts';
import type { Forgotten } from '../../feeds/content/forget-event.ts';
import type { SiteSetup } from '../../run/state/context.ts';
import { endLeftRun, forgetSource, formerSources, startTrashing } from '../../run/decisions/forget-source.ts';
import { formerSource } from '../../run/steps/setup-of-run.ts';
import { recordAct } from '../../run/watch/acts.ts';
import type { Report } from '../../sync/model/plan.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { commandOf, type Call } from '../terminal/command.ts';
import { isAgreed, canAsk, confirm, YES } from '../terminal/confirmed.ts';
import { EXIT, printJson, type ExitCode } from '../terminal/io.ts';
import { noEvent } from '../open/event-named.ts';
import { forgetOnSite, isOnSite } from '../open/forget-on-site.ts';
import { exitFor, withRunner } from '../open/one-run.ts';
import { withApp, type App } from '../open/open-context.ts';
import type { OpenSite } from '../open/open-sites.ts';
import { whileReading } from '../progress/while-reading.ts';
import { siteSetup } from '../open/open-sources.ts';
import { printLines } from '../terminal/screen.ts';
import { reportInWords, wasStopped } from '../terminal/words.ts';
import { knownNames } from '../text/unknown-name.ts';
import { WrongUse } from '../terminal/wrong-use.ts';
import { countInWords } from '../../count-in-words.ts';

/**
 * `forget SOURCE [--trash] [--yes]`: drops a source that is no longer in the configuration. Says how many events it
 * keeps; `--yes` carries it out. `forget --event SLUG`: removes an event that should not have been published, without
 * asking.
 */
export const command = commandOf({
  group: 'Events and sources',
  usage: 'forget [former-source]',
  stopsItself: true,
  description: 'drop what is stored about a source that is no longer configured; shows the number of its events first',
  example: 'forget old-library --trash',
  options: [
    [
      '--event <slug>',
      "take back an event that should not have been published: from the site, and from subscribers' calendars",
    ],
    ['--trash', 'move the events of the source to the trash; without it they stay on the site'],
    YES,
    REASON,
  ],
  act: async (call) => {
    const { event } = call.options;
    const [source] = call.args;
    if (typeof event === 'string' && source === undefined)
      return withApp(call.config, call.io, (app) => takeBack(app, call, event));
    if (typeof event !== 'string' && source !== undefined)
      return withApp(call.config, call.io, (app) => forget(app, call, source));
    throw new WrongUse('Name either a source, or an event with --event SLUG.');
  },
});

async function takeBack(app: App, call: Call, slug: string): Promise<ExitCode> {
  const { io, options } = call;
  const sites = await whileReading(app, io, 'looking for it', () => sitesWith(app, slug));
  if (sites.length === 0) throw await nowhere(app, slug);
  await confirm(
    call,
    `"${slug}" goes off ${sites.map((site) => siteInWords(app, site)).join(' and ')}, and subscribers of its feeds get it as cancelled.`,
  );
  const done: (Forgotten & { readonly site: OpenSite })[] = [];
  for (const site of sites) {
    const forgotten = await whileReading(app, io, `taking it off ${site.name}`, () => forgetOnSite(app, site, slug));
    if (!forgotten) continue;
    done.push({ ...forgotten, site });
    const { by, reason } = askedBy(call);
    await recordAct(app.state.database.query(), by, { kind: 'forget', site: site.key, event: slug, reason });
  }
  // Another person was faster.
  if (done.length === 0) throw await nowhere(app, slug);
  if (options.json)
    printJson(io, { event: slug, sites: done.map(({ site, ...forgotten }) => ({ site: site.name, ...forgotten })) });
  else for (const one of done) io.out(takenBackInWords(slug, one, siteInWords(app, one.site)));
  return EXIT.done;
}

async function sitesWith(app: App, slug: string): Promise<readonly OpenSite[]> {
  const found: OpenSite[] = [];
  for (const site of app.sites.sites.values()) if (await isOnSite(app, site, slug)) found.push(site);
  return found;
}

const nowhere = ({ state }: App, slug: string): Promise<AppError> =>
  noEvent(state.database.query(), slug, `Neither a site nor a feed has an event with the slug "${slug}".`);

/** A single site has no name that its owner has given it. */
const siteInWords = ({ sites }: App, { name }: OpenSite): string => (sites.sites.size === 1 ? 'the site' : name);

const takenBackInWords = (slug: string, { trashed, uids }: Forgotten, site: string): string => `${
  trashed ? `${slug} is now in the trash of ${site}.` : `${slug} was no longer public on ${site}.`
} ${
  uids.length > 0
    ? 'Subscribers of a feed get it as cancelled, without its former content, for 30 days, and then no longer.'
    : 'No feed had told subscribers about it as an upcoming event.'
}
`;

async function forget(app: App, call: Call, source: string): Promise<ExitCode> {
  const all = await formerSources(app.context);
  const former = all.filter((each) => each.source === source);
  if (former.length === 0) throw notFormer(app, source, [...new Set(all.map((each) => each.source))]);
  const { options } = call;
  const trash = options['trash'] === true;
  if (options['yes'] !== true) {
    tell(call, source, former, trash);
    if (!(await isAgreed(call, `Forget ${source}.`))) return EXIT.needsPerson;
  }
  const reports: Report[] = [];
  for (const { site } of former) {
    await endLeftRun(app.context, site, source);
    if (trash) reports.push(await trashAll(app, call, source, site));
    if (reports.every(({ state }) => state !== 'failed')) await forgetSource(app.context, site, source, askedBy(call));
  }
  const isForgotten = reports.every(({ state }) => state !== 'failed');
  if (options.json)
    printJson(call.io, {
      source,
      forgotten: isForgotten,
      sites: former.map(({ site, kept }) => ({ site, kept })),
      runs: reports,
    });
  else
    printLines(call.io, [
      ...reports.flatMap(reportInWords),
      ...(isForgotten ? [`Forgot ${source}.`, ...wayBack(reports)] : [notForgotten(source, reports)]),
    ]);
  return exitFor(reports);
}

const notForgotten = (source: string, reports: readonly Report[]): string =>
  `${source} is not forgotten: ${
    reports.some(wasStopped) ? 'not all of its events are moved yet.' : 'some of its events could not be moved.'
  } Run the command again.`;

const wayBack = (reports: readonly Report[]): readonly string[] =>
  reports
    .filter(({ removed }) => removed > 0)
    .map(({ run }) => `  npm run -s calsyncd -- undo ${run}   brings its events back`);

function notFormer({ context }: App, source: string, known: readonly string[]): Error {
  if (context.sources.has(source))
    return new WrongUse(
      `The source "${source}" is still in the configuration: remove it there first, or its next run creates its events again.`,
    );
  return new AppError(
    'source-unknown',
    `No event of a source "${source}" is kept. ${knownNames(source, known, 'No longer in the configuration, but with events')}`,
  );
}

function tell(call: Call, source: string, former: readonly { site: string; kept: number }[], trash: boolean): void {
  const { io, options } = call;
  if (options.json)
    printJson(io, {
      source,
      forgotten: false,
      sites: former.map(({ site, kept }) => ({ site, kept })),
      runs: [],
    });
  else
    for (const { site, kept } of former)
      io.out(
        `${source} has ${countInWords(kept, 'event')} on ${site}; ${whatBecomes(source, trash)}.` +
          `${canAsk(call) ? '' : ' Add --yes to do it.'}\n`,
      );
}

const whatBecomes = (source: string, trash: boolean): string =>
  trash
    ? 'they would go to the trash'
    : `they would stay there, and nothing would update them until a source is called ${source} again`;

function trashAll(app: App, call: Call, source: string, key: string): Promise<Report> {
  const setup = formerSource(source, siteOf(app, key));
  return withRunner(app, call.io, (runner) =>
    runner.run(setup, false, () => startTrashing(app.context, setup, askedBy(call))),
  );
}

function siteOf({ sites }: App, key: string): SiteSetup {
  const site = [...sites.sites.values()].find((each) => each.key === key);
  if (!site)
    throw new AppError(
      'site-gone',
      `The configuration no longer has the site ${key}: without --trash its events are left and the source is forgotten.`,
    );
  return siteSetup(site, undefined);
}
