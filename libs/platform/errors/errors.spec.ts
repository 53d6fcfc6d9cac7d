/** @jest-environment node */
import { AppError } from './app.errors';
import { invalidField, notFound, unavailable, validationFailed } from './common.errors';
import { defineError, errorCodes } from './error-code';
import { toFailureKind } from './failure';

describe('error codes', () => {
  it('can be declared only once', () => {
    defineError('TEST_ONLY', 'conflict', 'For this test.');
    expect(() => defineError('TEST_ONLY', 'invalid', 'Again.')).toThrow('declared twice');
  });

  it('are listed by name with a description', () => {
    const codes = errorCodes();
    expect(codes.map(({ code }) => code)).toEqual(codes.map(({ code }) => code).toSorted());
    expect(codes.every(({ meaning }) => meaning.endsWith('.'))).toBe(true);
  });
});

describe('failureOf', () => {
  it.each([
    ['an unknown record', notFound('Workspace'), 'permanent'],
    ['an unavailable service', unavailable('away'), 'temporary'],
    [
      'a driver error that needs a person',
      new AppError(defineError('TEST_HUMAN', 'upstream', 'x.', 'needs-human'), 'x'),
      'needs-human',
    ],
    ['an error without a classification', new TypeError('oops'), 'temporary'],
    ['a thrown value that is not an error', 'oops', 'temporary'],
  ])('classifies %s as %s', (_name, error, failure) => {
    expect(toFailureKind(error)).toBe(failure);
  });
});

describe('common errors', () => {
  it('name the offending field', () => {
    expect(invalidField('cursor', 'cursor is wrong').details).toEqual([
      { field: 'cursor', message: 'cursor is wrong' },
    ]);
  });

  it('join the messages of several fields', () => {
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
