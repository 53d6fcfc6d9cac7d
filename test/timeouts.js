/** Suites in which one test kills processes, runs the commands of a page, or repeats a property thousands of times. */
const LONG = [/\/test\/(faults|flows|migrations|docs|fuzz|isolation|contract)\//, /\.deep\./];
const LONG_MS = 300_000;

/** @returns {number | undefined} milliseconds; undefined for the default of jest.config.js */
function getTimeoutMs(testPath) {
  const isLong = process.env['TEST_DEPTH'] === 'deep' || LONG.some((pattern) => pattern.test(testPath));
  return isLong ? LONG_MS : undefined;
}

module.exports = { getTimeoutMs };

// A file with its own sandbox loads this after its environment; for the others test/environment.js requests it.
if (typeof expect !== 'undefined') {
  const timeoutMs = getTimeoutMs(expect.getState().testPath);
  if (timeoutMs) jest.setTimeout(timeoutMs);
}
