import { expect, test } from 'vitest';
import { html } from '../../../src/html/template.ts';
import { runCause } from '../../../src/operator/runs/run-words.ts';
import type { Act } from '../../../src/run/watch/acts.ts';

const actOf = (kind: Act['kind'], name: string): Act => ({
  kind,
  id: '1',
  at: new Date(Date.UTC(2027, 0, 1)),
  by: { name, from: 'console' },
  site: 'builtin',
  source: 'club',
  run: 'club-1',
  event: null,
  reason: null,
  details: {},
  isFailed: false,
  isOpen: false,
});

test('the cause of a run is shown before who decided on it', () => {
  const said = html`${runCause({ kind: 'undo', of: 'club-0' }, [actOf('undo', 'Ada'), actOf('approve', 'Ben')], ' of a run')}`;
  const text = said.markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  expect(text).toBe('Ada: “Take back” of a run Ben: approved');
});
