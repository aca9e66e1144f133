import { testLives } from '../support/machine/test-lives.ts';

testLives('the built-in site', 1_500, 100_000);
