import { testLives } from '../support/machine/test-lives.ts';

testLives('a real site', 1_250, 100_000);
