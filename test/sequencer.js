const { statSync } = require('node:fs');
const Sequencer = require('@jest/test-sequencer').default;

/** Suites that mostly wait, for time-outs or for processes of their own, and about how many seconds they take. */
const WAITING = [
  ['test/faults/midway', 130],
  ['test/faults/sending.processes', 100],
  ['test/faults/mail', 70],
  ['test/faults/sending.storm', 70],
  ['test/cli/cli', 65],
  ['test/faults/dependencies', 60],
  ['test/isolation/routes', 50],
  ['test/faults/kill', 50],
  ['test/flows/', 40],
  ['test/cli/', 30],
  ['test/faults/', 20],
];

/** The last of them begins when this share of all other suites has begun: none is left alone at the end. */
const LAST_BEGINS = 0.8;

/**
 * Suites that wait leave a processor to others, unless all workers wait. So they are spread among the others, the slowest
 * first, as far apart as they are long. The others come in Jest's order: what took longest the last time, in a fresh
 * clone the largest file.
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

/** Each with the share of the work of its kind that lies before it, from 0 to `end`. */
function placed(tests, workOf, end) {
  const all = tests.reduce((sum, test) => sum + workOf(test), 0);
  let before = 0;
  return tests.map((test) => {
    const place = (before / all) * end;
    before += workOf(test);
    return { test, place };
  });
}

/** The sort is stable: of two with one place the one that waits begins. */
function merged(others, waiting) {
  return [...waiting, ...others].toSorted((one, other) => one.place - other.place).map(({ test }) => test);
}
