import { isResync, toConnectionFailure, toGraphRefusal } from './graph.errors';

const refusal = (status: number, code: string, headers: Record<string, string> = {}, message = 'Words.') =>
  toGraphRefusal({
    status,
    headers,
    body: JSON.stringify({ error: { code, message, innerError: { 'request-id': 'r' } } }),
    command: 'GET /x',
    secret: 'canary-token',
  });

describe('error responses of Graph', () => {
  it.each([
    [401, 'InvalidAuthenticationToken', 'needs-human', 'login'],
    [403, 'ErrorAccessDenied', 'needs-human', 'login'],
    [403, 'SomethingNew', 'needs-human', 'login'],
    [404, 'MailboxNotEnabledForRESTAPI', 'needs-human', 'login'],
    [403, 'MailboxNotSupportedForRESTAPI', 'needs-human', 'login'],
    [429, 'ApplicationThrottled', 'temporary', 'request'],
    [429, 'MailboxConcurrency', 'temporary', 'request'],
    [403, 'ErrorExceededMessageLimit', 'temporary', 'request'],
    [403, 'ErrorQuotaExceeded', 'temporary', 'request'],
    [404, 'ErrorNonExistentMailbox', 'temporary', 'request'],
    [503, 'ServiceUnavailable', 'temporary', 'request'],
    [500, 'InternalServerError', 'temporary', 'request'],
    [504, 'GatewayTimeout', 'temporary', 'request'],
    [507, 'InsufficientStorage', 'temporary', 'request'],
    [302, 'Found', 'temporary', 'request'],
    [404, 'ErrorItemNotFound', 'permanent', 'request'],
    [400, 'ErrorInvalidRecipients', 'permanent', 'request'],
    [409, 'ErrorFolderExists', 'permanent', 'request'],
    [413, 'RequestEntityTooLarge', 'permanent', 'request'],
  ])('classifies %i %s as %s', (status, code, failure, stage) => {
    expect(refusal(status, code)).toMatchObject({ failure, stage, status, graphCode: code });
  });

  it('keeps the text without the token', () => {
    const { lastReply } = refusal(400, 'BadRequest', {}, 'You said canary-token\u0000.');
    expect(lastReply).toEqual({
      code: '400',
      enhancedCode: null,
      command: 'GET /x',
      response: 'BadRequest: You said [token].',
    });
  });

  it.each(['<html>Bad gateway</html>', '', '{"error":null}', '[]', 'null', '{"error":{"code":7}}'])(
    'handles a body that is no error of Graph: %s',
    (body) => {
      const { lastReply, failure } = toGraphRefusal({ status: 502, headers: {}, body, command: 'GET /x', secret: '' });
      expect(failure).toBe('temporary');
      expect(lastReply?.response).toMatch(/\S/);
    },
  );

  it.each([
    [410, 'Gone'],
    [400, 'resyncRequired'],
    [404, 'SyncStateNotFound'],
  ])('recognises by %i %s that a delta link is invalid', (status, code) => {
    expect(isResync(refusal(status, code))).toBe(true);
  });

  it('reports that nothing was submitted without a connection', () => {
    const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect' });
    expect(toConnectionFailure(refused, 'GET /x')).toMatchObject({
      failure: 'temporary',
      stage: 'connect',
      isSent: false,
    });
    const unknown = Object.assign(new Error('x'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' });
    expect(toConnectionFailure(unknown, 'GET /x')).toMatchObject({ stage: 'resolve', isSent: false });
    const reset = Object.assign(new Error('x'), { code: 'ECONNRESET', syscall: 'read' });
    expect(toConnectionFailure(reset, 'GET /x')).toMatchObject({ stage: 'request', isSent: true });
    const unreachable = Object.assign(new Error('x'), { code: 'EHOSTUNREACH', syscall: 'read' });
    expect(toConnectionFailure(unreachable, 'GET /x')).toMatchObject({ stage: 'request', isSent: true });
    expect(toConnectionFailure('odd', 'GET /x')).toMatchObject({ isSent: true });
  });
});
