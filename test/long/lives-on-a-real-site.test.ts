import { testLives } from '../support/machine/test-lives.ts';

testLives('a real site', 2_500, 100_000);
