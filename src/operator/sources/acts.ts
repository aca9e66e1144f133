import { recordAct } from '../../run/watch/acts.ts';
import { actorOf } from '../frame/actor.ts';
import type { Asked } from '../frame/operator.ts';
import { forgetOverview } from './overview.ts';

/** Has sources read as soon as a worker is free, and notes who asked for it. Names that are not configured are left out. */
export async function checkNow(asked: Asked, names: readonly string[]): Promise<number> {
  const { context, engine } = asked.operator;
  const setups = names.flatMap((name) => context.sources.get(name) ?? []);
  if (setups.length === 0) return 0;
  for (const { name, site } of setups)
    await recordAct(context.database.query(), actorOf(asked), { kind: 'sync', site: site.key, source: name });
  await engine.request(
    setups.map(({ name }) => name),
    'command',
  );
  forgetOverview(asked);
  return setups.length;
}
