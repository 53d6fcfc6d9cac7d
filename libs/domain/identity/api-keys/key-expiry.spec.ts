import { AppError } from '@platform/errors';
import { getExpiry } from './key-expiry';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const END = new Date('2026-03-02T12:00:00.000Z');

function outcome(asked: string | undefined, latest: Date | null): string {
  try {
    return getExpiry(asked, NOW, latest)?.toISOString() ?? 'never';
  } catch (error) {
    if (error instanceof AppError) return `${error.details?.[0]?.field}: ${error.message}`;
    throw error;
  }
}

describe('the expiry of a new key', () => {
  it.each([
    ['never without a wish and without an end of the key that asks', undefined, null, 'never'],
    ['that of the key that asks without a wish', undefined, END, END.toISOString()],
    ['as wished when the key that asks has none', '2027-01-01T00:00:00Z', null, '2027-01-01T00:00:00.000Z'],
    ['as wished before that of the key that asks', '2026-03-02T01:00:00+02:00', END, '2026-03-01T23:00:00.000Z'],
    ['as wished at the same time', '2026-03-02T12:00:00Z', END, END.toISOString()],
  ])('is %s', (_title, asked, latest, expected) => {
    expect(outcome(asked, latest)).toBe(expected);
  });

  it('is refused after the expiry of the requesting key, which the error names', () => {
    expect(outcome('2026-03-02T12:00:00.001Z', END)).toMatch(/^expiresAt: .*2026-03-02T12:00:00.000Z/);
  });

  it.each(['2026-03-01T12:00:00Z', '2020-01-01T00:00:00Z'])('is refused as %s, which is in the past', (asked) => {
    expect(outcome(asked, null)).toBe('expiresAt: expiresAt must be in the future');
  });
});
