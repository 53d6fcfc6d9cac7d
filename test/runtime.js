const Runtime = require('jest-runtime').default;
const { fileTexts } = require('./file.texts.js');

/**
 * Jest reads every module from the disk again for every test file: 2000 files and more for one that boots the platform.
 * This runtime lets the test files of a worker share the texts, and nothing that comes of running them
 * (docs/decisions/0019).
 */
module.exports = class extends Runtime {
  constructor(...given) {
    const [read, globalConfig] = [given[4], given[7]];
    super(...given.with(4, fileTexts(read, globalConfig)));
  }
};
// Jest looks for a runtime where a compiled ES module has its default export.
module.exports.default = module.exports;
