import { describe, expect, test } from 'vitest';
import { excusesInWords, tallyExcuses, usedTooOften } from '../support/machine/excuses.ts';

describe('the excuses of random lives', () => {
  test('are counted only where they apply', () => {
    const tally = tallyExcuses();
    expect([tally.excused('hidden event', true), tally.excused('hidden event', false)]).toEqual([true, false]);
    expect(tally.used).toMatchObject({ 'hidden event': 1, 'forgotten event': 0 });
    expect(excusesInWords(tally, 200)).toMatch(/^ {2}hidden event +1 {4}0\.50 %\n/);
  });

  test.each([
    [40, 2_000, []],
    [41, 2_000, ['hidden event: 41 times in 2000 commands']],
    [20, 10, []],
  ])('%i uses of one excuse in %i commands', (count, commands, tooOften) => {
    const tally = tallyExcuses();
    for (let index = 0; index < count; index += 1) tally.excused('hidden event', true);
    expect(usedTooOften(tally.used, commands)).toEqual(tooOften);
  });
});
