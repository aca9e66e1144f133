import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../src/contract/api.ts';
import { batchArgs } from '../../src/contract/batch.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { newKey, OVER_A_SOCKET, targets, type Target } from '../support/contract-target.ts';
import { runsAllVariants } from '../support/repetitions.ts';
import type { Case } from './cases/case.ts';
import { queryCases } from './cases/lists.ts';
import { madeOn, type Made } from './cases/made.ts';
import { siteCases } from './cases/site.ts';
import { writeCases } from './cases/writes.ts';

const cases: readonly Case[] = [...writeCases(), ...queryCases, ...siteCases];
const SIGNS = ['positive', 'negative'] as const;

/** All cases that the contract requires, as in `PUT updateEvent title positive`. */
const declared = Object.entries(api as Readonly<Record<string, Endpoint>>).flatMap(([endpoint, { methods, args }]) =>
  methods.flatMap((method) =>
    [...Object.keys(args), ...(endpoint === 'sendBatch' ? itemParams() : [])].flatMap((param) =>
      SIGNS.map((sign) => `${method} ${endpoint} ${param} ${sign}`),
    ),
  ),
);

/** The parameters of each item of a batch. */
function itemParams(): string[] {
  const { items } = batchArgs.requests.schema as { readonly items: { readonly properties: object } };
  return Object.keys(items.properties).map((name) => `requests.${name}`);
}

describe('the suite', () => {
  it('tries every parameter of every endpoint and method with valid and invalid values', () => {
    const tried = new Set(cases.map(({ method, endpoint, param, sign }) => `${method} ${endpoint} ${param} ${sign}`));
    expect([...tried].toSorted()).toEqual([...new Set(declared)].toSorted());
    expect(declared.length).toBeGreaterThan(800);
  });
});

// A socket does not change what a parameter means; `transport.test.ts` checks that it transmits everything.
describe.each(targets.filter(([name]) => runsAllVariants || name !== OVER_A_SOCKET))('%s', (name, open) => {
  let target: Target;
  let made: Made;
  const skipped: string[] = [];
  beforeAll(async () => {
    target = await open();
    made = await madeOn(target);
  });
  afterAll(async () => {
    await made.clear();
    await target.close();
    if (skipped.length > 0)
      process.stderr.write(
        `Contract suite on ${name}: ${skipped.length} of ${cases.length} cases were not run: ` +
          'they are of our own site only, or need CONTRACT_IMAGE, the id of an image that the site has.\n',
      );
  });

  it.for(
    cases.map((one): readonly [string, Case] => [
      `${one.method} ${one.endpoint} ${one.param} ${one.sign}: ${one.about}`,
      one,
    ]),
  )('%s', async ([title, one], { skip }) => {
    if ((one.ours && !target.isOurs) || (one.needsImage && target.image === undefined)) {
      skipped.push(title);
      skip();
    }
    // Each case uses its own names, because finding a free slug for the thousandth event with the same title is slow.
    await one.run({ ...made, caseKey: newKey() });
    expect(target.errors).toEqual([]);
  });
});
