import { describe, expect, test } from 'vitest';
import { countsInWords } from '../../../src/cli/terminal/words.ts';
import { newReport } from '../../../src/run/steps/keep-plan.ts';
import type { Report } from '../../../src/sync/model/plan.ts';

const failed: Report = { ...newReport('club-20270101T120000-000000', 'club'), state: 'failed', requests: 9, writes: 8 };
const problem = (code: 'answer-lost' | 'site-refused') => ({ code, message: 'It failed.', where: {} });

describe('a run that failed before anything was written', () => {
  test('says so', () =>
    expect(countsInWords({ ...failed, problems: [problem('site-refused')] })).toBe('failed, nothing was changed'));
  test('does not say so if answers to writes were lost, as the site may have carried them out', () =>
    expect(countsInWords({ ...failed, problems: [problem('answer-lost'), problem('answer-lost')] })).toBe(
      'failed: no answer came to 2 writes, so the next run asks the site what became of them',
    ));
});
