import { countInWords, grouped } from '../../count-in-words.ts';
import {
  openConflictsIn,
  type Conflict,
  type ConflictingField,
  type Conflicts,
} from '../../run/events/conflicting-events.ts';
import { startSettle, startSettleAll, type FieldDecision, type Winner } from '../../run/decisions/settle-event.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { openConflicts } from '../../run/state/open-matters.ts';
import { isLinked, type FieldName } from '../../sync/model/fields.ts';
import { sameJson } from '../../sync/model/json.ts';
import { sourceNamed } from '../terminal/source-named.ts';
import { fieldNamed } from '../terminal/field-named.ts';
import { commandOf, type Call } from '../terminal/command.ts';
import { runToEnd } from '../open/decided-run.ts';
import { decideOnEvent } from '../open/decide-on-event.ts';
import { EXIT, printJson, type ExitCode } from '../terminal/io.ts';
import { printTable } from '../terminal/screen.ts';
import type { Row } from '../text/table.ts';
import { shortJson } from '../terminal/words.ts';
import { whileReading } from '../progress/while-reading.ts';
import { withApp } from '../open/open-context.ts';
import { WrongUse } from '../terminal/wrong-use.ts';

/**
 * `settle SLUG [--field F] feed|site`: decides who is right if feed and site have both changed, or `settle all
 * feed|site --source S` for all such events of a source. Without a slug, lists them.
 */
export const command = commandOf({
  group: 'Events and sources',
  usage: 'settle [slug] [winner]',
  stopsItself: true,
  description:
    'settle the conflicts of an event, or of "all" of a source, for the feed or for the site; without a slug, list them',
  example: 'settle summer-fair-abcd1234efgh56 site',
  choices: { winner: ['feed', 'site'] },
  options: [
    ['--field <field>', 'only this field, even if it is not in conflict'],
    ['--source <source>', 'with "all": the source; without a slug: list only its conflicts'],
    REASON,
  ],
  act: async (call) => {
    const [slug, winner] = call.args;
    const field = fieldNamed(call.options['field']);
    const source = call.options['source'];
    const named = typeof source === 'string' ? source : undefined;
    if (slug === undefined)
      return withApp(call.config, call.io, async (app) => {
        if (named !== undefined) sourceNamed(app.context, named);
        return list(
          call,
          await whileReading(app, call.io, 'asking the sites', () => openConflictsIn(app.context, { source: named })),
        );
      });
    if (winner === undefined)
      throw new WrongUse(`Say who is right: "npm run -s calsyncd -- settle ${slug} feed", or "… site".`);
    if (winner !== 'feed' && winner !== 'site')
      throw new WrongUse(`An event is settled for "feed" or "site", not for "${winner}".`);
    if (slug === 'all') return settleAll(call, named, field, winner);
    if (named !== undefined) throw new WrongUse(`--source goes with "settle all": ${slug} is one event.`);
    return decideOnEvent(call, slug, {
      start: (context, setup) => startSettle(context, setup, slug, field, winner, askedBy(call)),
      told: () => `Settled ${slug} for the ${winner}.`,
    });
  },
});

/** Settles all conflicts of a source, or those in one field, in one run. */
async function settleAll(
  call: Call,
  source: string | undefined,
  field: FieldName | undefined,
  winner: Winner,
): Promise<ExitCode> {
  if (source === undefined)
    throw new WrongUse(`Say of which source: "npm run -s calsyncd -- settle all ${winner} --source NAME".`);
  return withApp(call.config, call.io, async (app) => {
    const setup = sourceNamed(app.context, source);
    const own = [{ site: setup.site.key, source }];
    const open = (await openConflicts(app.state.database.query(), own, call.io.now())).filter(
      ({ fields }) => field === undefined || fields.includes(field),
    );
    const decisions = open.map(({ slug }): FieldDecision => ({ slug, field: field ?? 'conflicts', winner }));
    return runToEnd(
      app,
      setup,
      call,
      () => startSettleAll(app.context, setup, decisions, askedBy(call)),
      () => `Settled ${countInWords(decisions.length, 'event')} for the ${winner}.`,
    );
  });
}

function list({ io, options }: Call, { conflicts, more }: Conflicts): ExitCode {
  if (options.json)
    printJson(io, {
      conflicts: conflicts.map((conflict) => ({
        ...conflict,
        fields: conflict.fields.map(({ field }) => field),
        values: Object.fromEntries(conflict.fields.map(({ field, ...values }) => [field, values])),
      })),
      more,
    });
  else if (conflicts.length === 0) io.out('There are no conflicts between feed and site.\n');
  else {
    printTable(io, { indent: 2, headings: ['source', 'in conflict'], rows: conflicts.map(rowOf) });
    if (more > 0)
      io.out(`  and ${grouped(more)} more, listed once these are settled; --source NAME lists those of one source\n`);
  }
  return EXIT.done;
}

function rowOf({ source, title, slug, fields }: Conflict): Row {
  const differing = fields.filter(isDiffering);
  return {
    cells: [source, `"${title}": ${differing.map(({ field }) => field).join(', ')}`],
    below: [...differing.map(valuesInWords), `npm run -s calsyncd -- settle ${slug} feed   (or site)`],
  };
}

/** Times are settled together with their zone, which is not worth a line if both sides agree on it. */
const isDiffering = ({ field, site, feed }: ConflictingField): boolean =>
  isLinked(field) || site === undefined || !sameJson(site, feed);

function valuesInWords({ field, agreed, site, feed }: ConflictingField): string {
  const onSite = site === undefined ? 'unknown' : shortJson(site);
  // Two different places may have the same name.
  const isNamedAlike = onSite === shortJson(feed);
  return `  ${field}: was ${shortJson(agreed)}, on the site ${onSite}, in the feed ${isNamedAlike ? `another ${onSite}` : shortJson(feed)}`;
}
