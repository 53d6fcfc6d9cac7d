/** A violation of the grammar of RFC 7208, section 12. Never leaves this folder. */
export class SpfSyntaxError extends Error {
  /** @param at offset in characters from the beginning of the record */
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}
