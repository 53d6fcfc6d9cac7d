/**
 * Loaded into a process before all other modules (`node --require`): its system clock is ahead by SHIFTED_CLOCK_MS.
 * For processes that are killed and restarted hours later.
 */
const aheadMs = Number(process.env['SHIFTED_CLOCK_MS'] ?? 0);
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: [], newTarget) =>
    Reflect.construct(target, given.length === 0 ? [RealDate.now() + aheadMs] : given, newTarget) as Date,
  apply: () => new RealDate(RealDate.now() + aheadMs).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => RealDate.now() + aheadMs : (Reflect.get(target, name, receiver) as unknown),
});
