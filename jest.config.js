const { readFileSync } = require('node:fs');

const { $schema: _schema, exclude: _exclude, ...swc } = JSON.parse(readFileSync(`${__dirname}/.swcrc`, 'utf8'));

/** Shared by all rings: swc for speed, the path aliases of tsconfig.json. */
const base = {
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: { '^.+\\.m?ts$': ['@swc/jest', { ...swc, swcrc: false }] },
  moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'json', 'node'],
  moduleNameMapper: {
    '^@(platform|adapters|domain)/([^/]+)$': '<rootDir>/libs/$1/$2/index.ts',
    '^@testing$': '<rootDir>/libs/testing/index.ts',
  },
  setupFiles: ['reflect-metadata'],
};

module.exports = {
  maxWorkers: 2,
  testTimeout: 30_000,
  projects: [
    // Beside the file it proves: decisions, drivers, guards. `*.db.spec.ts` needs MongoDB.
    { ...base, displayName: 'unit', testMatch: ['<rootDir>/{apps,libs,tools}/**/*.spec.{ts,mts}'] },
    // The house itself, every endpoint and flow, on real MongoDB and Redis.
    { ...base, displayName: 'e2e', testMatch: ['<rootDir>/test/**/*.spec.ts'] },
  ],
};
