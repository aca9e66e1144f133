import { testRandomRequests } from './fuzz-site.ts';

// A small sample; test/long runs more.
testRandomRequests(500, 20_261_120);
