import { describe, expect, it } from 'vitest';
import { costDetails, costFromParts, costText } from '../../../../src/site/store/cost.ts';

describe('a cost', () => {
  it.each([
    [['25'], '$25', ['25'], '', ''],
    [['25.50'], '$25.50', ['25.50'], '', ''],
    [['25 zł'], '25zł', ['25'], 'zł', 'postfix'],
    [['$15'], '$15', ['15'], '$', 'prefix'],
    [['EUR 15'], 'EUR15', ['15'], 'EUR', 'prefix'],
    [['0'], 'Free', ['0'], '', ''],
    [[], '', [], '', ''],
    [['10', '20'], '$10 – $20', ['10', '20'], '', ''],
    [['20', '10'], '$10 – $20', ['10', '20'], '', ''],
    [['10-20 zł'], '10zł – 20zł', ['10', '20'], 'zł', 'postfix'],
    [['€10 - €20'], '€10 – €20', ['10', '20'], '€', 'prefix'],
    [['10€/20€'], '10€ – 20€', ['10', '20'], '€', 'postfix'],
    [['EUR 5; EUR 7,50'], 'EUR5 – EUR7.50', ['5', '7.50'], 'EUR', 'prefix'],
    [['€10 - $20'], '€10 - $20', ['€10 - $20'], '', ''],
    [['25 zł/h'], '25zł/h', ['25'], 'zł/h', 'postfix'],
    [['10, 20'], '$10 – $20', ['10', '20'], '', ''],
    [['1,234.56'], '$1234.56', ['1234.56'], '', ''],
    [['1.234,56 €'], '1234.56€', ['1234.56'], '€', 'postfix'],
    [['1 234'], '$1234', ['1234'], '', ''],
    [['1.234'], '$1234', ['1234'], '', ''],
    [['1.234.567'], '$1234567', ['1234567'], '', ''],
    [['1,234.567'], '$1234.567', ['1234.567'], '', ''],
    [['0.125'], '$0.125', ['0.125'], '', ''],
    [['0,5 zł'], '0.5zł', ['0.5'], 'zł', 'postfix'],
    [['12.3450'], '$12.3450', ['12.3450'], '', ''],
    [['0', '10'], 'Free – $10', ['0', '10'], '', ''],
    [['Free'], 'Free', ['free'], '', ''],
    [['Adults 10, children 5'], 'Adults 10, children 5', ['adults 10, children 5'], '', ''],
    [['pay what you want', '5'], 'pay what you want, 5', ['pay what you want', '5'], '', ''],
  ])('%j is shown as %s', (parts, text, values, symbol, position) => {
    const cost = costFromParts(parts);
    expect(costText(cost)).toBe(text);
    expect(costDetails(cost)).toEqual({
      values,
      currency_symbol: symbol,
      currency_position: position,
      currency_code: '',
    });
  });
  it('is read in linear time, whatever the text', () => {
    for (const text of [`${'1,'.repeat(50_000)}!`, `1${' '.repeat(100_000)}!!!!!`, `${'1 - '.repeat(50_000)}!`])
      expect(costFromParts([text]).values[0]?.length).toBe(text.length);
  });
  it.each([
    ['25', '25zł', 'postfix'],
    ['$25', '$25', 'postfix'],
    ['0', 'Free', 'postfix'],
    ['10-20', '10zł – 20zł', 'postfix'],
    ['25', 'zł25', 'prefix'],
    ['five', 'five', 'prefix'],
  ] as const)('%s is shown as %s if the currency of the site is zł', (part, text, position) => {
    expect(costText(costFromParts([part]), { symbol: 'zł', position })).toBe(text);
  });

  it.each(['1,'.repeat(40), "1'".repeat(5_000), `5${' '.repeat(5_000)}, 6`, `5${' '.repeat(5_000)}x y`])(
    'that begins like a very long list of amounts (%#) is read as a text',
    (part) => {
      expect(costFromParts([`${part}no amount`]).values).toEqual([`${part}no amount`]);
    },
  );
});
