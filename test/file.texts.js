/** Jest empties the texts that it has with every test file that ends; these are kept. */
class KeptTexts extends Map {
  clear() {}
}

const kept = new KeptTexts();

/**
 * The texts of files by path, for the next test file: those that this worker has read already, and what Jest has just
 * read. Who watches gets Jest's own, since the files change under a worker that lives on.
 */
exports.fileTexts = function fileTexts(read, { watch, watchAll }) {
  if (watch || watchAll) return read;
  for (const [path, text] of read) kept.set(path, text);
  return kept;
};
