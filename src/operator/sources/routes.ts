import { html } from '../../html/template.ts';
import { daysOfSources, lastRuns } from '../../run/watch/recent-runs.ts';
import { sourceState } from '../../run/watch/source-state.ts';
import { DAY_MS } from '../../time.ts';
import type { Asked, Page, Route, Sent } from '../frame/operator.ts';
import { backTo, checkNow, pauseAsAsked, resumeNow, outcomeBanner, type ActOutcome } from './acts.ts';
import { addressOf, choiceOf, titleOf, type Listed } from './list-choice.ts';
import { feedRoute } from './open-feed.ts';
import { formerSourcesSection, formerRoute, formerWithEvents } from './former-page.ts';
import { overviewOf } from './overview.ts';
import { sourceRoute } from './source-routes.ts';
import { sourcesOnPage, sourcesMain } from './sources-page.ts';

const RUNS_OF_STRIP = 30;
const CHANGES_MS = 7 * DAY_MS;

async function listedNow(asked: Asked): Promise<readonly Listed[]> {
  const { facts } = await overviewOf(asked);
  return facts.map((each) => ({ facts: each, state: sourceState(each, asked.now), changes: 0 }));
}

async function showSources(asked: Asked): Promise<Page> {
  const choice = choiceOf(asked.url.searchParams);
  const query = asked.operator.context.database.query();
  const all = await listedNow(asked);
  const listed = choice.sort === 'changes' ? await withChanges(asked, all) : all;
  const shown = sourcesOnPage(listed, choice);
  const runs = await lastRuns(
    query,
    shown.map(({ facts }) => facts),
    RUNS_OF_STRIP,
  );
  const marks = Map.groupBy(runs, ({ source }) => source);
  const list = sourcesMain({ listed, choice, marks, said: outcomeBanner(asked) }, asked);
  const main = html`${list}${formerSourcesSection(await formerWithEvents(asked), asked)}`;
  return { title: titleOf(choice), place: 'sources', main, live: ['page'] };
}

/** Adds how many events the runs of the past week have changed. */
async function withChanges({ operator, now }: Asked, listed: readonly Listed[]): Promise<readonly Listed[]> {
  const { told } = await daysOfSources(operator.context.database.query(), now - CHANGES_MS, listed.length + 1);
  const changes = new Map(told.map(({ source, created, updated, removed }) => [source, created + updated + removed]));
  return listed.map((each) => ({ ...each, changes: changes.get(each.facts.source) ?? 0 }));
}

type Doing = (asked: Asked, names: readonly string[], sent: Sent) => Promise<ActOutcome>;

/** Does something with the source whose menu was used, or else with the ticked ones. */
const withTicked =
  (doing: Doing) =>
  async (asked: Asked, sent: Sent): Promise<{ readonly to: string }> => {
    const one = asked.url.searchParams.get('one');
    return backTo(listOf(asked), await doing(asked, one === null ? sent.all('source') : [one], sent));
  };

/** The list with the same filter, order and page. */
const listOf = ({ url }: Asked): string => addressOf(choiceOf(url.searchParams));

async function checkFailing(asked: Asked): Promise<{ readonly to: string }> {
  const failing = (await listedNow(asked)).filter(({ state }) => state.word === 'failing');
  const names = failing.map(({ facts }) => facts.source);
  return backTo(listOf(asked), names.length === 0 ? ['none-fails', 0] : await checkNow(asked, names));
}

export const routes: readonly Route[] = [
  {
    path: '/sources/',
    show: showSources,
    acts: {
      check: withTicked(checkNow),
      pause: withTicked((asked, names, sent) => pauseAsAsked(asked, sent, names)),
      resume: withTicked(resumeNow),
      'check-failing': checkFailing,
    },
  },
  sourceRoute,
  formerRoute,
  feedRoute,
];
