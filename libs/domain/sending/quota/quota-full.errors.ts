/** Another mailbox has reserved the last place of the day: the claim is undone, and the next run plans again. */
export class QuotaFullError extends Error {
  constructor(readonly quota: string) {
    super(`The daily limit "${quota}" of the campaign was reached by another mailbox`);
  }
}
