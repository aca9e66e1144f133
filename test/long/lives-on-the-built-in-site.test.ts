import { testLives } from '../support/machine/test-lives.ts';

testLives('the built-in site', 1_000, 100_000);
