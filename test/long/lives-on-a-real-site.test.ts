import { testLives } from '../support/machine/test-lives.ts';

testLives('a real site', 8_000, 100_000);
