import { expect, test } from 'vitest';
import { allEnded } from '../../src/all-ended.ts';

test('waits for all, then rejects with the first failure in their order', async () => {
  const ended: string[] = [];
  const after = async (turns: number, name: string): Promise<string> => {
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    ended.push(name);
    if (name.startsWith('failed')) throw new Error(name);
    return name;
  };
  expect(await allEnded([after(3, 'one'), after(1, 'two')])).toEqual(['one', 'two']);
  ended.length = 0;
  await expect(allEnded([after(5, 'last'), after(3, 'failed later'), after(1, 'failed')])).rejects.toThrow(
    'failed later',
  );
  expect(ended).toEqual(['failed', 'failed later', 'last']);
});
