import { FakeClock } from '@testing';
import { AnswerCache } from './answer-cache';

const text = (length: number) => ({ kind: 'records', records: ['x'.repeat(length)], ttl: 60 }) as const;

describe('AnswerCache', () => {
  const clock = new FakeClock();
  beforeEach(() => clock.freeze(new Date('2026-05-04T12:00:00Z')));

  it('limits the number and size of its entries', () => {
    const cache = new AnswerCache(clock, { maxEntries: 3, maxSize: 1_000 });
    for (const key of ['a', 'b', 'c', 'd']) cache.store(key, text(10), 1);
    expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key))).toEqual(['b', 'c', 'd']);
    cache.store('e', text(980), 1);
    expect(['b', 'c', 'd', 'e'].filter((key) => cache.get(key))).toEqual(['d', 'e']);
  });

  it('does not count replaced entries', () => {
    const cache = new AnswerCache(clock, { maxEntries: 3, maxSize: 1_000 });
    for (let times = 0; times < 10; times += 1) cache.store('a', text(400), times);
    cache.store('b', text(400), 1);
    expect([cache.get('a'), cache.get('b')]).toEqual([text(400), text(400)]);
  });

  it('does not replace the answer to a newer query with one to an older query', () => {
    const cache = new AnswerCache(clock, { maxEntries: 3, maxSize: 1_000 });
    cache.store('a', text(2), 2);
    cache.store('a', text(1), 1);
    expect(cache.get('a')).toEqual(text(2));
  });

  it('extends no TTL when the clock is set back', () => {
    const cache = new AnswerCache(clock, { maxEntries: 3, maxSize: 1_000 });
    cache.store('a', text(1), 1);
    clock.advance(-1);
    expect(cache.get('a')).toBeNull();
  });
});
