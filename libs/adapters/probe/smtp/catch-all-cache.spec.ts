import { HandTimer } from '../testing';
import { CatchAllCache } from './catch-all-cache';

describe('CatchAllCache', () => {
  const timer = new HandTimer();

  it('stores a result for its lifetime', () => {
    const known = new CatchAllCache({ maxDomains: 10, keepMs: 1_000 }, timer);
    known.keep('all.example', true);
    known.keep('some.example', false);
    expect([known.get('all.example'), known.get('some.example'), known.get('other.example')]).toEqual([
      true,
      false,
      null,
    ]);
    timer.advance(999);
    expect(known.get('all.example')).toBe(true);
    timer.advance(1);
    expect(known.get('all.example')).toBeNull();
  });

  it('evicts the least recently used domain above the limit', () => {
    const known = new CatchAllCache({ maxDomains: 2, keepMs: 1_000 }, timer);
    known.keep('a.example', true);
    known.keep('b.example', true);
    known.get('a.example');
    known.keep('c.example', true);
    expect([known.get('a.example'), known.get('b.example'), known.get('c.example')]).toEqual([true, null, true]);
  });
});
