import { testHistories } from '../../support/histories/test-histories.ts';

testHistories(1, 2);
