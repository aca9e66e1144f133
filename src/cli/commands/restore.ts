import { configuredIn, ignoredEvents } from '../../run/state/open-matters.ts';
import { startRestore } from '../../run/decisions/settle-event.ts';
import type { SourceSetup } from '../../run/state/context.ts';
import { findEntries } from '../../run/state/ledger.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { YES } from '../terminal/confirmed.ts';
import { commandOf, endedByStop, type Call } from '../terminal/command.ts';
import type { ExitCode } from '../terminal/io.ts';
import { runToEnd } from '../open/decided-run.ts';
import { eventNamed } from '../open/event-named.ts';
import { listMatters } from '../terminal/list-matters.ts';
import { withApp, type App } from '../open/open-context.ts';
import { WrongUse } from '../terminal/wrong-use.ts';

/**
 * `restore FILE`: restores a backup into the database. `restore SLUG`: brings back an event that a person removed from
 * the site. Without either, lists such events.
 */
export const command = commandOf({
  group: 'Events and sources',
  usage: 'restore [file-or-slug]',
  stopsItself: true,
  description: 'a file: put a backup into the database; a slug: bring back an event that was removed from the site',
  example: 'restore summer-fair-abcd1234efgh56',
  options: [REASON, YES],
  act: async (call) => {
    const [named] = call.args;
    if (named !== undefined && isFile(named)) {
      const { restoreFile } = await import('../backups/restore-file.ts');
      return endedByStop(call.io, restoreFile(call, named));
    }
    if (call.options['yes'] === true)
      throw new WrongUse(
        '--yes is for a backup: name its file, with its folder or ending. An event is restored without a question.',
      );
    return restoreEvent(call);
  },
});

/** Slugs have neither dots nor slashes; the name of a backup file has one of them. */
const isFile = (named: string): boolean => /[./\\]/.test(named);

/** Says that the event is back and, if visitors cannot see it, its status. */
async function backInWords(app: App, { site }: SourceSetup, slug: string): Promise<string> {
  const entry = (await findEntries(app.state.database.query(), slug)).find((each) => each.site === site.key);
  const status = entry?.fields.status?.returned ?? 'publish';
  return status === 'publish'
    ? `${slug} is back on the site.`
    : `${slug} is out of the trash, with the status that it had: ${String(status)}.`;
}

const restoreEvent = async (call: Call<readonly [string?]>): Promise<ExitCode> =>
  withApp(call.config, call.io, async (app) => {
    const [slug] = call.args;
    if (slug === undefined)
      return listMatters(
        call,
        'ignored',
        await ignoredEvents(app.state.database.query(), configuredIn(app.context), call.io.now()),
        (matter) => `restore ${matter.slug}`,
        'No upcoming event was removed from the site by a person.',
      );
    const { setup } = await eventNamed(app, slug);
    return runToEnd(
      app,
      setup,
      call,
      () => startRestore(app.context, setup, slug, askedBy(call)),
      () => backInWords(app, setup, slug),
    );
  });
