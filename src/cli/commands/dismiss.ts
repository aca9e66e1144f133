import { startDismiss } from '../../run/decisions/settle-event.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { commandOf } from '../terminal/command.ts';
import { runToEnd } from '../open/decided-run.ts';
import { eventNamed } from '../open/event-named.ts';
import { withApp } from '../open/open-context.ts';

/** `dismiss SLUG`: moves an event to the trash, where it stays even while its feed has it. */
export const command = commandOf({
  group: 'Events and sources',
  usage: 'dismiss <slug>',
  stopsItself: true,
  description: 'take an event off the site and keep it off, whatever its feed says; "restore" brings it back',
  example: 'dismiss summer-fair-abcd1234efgh56 --reason "not ours"',
  options: [REASON],
  act: async (call) =>
    withApp(call.config, call.io, async (app) => {
      const [slug] = call.args;
      const { setup } = await eventNamed(app, slug);
      return runToEnd(
        app,
        setup,
        call,
        () => startDismiss(app.context, setup, slug, askedBy(call)),
        () => `${slug} stays off: "npm run -s calsyncd -- restore ${slug}" brings it back.`,
      );
    }),
});
