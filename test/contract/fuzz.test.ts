import { testRandomRequests } from './fuzz-site.ts';

// A few; more of them are in test/long.
testRandomRequests(500, 20_261_120);
