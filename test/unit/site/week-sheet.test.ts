import { describe, expect, test } from 'vitest';
import { html } from '../../../src/html/template.ts';
import { sheetRoom } from '../../../src/site/pages/views/sheet-room.ts';

const SHORT = { title: 'Evening of songs', about: 'Town Hall · 10 zł' };
const LONG = { title: 'The complete and unabridged history of '.repeat(8), about: 'The assembly rooms, '.repeat(20) };
const CHINESE = { title: '春节联欢晚会传统音乐舞龙与灯谜'.repeat(3), about: '文化中心大礼堂' };

type Words = typeof SHORT;
const told = ({ title, about }: Words) => ({ title: html`${title}`, about: html`${about}` });
const roomOf = (counts: readonly number[], words: Words, { site = 'Town', lasting = 0 } = {}) =>
  sheetRoom(
    site,
    counts.map((count) => ({ told: Array.from({ length: count }, () => told(words)), left: 0 })),
    { told: Array.from({ length: lasting }, () => told(words)), left: 0 },
  );

describe('a week fits on one sheet', () => {
  test.each<[name: string, room: ReturnType<typeof roomOf>, classes: string, most: number]>([
    ['no events', roomOf([0, 0, 0, 0, 0, 0, 0], SHORT), '', 1],
    ['two events a day', roomOf([2, 2, 2, 2, 2, 2, 2], SHORT), '', 2],
    ['two or three a day', roomOf([3, 3, 3, 3, 2, 2, 2], SHORT), ' close', 3],
    ['long-running events need room, too', roomOf([2, 2, 2, 2, 2, 2, 2], SHORT, { lasting: 2 }), ' close', 2],
    [
      'a long name of the site needs room, too',
      roomOf([2, 2, 2, 2, 2, 2, 2], SHORT, { site: 'Town '.repeat(9) }),
      ' close',
      2,
    ],
    ['long titles are set closer', roomOf([2, 2, 1, 1, 1, 1, 1], LONG), ' close', 2],
    ['of very many long titles, two a day are shown', roomOf([16, 16, 16, 16, 16, 16, 16], LONG), ' close dense', 2],
    ['of very many short titles, four a day are shown', roomOf([16, 16, 16, 16, 16, 16, 16], SHORT), ' close dense', 4],
    ['full days use the room that quiet ones leave', roomOf([16, 0, 0, 16, 0, 0, 0], SHORT), ' close dense', 12],
    ['wide letters', roomOf([2, 2, 2, 1, 1, 1, 1], CHINESE), ' close', 2],
  ])('%s', (_, room, classes, most) => {
    expect(room).toEqual({ classes, most });
  });
});
