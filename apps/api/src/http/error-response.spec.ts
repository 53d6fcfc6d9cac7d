import { ForbiddenException, HttpException } from '@nestjs/common';
import { AppError, conflict, defineError, forbidden, invalidField, notFound, unavailable } from '@platform/errors';
import { mongo } from 'mongoose';
import { toErrorResponse } from './error-response';

const NO_CREDITS = defineError('TEST_NO_CREDITS', 'payment', 'For this test.');
const NO_KEY = defineError('TEST_NO_KEY', 'unauthenticated', 'For this test.');
const VENDOR = defineError('TEST_VENDOR', 'upstream', 'For this test.');

describe('errorAnswer', () => {
  it.each([
    [
      'an invalid field',
      invalidField('limit', 'limit is wrong'),
      400,
      { code: 'VALIDATION_ERROR', message: 'limit is wrong', details: [{ field: 'limit', message: 'limit is wrong' }] },
    ],
    [
      'too few credits',
      new AppError(NO_CREDITS, 'no credits'),
      402,
      { code: 'TEST_NO_CREDITS', message: 'no credits' },
    ],
    ['an unknown record', notFound('Mailbox'), 404, { code: 'NOT_FOUND', message: 'Mailbox not found' }],
    ['a forbidden action', forbidden('not yours'), 403, { code: 'FORBIDDEN', message: 'not yours' }],
    ['a state that does not allow the action', conflict('already'), 409, { code: 'CONFLICT', message: 'already' }],
    [
      'a failing vendor',
      new AppError(VENDOR, 'vendor'),
      502,
      { code: 'TEST_VENDOR', message: 'vendor', errorId: 'e1' },
    ],
  ])('reports %s in Form B', (_name, error, status, body) => {
    expect(toErrorResponse(error, [], 'e1')).toEqual({
      status,
      fault: status >= 500,
      body: { success: false, error: body },
    });
  });

  it.each([
    ['an unknown record', notFound('Workspace'), 404, 'Not Found', 'Workspace not found'],
    ['a forbidden action', forbidden('missing permission'), 403, 'Forbidden', 'missing permission'],
  ])('reports %s in Form A when the route requires it', (_name, error, code, text, message) => {
    expect(toErrorResponse(error, ['NOT_FOUND', 'FORBIDDEN'], 'e1').body).toEqual({ error: text, message, code });
  });

  it.each([
    ['a missing key', new AppError(NO_KEY, 'no key'), { error: 'Unauthorized', message: 'no key', code: 401 }],
    ['a rejection by a guard', new ForbiddenException('no'), { error: 'Forbidden', message: 'no', code: 403 }],
    [
      'too many requests',
      new HttpException('slow down', 429),
      { error: 'Too Many Requests', message: 'slow down', code: 429 },
    ],
    [
      'an unavailable queue',
      unavailable('away'),
      { error: 'Service Unavailable', message: 'away', code: 503, errorId: 'e1' },
    ],
    [
      'an unavailable database',
      new mongo.MongoNetworkError('connect ECONNREFUSED 10.0.0.1'),
      {
        error: 'Service Unavailable',
        message: expect.not.stringContaining('10.0.0.1') as string,
        code: 503,
        errorId: 'e1',
      },
    ],
  ])('always reports %s in Form A', (_name, error, body) => {
    expect(toErrorResponse(error, [], 'e1').body).toEqual(body);
  });

  it('reveals only the id of an unexpected error', () => {
    const answer = toErrorResponse(new TypeError('canary in /srv/app/secret.ts'), ['NOT_FOUND'], 'e1');
    expect(answer).toMatchObject({
      status: 500,
      fault: true,
      body: { error: { code: 'INTERNAL_ERROR', errorId: 'e1' } },
    });
    expect(JSON.stringify(answer)).not.toContain('canary');
  });
});
