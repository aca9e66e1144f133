import { openConflicts } from '../../run/state/open-matters.ts';
import { startSettle } from '../../run/decisions/settle-event.ts';
import { isFieldName } from '../../sync/model/fields.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { commandOf } from '../terminal/command.ts';
import { runToEnd } from '../open/decided-run.ts';
import { eventNamed } from '../open/event-named.ts';
import { listMatters } from '../terminal/list-matters.ts';
import { withApp } from '../open/open-context.ts';
import { WrongUse } from '../terminal/wrong-use.ts';

/**
 * `settle SLUG [--field F] feed|site`: decides who is right if feed and site have both changed; without a slug, lists
 * those events.
 */
export const command = commandOf({
  group: 'Events and sources',
  usage: 'settle [slug] [winner]',
  stopsItself: true,
  description: 'settle the conflicts of an event for the feed or for the site; without a slug, list them',
  options: [['--field <field>', 'only this field, even if it is not in conflict'], REASON],
  act: async (call) => {
    const [slug, winner] = call.args;
    if (slug === undefined)
      return withApp(call.config, call.io, async (app) =>
        listMatters(
          call,
          'conflicts',
          await openConflicts(app.state.database.query(), call.io.now()),
          (matter) => `settle ${matter.slug} feed   (or site)`,
          'There are no conflicts between feed and site.',
        ),
      );
    if (winner === undefined) throw new WrongUse(`Say who is right: "settle ${slug} feed" or "settle ${slug} site".`);
    if (winner !== 'feed' && winner !== 'site')
      throw new WrongUse(`An event is settled for "feed" or "site", not for "${winner}".`);
    const field = call.options['field'];
    if (typeof field === 'string' && !isFieldName(field))
      throw new WrongUse(
        `An event has no field "${field}". "show" of the run that listed the conflict names its fields.`,
      );
    return withApp(call.config, call.io, async (app) => {
      const { setup } = await eventNamed(app, slug);
      return runToEnd(
        app,
        setup,
        call,
        () =>
          startSettle(
            app.context,
            setup,
            slug,
            typeof field === 'string' && isFieldName(field) ? field : undefined,
            winner,
            askedBy(call),
          ),
        () => `Settled ${slug} for the ${winner}.`,
      );
    });
  },
});
