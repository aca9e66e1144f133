import { testLives } from '../support/machine/test-lives.ts';

testLives('a real site', 4_000, 100_000);
