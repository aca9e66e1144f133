import { startAttach, startDetach } from '../../run/decisions/detach-event.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { commandOf } from '../terminal/command.ts';
import { decideOnEvent } from '../open/decide-on-event.ts';

/** `detach SLUG [--off]`: makes an event a person's own, which its source neither changes nor removes. */
export const command = commandOf({
  group: 'Events and sources',
  usage: 'detach <slug>',
  stopsItself: true,
  description: 'make an event your own: it stays, and its source neither changes nor removes it',
  example: 'detach summer-fair-abcd1234efgh56',
  options: [['--off', 'give it back to its source, which writes what its feed says'], REASON],
  act: async (call) => {
    const [slug] = call.args;
    const isOff = call.options['off'] === true;
    const start = isOff ? startAttach : startDetach;
    return decideOnEvent(call, slug, {
      start: (context, setup) => start(context, setup, slug, askedBy(call)),
      told: (source) =>
        isOff
          ? `${slug} belongs to ${source} again.`
          : `${slug} is your own: "npm run -s calsyncd -- detach ${slug} --off" gives it back to ${source}.`,
    });
  },
});
