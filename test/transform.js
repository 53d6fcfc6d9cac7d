const { createTransformer } = require('@swc/jest');

/**
 * The compiler (swc) with a cache by text alone. Jest compiles each file again for each project and for each set of
 * command-line options.
 */
module.exports = {
  createTransformer(options) {
    const swc = createTransformer(options);
    const getCacheKey = (text, path, given) => swc.getCacheKey(text, path, { ...given, configString: '' });
    return { ...swc, getCacheKey };
  },
};
