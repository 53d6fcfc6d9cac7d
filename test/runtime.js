const { createRequire, isBuiltin } = require('node:module');
const { compileFunction } = require('node:vm');
const Runtime = require('jest-runtime').default;
const SharedEnvironment = require('./environment.js');

const SPEC = /\.spec\.m?ts$/;

/** What Node knows nothing of: our own files, by path or by alias, and what Jest makes anew for each test file. */
const NOT_OF_NODE = /^(?:[./]|@(?:platform|adapters|domain)\/|@testing$|@outreach\/client$|@jest\/globals$)/;

/** By the file that asks. */
const requires = new Map();

/** By path, every module that a test file of this worker has loaded, apart from the test files themselves. */
const modules = new Map();
/** By path, where the lines of all of them come from: a stack may lead through what another file has loaded. */
const sourceMaps = new Map();

/**
 * Jest loads every module anew for every test file, 2000 and more for one that boots the platform. With this runtime the
 * test files of a worker share them, in one environment (docs/decisions/0018). Not shared: with a file that asks for
 * `@jest-environment node`, and with `--watch`, where files change under a worker that lives on.
 */
class SharingRuntime extends Runtime {
  constructor(...given) {
    const [environment, globalConfig] = [given[1], given[7]];
    super(...given);
    this.shares = false;
    if (!(environment instanceof SharedEnvironment)) return;
    // Where the worker runs, and in no context of its own.
    const { executor } = this;
    executor.compile = (code, filename) => compileFunction(code, executor.injectedModuleParameters, { filename });
    if (globalConfig.watch || globalConfig.watchAll) return;
    this.shares = true;
    this.registries.moduleRegistry = modules;
    this.transformCache.sourceMaps = sourceMaps;
  }

  /**
   * Packages are loaded by Node, as in production and in the form in which they are published: by Jest each of their files
   * is looked for, hashed, compiled from ES modules and kept as a text, once for each worker.
   */
  requireModuleOrMock(from, moduleName) {
    if (!this.shares || NOT_OF_NODE.test(moduleName) || isBuiltin(moduleName)) {
      return super.requireModuleOrMock(from, moduleName);
    }
    const known = requires.get(from) ?? createRequire(from);
    requires.set(from, known);
    return known(moduleName);
  }

  /** What it has loaded lives on, and may load more: it is left as if its file were still running. */
  teardown() {
    if (!this.shares) return super.teardown();
    this.restoreAllMocks();
    for (const path of modules.keys()) if (SPEC.test(path)) modules.delete(path);
    this.registries.getInternalCjsRegistry().clear();
    this.fileCache.clear();
    this.transformCache.clear();
    this.jestGlobals.clearJestObjectCache();
    this.testState.enterTestCode();
  }

  setMock(...given) {
    refuse(this, 'jest.mock');
    super.setMock(...given);
  }

  setModuleMock(...given) {
    refuse(this, 'jest.unstable_mockModule');
    super.setModuleMock(...given);
  }

  isolateModules(fn) {
    refuse(this, 'jest.isolateModules');
    super.isolateModules(fn);
  }

  isolateModulesAsync(fn) {
    refuse(this, 'jest.isolateModulesAsync');
    return super.isolateModulesAsync(fn);
  }

  /** Jest calls it by itself while it makes a runtime, when nothing is shared yet. */
  resetModules() {
    refuse(this, 'jest.resetModules');
    super.resetModules();
  }
}

function refuse({ shares }, what) {
  if (shares)
    throw new Error(`${what} would change the modules of other test files: begin with @jest-environment node`);
}

// Jest looks for a runtime where a compiled ES module has its default export.
module.exports = SharingRuntime;
module.exports.default = SharingRuntime;
