import type { Problem } from '../../problem.ts';
import { zonesOfSites } from '../../run/state/site-zones.ts';
import { loadFacts } from '../../run/watch/facts.ts';
import { sourceState, type SourceFacts } from '../../run/watch/source-state.ts';
import { reasonOf, stateAsText, type ReadAt } from '../../run/watch/state-in-words.ts';
import { momentInWords } from '../../run/watch/moments.ts';
import type { App } from '../open/open-context.ts';
import type { Call } from '../terminal/command.ts';
import { watchedSources } from '../terminal/watched-sources.ts';
import type { Finding } from './finding.ts';

/** Sources that have failed lately, whether or not they work right now. Failures of paused ones need no action. */
export async function tryEarlierRuns({ state }: App, { io, config }: Pick<Call, 'io' | 'config'>): Promise<Finding> {
  const query = state.database.query();
  const now = io.now();
  const zoneOf = await zonesOfSites(query, config.builtin.timezone);
  const facts = await loadFacts(query, await watchedSources(config), now);
  const failing = facts.filter(({ failures }) => failures !== null);
  const [paused, others] = [failing.filter(({ pause }) => pause), failing.filter(({ pause }) => !pause)];
  const readAt = ({ site }: SourceFacts): ReadAt => ({ now, zone: zoneOf(site) });
  return {
    found: others.length === 0 ? 'no source is failing' : '',
    remarks: paused.map((each) => pausedInWords(each, readAt(each))),
    facts: {
      ok: others.length === 0,
      sources: others.map(({ source }) => source),
      paused: paused.map(({ source }) => source),
    },
    problems: others.map((each) => failingProblem(each, readAt(each))),
  };
}

function failingProblem(facts: SourceFacts, read: ReadAt): Problem {
  const { source, failures } = facts;
  // Held plans are reported by another test.
  const failing = { ...facts, held: null };
  return {
    code: 'source-failing',
    where: { field: source },
    message:
      `${source}: ${stateAsText(failing, sourceState(failing, read.now), read)} ` +
      `"npm run -s calsyncd -- show ${failures?.run ?? ''}" shows more, "sync ${source}" tries again.`,
  };
}

function pausedInWords(facts: SourceFacts, read: ReadAt): string {
  const { source, failures } = facts;
  const pause = stateAsText(facts, sourceState(facts, read.now), read);
  const failing = failures
    ? ` Its runs have failed since ${momentInWords(failures.since, read.now, read.zone)}: ${reasonOf(failures)}.`
    : '';
  return `${source} is paused ${pause.charAt(0).toLowerCase()}${pause.slice(1)}${failing}`;
}
