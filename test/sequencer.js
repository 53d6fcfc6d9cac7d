const Sequencer = require('@jest/test-sequencer').default;

/** Files that mostly wait (for time-outs, for processes that start) and take a minute or more; the slowest first. */
const LONGEST = [
  'test/faults/midway',
  'test/cli/cli',
  'test/faults/dependencies',
  'test/isolation/routes',
  'test/faults/',
  'test/isolation/',
  'test/flows/',
];

/**
 * Jest starts with what took longest the last time, and in a fresh clone with the largest file. The suites above are small
 * and would begin late: one worker would end with them while the others have nothing left to do.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const found = LONGEST.findIndex((part) => path.includes(`/${part}`));
      return found === -1 ? LONGEST.length : found;
    };
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
};
