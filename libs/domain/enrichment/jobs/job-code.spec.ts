import { isJobCode, createJobCode } from './job-code';

describe('the id of a job', () => {
  const at = new Date('2026-11-21T12:00:00.123Z');

  it('consists of the prefix of its type, its creation in milliseconds, and a random part', () => {
    expect(createJobCode('ev', at)).toMatch(/^ev_1795262400123_[0-9a-f]{12}$/);
    expect(createJobCode('pe', at)).not.toBe(createJobCode('pe', at));
  });

  it('is recognised by its form', () => {
    expect(isJobCode(createJobCode('ev', at))).toBe(true);
  });

  it.each([
    '',
    'x',
    'ev',
    'ev_1_x',
    'EV_1_000000000000',
    'ev_1_00000000000',
    'ev_-1_000000000000',
    'ev_1_000000000000 ',
    '6740a1b2c3d4e5f607182930',
  ])('is not %j', (text) => {
    expect(isJobCode(text)).toBe(false);
  });
});
