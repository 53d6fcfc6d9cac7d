require('reflect-metadata');
const fc = require('fast-check');
const mongoose = require('mongoose');

// What a property says nothing else of; `rounds` of libs/testing/depth.ts is for those that do.
fc.configureGlobal({ numRuns: process.env['TEST_DEPTH'] === 'deep' ? 100 : 25 });

/**
 * An order that nobody has asked for is no order: MongoDB may answer in any, and does so once documents have been deleted
 * or another index serves a query. So what was not sorted comes back to front here, and code that takes the order of
 * insertion for granted fails each time instead of once in fifty.
 */
mongoose.plugin((schema) => {
  schema.post('find', function (found) {
    const isSorted = Object.keys(this.getOptions().sort ?? {}).length > 0;
    // What `explain` answers is no list.
    if (!isSorted && Array.isArray(found)) found.reverse();
  });
});
