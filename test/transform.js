const { createTransformer } = require('@swc/jest');

/**
 * swc, which knows what it has compiled by the text alone. Jest has it compile each file anew for each project and for
 * each set of options that it was started with.
 */
module.exports = {
  createTransformer(options) {
    const swc = createTransformer(options);
    const getCacheKey = (text, path, given) => swc.getCacheKey(text, path, { ...given, configString: '' });
    return { ...swc, getCacheKey };
  },
};
