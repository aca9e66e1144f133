import { describe, expect, it } from 'vitest';
import { cancelledPrefix, withoutCancelledMark } from '../../../src/contract/cancelled-title.ts';

describe('withoutCancelledMark', () => {
  it.each([
    'CANCELLED: Jazz',
    'Canceled - Jazz',
    'CANCELLED – Jazz',
    '[CANCELLED] Jazz',
    '[Cancelled]: Jazz',
    '(cancelled) Jazz',
    '***CANCELLED*** Jazz',
    'CANCELLED!: Jazz',
    'Event cancelled: Jazz',
    'ABGESAGT: Jazz',
    'Entfällt – Jazz',
    'Fällt aus: Jazz',
    'Annulé : Jazz',
    'ODWOŁANE - Jazz',
    'AFGELAST: Jazz',
    'Inställt: Jazz',
    '【中止】Jazz',
    'Jazz (cancelled)',
    'Jazz [ABGESAGT]',
    'Jazz – CANCELLED',
    'Jazz - abgesagt!',
    'CANCELLED: Jazz (cancelled)',
    `${cancelledPrefix('tr')}Jazz`,
  ])('removes the mark from %s', (title) => expect(withoutCancelledMark(title)).toBe('Jazz'));

  it.each([
    'Jazz',
    'Cancelled',
    'CANCELLED:',
    '[cancelled]',
    'Cancelled flights and how to claim',
    'Cancelled-flights workshop',
    'Abgesagt wird nicht: Kabarett',
    'What if it is cancelled',
    'Uncancelled: a comedy',
    'Jazz (not cancelled)',
    'Jazz: cancelled or not',
    '',
  ])('finds no mark in %j, or no title beside it', (title) => expect(withoutCancelledMark(title)).toBeUndefined());

  it('does not search a title of a million characters', () => {
    expect(withoutCancelledMark(`Cancelled: ${'*'.repeat(1_000_000)}`)).toBeUndefined();
  });
});
