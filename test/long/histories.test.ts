import { testHistories } from '../support/histories/test-histories.ts';

testHistories(5, 6);
