import { testLives } from '../support/machine/test-lives.ts';

testLives('the built-in site', 2_000, 100_000);
