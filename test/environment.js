const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { getTimeoutMs } = require('./timeouts');

/** What jest-circus notes of a test file on the global object, by the names of its symbols. */
const OF_ONE_FILE =
  /^Symbol\((?:JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|RETRY_\w+|WAIT_BEFORE_RETRY|LOG_ERRORS_BEFORE_RETRY)\)$/;

/** The one of this worker. */
let shared;

/**
 * Where test files run: the global object of the worker itself, the same for all of its files, since they share their
 * modules (test/runtime.js, docs/decisions/0018). In a sandbox of its own, which is what Jest makes otherwise, each name of a
 * global (`Promise`, `Buffer`) is looked up through two layers of hooks: a quarter of all processor time. A file that
 * begins with `@jest-environment node` has such a sandbox, and modules of its own.
 */
module.exports = class SharedEnvironment {
  constructor({ projectConfig: config }, { testPath }) {
    // `teardown` takes it back.
    globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] = getTimeoutMs(testPath);
    if (shared) return shared;
    shared = this;
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    const parts = { config, global: globalThis, moduleMocker: this.moduleMocker };
    this.fakeTimers = new LegacyFakeTimers({
      ...parts,
      timerConfig: { idToRef: (id) => id, refToId: (timer) => timer },
    });
    this.fakeTimersModern = new ModernFakeTimers(parts);
    // What Jest replaces for each file anew.
    const { exit, getBuiltinModule } = process;
    const { console } = globalThis;
    this.putBack = () => {
      Object.assign(process, { exit, getBuiltinModule });
      globalThis.console = console;
    };
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }

  /** Jest has asked for 100 lines of each stack, which each error that is caught and forgotten pays for. */
  async setup() {
    Error.stackTraceLimit = 30;
  }

  /** Takes back what Jest has put there for one file. What belongs to the worker stays. */
  async teardown() {
    this.fakeTimersModern.useRealTimers();
    this.putBack();
    for (const key of Object.getOwnPropertySymbols(globalThis)) {
      if (OF_ONE_FILE.test(String(key))) delete globalThis[key];
    }
  }
};
