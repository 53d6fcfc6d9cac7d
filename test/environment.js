const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { getTimeoutMs } = require('./timeouts');

/** Names of the symbols under which jest-circus stores its state of a test file in the global object. */
const OF_ONE_FILE =
  /^Symbol\((?:JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|RETRY_\w+|WAIT_BEFORE_RETRY|LOG_ERRORS_BEFORE_RETRY)\)$/;

/** The environment of this worker. */
let shared;

/**
 * Test files run in the global object of the worker itself, which all its files share, since they share their modules
 * (test/runtime.js, docs/decisions/0018). Jest's default is a sandbox for each file: there, each global name (`Promise`,
 * `Buffer`) is resolved through two layers of hooks, which takes a quarter of all processor time. A file that begins
 * with `@jest-environment node` has such a sandbox, and modules of its own.
 */
module.exports = class SharedEnvironment {
  constructor({ projectConfig: config }, { testPath }) {
    // `teardown` restores it.
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
    // Globals that Jest replaces for each file.
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

  /** Jest asks for stacks of 100 lines, which every caught error pays for. */
  async setup() {
    Error.stackTraceLimit = 30;
  }

  /** Restores the globals that Jest set for one file. Those of the worker stay. */
  async teardown() {
    this.fakeTimersModern.useRealTimers();
    this.putBack();
    for (const key of Object.getOwnPropertySymbols(globalThis)) {
      if (OF_ONE_FILE.test(String(key))) delete globalThis[key];
    }
  }
};
