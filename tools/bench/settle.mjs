/** Loaded into a server (`--import`) for the memory measurement: SIGUSR2 collects the garbage (`--expose-gc`). */
process.on('SIGUSR2', () => globalThis.gc?.());
