const { statSync } = require('node:fs');
const Sequencer = require('@jest/test-sequencer').default;

/** Suites that mostly wait, for timeouts or for child processes, and their approximate duration in seconds. */
const WAITING = [
  ['test/faults/midway', 130],
  ['test/faults/sending-processes', 100],
  ['test/faults/mail', 70],
  ['test/faults/sending-storm', 70],
  ['test/cli/cli', 65],
  ['test/faults/dependencies', 60],
  ['test/faults/event-relay', 60],
  ['test/isolation/routes', 50],
  ['test/faults/kill', 50],
  ['test/flows/', 40],
  ['test/cli/', 30],
  ['test/faults/', 20],
];

/** The last of them starts after this share of all other suites, so that none runs alone at the end. */
const LAST_BEGINS = 0.8;

/**
 * Waiting suites leave a processor to others, unless all workers wait. So they are spread among the others, the
 * slowest first, in proportion to their duration. The others come in Jest’s order: the slowest of the last run, in a
 * fresh clone the largest file.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    const secondsOf = ({ path }) => WAITING.find(([part]) => path.includes(`/${part}`))?.[1] ?? 0;
    const sorted = super.sort(tests);
    const waiting = sorted.filter((test) => secondsOf(test) > 0).toSorted((a, b) => secondsOf(b) - secondsOf(a));
    const others = sorted.filter((test) => secondsOf(test) === 0);
    return merged(
      placed(others, ({ path }) => statSync(path).size, 1),
      placed(waiting, secondsOf, LAST_BEGINS),
    );
  }
};

/** Each suite with the share of the work of its kind that precedes it, from 0 to `end`. */
function placed(tests, workOf, end) {
  const all = tests.reduce((sum, test) => sum + workOf(test), 0);
  let before = 0;
  return tests.map((test) => {
    const place = (before / all) * end;
    before += workOf(test);
    return { test, place };
  });
}

/** The sort is stable: of two suites with one position the waiting one comes first. */
function merged(others, waiting) {
  return [...waiting, ...others].toSorted((one, other) => one.place - other.place).map(({ test }) => test);
}
