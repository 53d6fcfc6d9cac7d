const { TestEnvironment: NodeEnvironment } = require('jest-environment-node');

/** What jest-circus notes of a test file on the global object, by the names of its symbols. */
const OF_ONE_FILE =
  /^Symbol\((?:JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|RETRY_\w+|WAIT_BEFORE_RETRY|LOG_ERRORS_BEFORE_RETRY)\)$/;

/** The one of this worker. */
let shared;

/**
 * Where test files run: the same global object for all of a worker, since they share their modules (test/runtime.js,
 * docs/decisions/0040). A file that begins with `@jest-environment node` has one of its own, and modules of its own.
 */
module.exports = class SharedEnvironment extends NodeEnvironment {
  constructor(...given) {
    if (shared) return shared;
    super(...given);
    shared = this;
  }

  /** Takes back what Jest has put there for one file. What belongs to the worker stays. */
  async teardown() {
    this.fakeTimersModern.useRealTimers();
    for (const key of Object.getOwnPropertySymbols(this.global)) {
      if (OF_ONE_FILE.test(String(key))) delete this.global[key];
    }
  }
};
