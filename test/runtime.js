const { createRequire, isBuiltin } = require('node:module');
const { compileFunction } = require('node:vm');
const Runtime = require('jest-runtime').default;
const SharedEnvironment = require('./environment.js');

const SPEC = /\.spec\.m?ts$/;

/**
 * Modules outside Node’s own loader: files of this repository, by path or alias, and those that Jest creates for each
 * test file.
 */
const NOT_OF_NODE = /^(?:[./]|@(?:platform|adapters|domain)\/|@testing$|@outreach\/client$|@jest\/globals$)/;

/** By the requesting file. */
const requires = new Map();

/** By path, every module that a test file of this worker has loaded, except the test files themselves. */
const modules = new Map();
/** By path, the source maps of all of them: a stack may lead through modules that another file has loaded. */
const sourceMaps = new Map();

/**
 * By default, Jest loads every module again for every test file: 2000 and more for a file that boots the platform.
 * With this runtime the test files of a worker share them, in one environment (docs/decisions/0018). Exceptions: a
 * file with `@jest-environment node`, and `--watch`, where files change during the life of a worker.
 */
class SharingRuntime extends Runtime {
  constructor(...given) {
    const [environment, globalConfig] = [given[1], given[7]];
    super(...given);
    this.shares = false;
    if (!(environment instanceof SharedEnvironment)) return;
    // In the context of the worker, without a new one.
    const { executor } = this;
    executor.compile = (code, filename) => compileFunction(code, executor.injectedModuleParameters, { filename });
    if (globalConfig.watch || globalConfig.watchAll) return;
    this.shares = true;
    this.registries.moduleRegistry = modules;
    this.transformCache.sourceMaps = sourceMaps;
  }

  /**
   * Node loads packages, as in production and in their published form. Jest would search, hash and compile each of
   * their files from ES modules and store it as a text, once for each worker.
   */
  requireModuleOrMock(from, moduleName) {
    if (!this.shares || NOT_OF_NODE.test(moduleName) || isBuiltin(moduleName)) {
      return super.requireModuleOrMock(from, moduleName);
    }
    const known = requires.get(from) ?? createRequire(from);
    requires.set(from, known);
    return known(moduleName);
  }

  /** Loaded modules stay and may load more: their state stays as if their test file were still running. */
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

  /** Jest calls it while it creates a runtime, before anything is shared. */
  resetModules() {
    refuse(this, 'jest.resetModules');
    super.resetModules();
  }
}

function refuse({ shares }, what) {
  if (shares)
    throw new Error(`${what} would change the modules of other test files: begin with @jest-environment node`);
}

// Jest searches a runtime in the default export of a compiled ES module.
module.exports = SharingRuntime;
module.exports.default = SharingRuntime;
