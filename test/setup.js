require('reflect-metadata');
const fc = require('fast-check');
const mongoose = require('mongoose');

// Defaults of property tests; `rounds` of libs/testing/depth.ts is for those that set their own number.
fc.configureGlobal({ numRuns: process.env['TEST_DEPTH'] === 'deep' ? 100 : 25 });

/**
 * A query without a sort has no defined order: MongoDB may return any, and does so after deletions or when another
 * index serves the query. So the tests reverse unsorted results, and code that relies on insertion order fails each
 * time instead of once in fifty.
 */
mongoose.plugin((schema) => {
  schema.post('find', function (found) {
    const isSorted = Object.keys(this.getOptions().sort ?? {}).length > 0;
    // The result of `explain` is not a list.
    if (!isSorted && Array.isArray(found)) found.reverse();
  });
});
