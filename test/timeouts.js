/** Where one test kills processes, runs the commands of a page, or repeats a property some thousand times. */
const LONG = [/\/test\/(faults|flows|migrations|docs|fuzz|isolation|contract)\//, /\.deep\./];
const LONG_MS = 300_000;
const isLong = process.env['TEST_DEPTH'] === 'deep' || LONG.some((pattern) => pattern.test(expect.getState().testPath));
if (isLong) jest.setTimeout(LONG_MS);
