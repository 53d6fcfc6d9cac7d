/** @jest-environment node */
import { AppError } from './app.errors';
import { invalidField, notFound, unavailable, validationFailed } from './common.errors';
import { defineError, errorCodes } from './error-code';
import { toFailure } from './failure';

describe('error codes', () => {
  it('can be declared once only', () => {
    defineError('TEST_ONLY', 'conflict', 'For this test.');
    expect(() => defineError('TEST_ONLY', 'invalid', 'Again.')).toThrow('declared twice');
  });

  it('are listed by name, each with a sentence', () => {
    const codes = errorCodes();
    expect(codes.map(({ code }) => code)).toEqual(codes.map(({ code }) => code).toSorted());
    expect(codes.every(({ meaning }) => meaning.endsWith('.'))).toBe(true);
  });
});

describe('failureOf', () => {
  it.each([
    ['an unknown record', notFound('Workspace'), 'permanent'],
    ['a service that is away', unavailable('away'), 'temporary'],
    [
      'a driver that needs a person',
      new AppError(defineError('TEST_HUMAN', 'upstream', 'x.', 'needs-human'), 'x'),
      'needs-human',
    ],
    ['an error that nobody classified', new TypeError('oops'), 'temporary'],
    ['something thrown that is no error', 'oops', 'temporary'],
  ])('takes %s for %s', (_name, error, failure) => {
    expect(toFailure(error)).toBe(failure);
  });
});

describe('common errors', () => {
  it('name the offending field', () => {
    expect(invalidField('cursor', 'cursor is wrong').details).toEqual([
      { field: 'cursor', message: 'cursor is wrong' },
    ]);
  });

  it('sum up several fields in one sentence', () => {
    const error = validationFailed([
      { field: 'a', message: 'a is wrong' },
      { field: 'b', message: 'b is missing' },
    ]);
    expect(error.message).toBe('a is wrong; b is missing');
  });

  it('keep their cause', () => {
    const cause = new Error('socket closed');
    expect(unavailable('away', cause).cause).toBe(cause);
  });
});
