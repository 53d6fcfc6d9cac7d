const { createHash } = require('node:crypto');
const { existsSync, readFileSync, realpathSync } = require('node:fs');
const { availableParallelism, totalmem } = require('node:os');
const { join } = require('node:path');

const { $schema: _schema, exclude: _exclude, ...swc } = JSON.parse(readFileSync(`${__dirname}/.swcrc`, 'utf8'));

/**
 * Packages are loaded by Node (test/runtime.js). Where a file has an environment of its own, and with `--watch`, Jest loads
 * them: those that are ES modules (Nest among them) are compiled to CommonJS like our own files. It could load ES modules
 * only with Node's --experimental-vm-modules, under which Node never frees what a test file has loaded: workers grow to
 * gigabytes, and searching them for garbage costs seconds with every other file (docs/decisions/0018).
 */
const esModule = { jsc: { target: 'es2023' }, module: { type: 'commonjs' }, isModule: 'unknown', swcrc: false };

/** CommonJS that calls import() while it works, which needs the same flag. */
const WITH_DYNAMIC_IMPORT = ['gaxios', 'mongodb'];

const modules = realpathSync(join(__dirname, 'node_modules'));

/** With one memory for all projects (test/transform.js). */
const SWC = '<rootDir>/test/transform.js';

/** Where in node_modules the packages lie that are ES modules, by what npm notes of every installation. */
function esModulePackages() {
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  const paths = Object.keys(packages).map((path) => path.replace(/^node_modules\//, ''));
  return paths.filter((path) => {
    const manifest = join(modules, path, 'package.json');
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).type === 'module';
  });
}

/** Shared by all rings: swc for speed, the path aliases of tsconfig.json. */
const base = {
  rootDir: __dirname,
  // The projects look at the same files in the same way: what Jest remembers of them is remembered once for each clone.
  id: createHash('sha1').update(__dirname).digest('hex'),
  // What else lies here, `.local` with its databases above all, is not searched for modules.
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
  // More than there are processors: some of them are mostly at suites that wait. Each takes up to 1.7 GB.
  maxWorkers: availableParallelism() + (totalmem() > 20e9 ? 3 : totalmem() > 12e9 ? 2 : 1),
  // A worker that has nothing left to do still has to hand a gigabyte of heap back, which takes half a second and more. One
  // that is killed after this does leave something open: `jest -i FILE` then does not end by itself.
  workerGracefulExitTimeout: 10_000,
  testSequencer: '<rootDir>/test/sequencer.js',
  // A test that hangs ends after this. `test/timeouts.js` names the folders in which one may take longer.
  testTimeout: 30_000,
  projects: [
    // Beside the file it proves: decisions, drivers, guards. `*.db.spec.ts` needs MongoDB.
    { ...base, displayName: 'unit', testMatch: ['<rootDir>/{apps,libs,tools,clients}/**/*.spec.{ts,mts}'] },
    // The house itself, every endpoint and flow, on real MongoDB and Redis.
    { ...base, displayName: 'e2e', testMatch: ['<rootDir>/test/**/*.spec.ts'] },
  ],
};
