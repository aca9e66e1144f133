import type { Html } from '../../html/template.ts';
import type { Asked } from '../frame/operator.ts';
import { linkTo, mayChange, tabs } from '../frame/parts.ts';
import { eventsPath, sourcePath, type SourceTab } from './paths.ts';

/** The counts shown on the tabs of a source. */
export interface TabCounts {
  readonly events: number;
  readonly problems: number;
}

/** The tabs that link the pages of a source. */
export function sourceTabs(asked: Asked, name: string, current: SourceTab, { events, problems }: TabCounts): Html {
  const tab = (path: string, text: string, own?: SourceTab) => ({
    href: linkTo(asked, path),
    text,
    isChosen: own === current,
  });
  return tabs(name, [
    tab(sourcePath(name), 'Timeline', ''),
    tab(eventsPath(name), `Events ${events}`),
    tab(`${sourcePath(name)}#problems`, problems === 0 ? 'Problems' : `Problems ${problems}`),
    ...(mayChange(asked)
      ? [tab(sourcePath(name, 'rules'), 'Rules', 'rules'), tab(sourcePath(name, 'settings'), 'Settings', 'settings')]
      : []),
    tab(sourcePath(name, 'report'), 'Report', 'report'),
  ]);
}
