import { loadFacts } from '../../run/watch/facts.ts';
import {
  sourceState,
  STATE_WORDS,
  type SourceFacts,
  type SourceState,
  type StateWord,
} from '../../run/watch/source-state.ts';
import { stateAsText } from '../../run/watch/state-in-words.ts';
import { withDatabase } from '../open/open-database.ts';
import { commandOf } from '../terminal/command.ts';
import { EXIT, printJson } from '../terminal/io.ts';
import { zonesOfSites } from '../../run/state/site-zones.ts';
import { printLines, printTable } from '../terminal/screen.ts';
import type { Style } from '../text/table.ts';
import { zonesNote } from '../text/time-column.ts';
import { watchedSources } from '../terminal/watched-sources.ts';

/** A source as listed. */
interface Listed {
  readonly facts: SourceFacts;
  readonly state: SourceState;
  readonly sentence: string;
}

/** `sources [SOURCE…]`: lists the state of each source, who must act, and when it is read next. */
export const command = commandOf({
  group: 'Events and sources',
  usage: 'sources [sources...]',
  description: 'the state of each source, whose turn it is, and when it is read next',
  example: 'sources city-library theatre',
  act: async ({ io, config, options, args }) =>
    withDatabase(config, io, async (database) => {
      const query = database.query();
      const now = io.now();
      const zoneOf = await zonesOfSites(query, config.builtin.timezone);
      const all = await loadFacts(query, await watchedSources(config, args), now);
      const listed = all.map((facts): Listed => {
        const state = sourceState(facts, now);
        return { facts, state, sentence: stateAsText(facts, state, { now, zone: zoneOf(facts.site) }) };
      });
      if (options.json) printJson(io, { sources: listed.map(asJson) });
      else if (listed.length === 0) io.out('The configuration has no source yet.\n');
      else {
        printTable(io, {
          indent: 2,
          headings: ['source', 'state', 'how it is'],
          rows: inOrder(listed).map(({ facts, state, sentence }) => ({
            cells: [facts.source, { text: state.word, style: STYLES[state.word] }, sentence],
          })),
        });
        printLines(io, [
          zonesNote(
            listed.map(({ facts }) => facts.site),
            zoneOf,
          ),
        ]);
      }
      return EXIT.done;
    }),
});

const STYLES: Readonly<Record<StateWord, Style>> = {
  paused: 'dim',
  held: 'wait',
  failing: 'bad',
  late: 'bad',
  new: 'strong',
  stale: 'wait',
  well: 'good',
};

const urgency = ({ state }: Listed): number => STATE_WORDS.indexOf(state.word);

/** The most urgent sources first. */
const inOrder = (listed: readonly Listed[]): readonly Listed[] =>
  listed.toSorted((one, other) => urgency(one) - urgency(other));

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

const asJson = ({ facts, state, sentence }: Listed): object => ({
  source: facts.source,
  site: facts.site,
  state: state.word,
  since: iso(state.since),
  mustAct: state.mustAct,
  next: iso(state.next),
  sentence,
  lastRun: facts.lastRun && {
    run: facts.lastRun.run,
    state: facts.lastRun.state,
    started: iso(facts.lastRun.startedAt),
  },
  lastGood: iso(facts.goodAt),
  lastChange: iso(facts.changedAt),
  events: facts.kept,
  coming: facts.coming,
  missing: facts.missing,
  conflicts: facts.conflicts,
  failures: facts.failures && {
    count: facts.failures.count,
    since: iso(facts.failures.since),
    run: facts.failures.run,
    code: facts.failures.code,
    message: facts.failures.message,
  },
  held: facts.held && { run: facts.held.run, since: iso(facts.held.since), why: facts.held.why },
  paused: facts.pause && {
    since: iso(facts.pause.since),
    until: iso(facts.pause.until),
    reason: facts.pause.reason,
    by: facts.pause.by,
  },
});
