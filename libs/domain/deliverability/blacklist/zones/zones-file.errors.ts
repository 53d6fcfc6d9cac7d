/** Problems of the operator's file of zones; each names its entry. */
export class ZonesFileError extends Error {
  override readonly name = 'ZonesFileError';

  constructor(readonly problems: readonly string[]) {
    super(`BLACKLIST_ZONES_FILE is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}
