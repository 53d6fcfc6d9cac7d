/** The last place of a day was taken by another mailbox: the claim is undone and the turn looks again. */
export class QuotaFullError extends Error {
  constructor(readonly quota: string) {
    super(`The daily limit "${quota}" of the campaign was reached by another mailbox`);
  }
}
