import { testBrokenFeeds } from '../../support/broken-feeds.ts';

// A few; more of them are in test/long.
testBrokenFeeds(100, 20_260_101);
