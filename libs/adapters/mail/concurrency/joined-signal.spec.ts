import { getEventListeners } from 'node:events';
import { joinSignals, isTooLate } from './joined-signal';

describe('eitherSignal', () => {
  it('is aborted with the first of its sources, for the same reason', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const either = joinSignals(one.signal, undefined, other.signal);
    expect(either.signal.aborted).toBe(false);
    other.abort('enough');
    one.abort('too late');
    expect(either.signal.reason).toBe('enough');
  });

  it('is aborted from the start when a source is', () => {
    expect(joinSignals(new AbortController().signal, AbortSignal.abort('before')).signal.reason).toBe('before');
  });

  it('leaves nothing behind in long-lived sources', () => {
    const source = new AbortController();
    for (let times = 0; times < 3; times++) joinSignals(source.signal).done();
    expect(getEventListeners(source.signal, 'abort')).toEqual([]);
    // `AbortSignal.any` leaves an entry in a property of the source.
    const traces = Object.getOwnPropertySymbols(source.signal).filter(({ description = '' }) =>
      /dependant/i.test(description),
    );
    expect(traces).toEqual([]);
  });
});

describe('isTooLate', () => {
  it.each([
    ['a time-out', AbortSignal.abort(new DOMException('late', 'TimeoutError')), true],
    ['an abort', AbortSignal.abort(), false],
    ['an abort for whatever reason', AbortSignal.abort('no more'), false],
    ['none', undefined, false],
  ])('recognises %s', (_what, signal, expected) => {
    expect(isTooLate(signal)).toBe(expected);
  });
});
