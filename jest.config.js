const { createHash } = require('node:crypto');
const { existsSync, readFileSync, realpathSync } = require('node:fs');
const { availableParallelism, totalmem } = require('node:os');
const { join } = require('node:path');

const { $schema: _schema, exclude: _exclude, ...swc } = JSON.parse(readFileSync(`${__dirname}/.swcrc`, 'utf8'));

/**
 * Node loads packages (test/runtime.js). Jest loads them only for a file with an environment of its own and with `--watch`; it
 * then compiles ES modules, Nest among them, to CommonJS like our own files. To load ES modules, Jest needs Node's
 * --experimental-vm-modules, with which Node never frees the modules of a test file (docs/decisions/0018).
 */
const esModule = { jsc: { target: 'es2023' }, module: { type: 'commonjs' }, isModule: 'unknown', swcrc: false };

/** CommonJS packages that call import() at run time, which needs the same flag. */
const WITH_DYNAMIC_IMPORT = ['gaxios', 'mongodb'];

const modules = realpathSync(join(__dirname, 'node_modules'));

/** One cache for all projects (test/transform.js). */
const SWC = '<rootDir>/test/transform.js';

/** The paths of ES module packages in node_modules, from the lock file that npm writes at each installation. */
function esModulePackages() {
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  const paths = Object.keys(packages).map((path) => path.replace(/^node_modules\//, ''));
  return paths.filter((path) => {
    const manifest = join(modules, path, 'package.json');
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).type === 'module';
  });
}

/** Shared by all projects: swc for speed, and the path aliases of tsconfig.json. */
const base = {
  rootDir: __dirname,
  // The projects compile the same files in the same way, so they share one cache for each clone.
  id: createHash('sha1').update(__dirname).digest('hex'),
  // Other folders are not searched for modules, above all `.local` with its databases.
  roots: ['apps', 'libs', 'test', 'tools', 'clients'].map((folder) => join(__dirname, folder)),
  testEnvironment: '<rootDir>/test/environment.js',
  runtime: '<rootDir>/test/runtime.js',
  transform: {
    '^.+\\.m?ts$': [SWC, { ...swc, swcrc: false }],
    [`/node_modules/(?:${WITH_DYNAMIC_IMPORT.join('|')})/.+\\.js$`]: [SWC, { ...esModule, isModule: true }],
    '/node_modules/.+\\.m?js$': [SWC, esModule],
  },
  transformIgnorePatterns: [`^${modules}/(?!(${[...esModulePackages(), ...WITH_DYNAMIC_IMPORT].join('|')})/)`],
  moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'json', 'node'],
  moduleNameMapper: {
    '^@(platform|adapters|domain)/([^/]+)$': '<rootDir>/libs/$1/$2/index.ts',
    '^@testing$': '<rootDir>/libs/testing/index.ts',
    '^@outreach/client$': '<rootDir>/clients/typescript/src/index.ts',
  },
  setupFiles: ['<rootDir>/test/setup.js'],
  setupFilesAfterEnv: ['<rootDir>/test/timeouts.js'],
};

module.exports = {
  // More than the processors, because some suites mostly wait. Each worker uses up to 1.7 GB.
  maxWorkers: availableParallelism() + (totalmem() > 20e9 ? 3 : totalmem() > 12e9 ? 2 : 1),
  // A finished worker frees a gigabyte of heap, which takes half a second or more. A worker that is killed after this time
  // has left something open; `jest -i FILE` with that file does not end.
  workerGracefulExitTimeout: 10_000,
  testSequencer: '<rootDir>/test/sequencer.js',
  // A hanging test fails after this time. `test/timeouts.js` names the folders with a longer one.
  testTimeout: 30_000,
  projects: [
    // Specs beside the files that they test: decisions, drivers, guards. `*.db.spec.ts` needs MongoDB.
    { ...base, displayName: 'unit', testMatch: ['<rootDir>/{apps,libs,tools,clients}/**/*.spec.{ts,mts}'] },
    // The architecture, and every endpoint and flow with a real MongoDB and Redis.
    { ...base, displayName: 'e2e', testMatch: ['<rootDir>/test/**/*.spec.ts'] },
  ],
};
