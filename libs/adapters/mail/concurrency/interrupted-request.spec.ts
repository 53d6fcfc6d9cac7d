import { toInterruptedRequest } from './interrupted-request';

describe('a request without a response', () => {
  it.each([
    ['no such name', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }, 'resolve', false],
    ['a closed port', { code: 'ECONNREFUSED', syscall: 'connect' }, 'connect', false],
    ['a connection that took too long', { code: 'UND_ERR_CONNECT_TIMEOUT' }, 'connect', false],
    ['a connection that broke while it was made', { code: 'ECONNRESET', syscall: 'connect' }, 'connect', false],
    ['a certificate for another name', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'tls', false],
    ['encryption that broke, whenever', { code: 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR' }, 'tls', true],
    ['a network that went away under it', { code: 'EHOSTUNREACH', syscall: 'read' }, 'request', true],
    ['a reset', { code: 'ECONNRESET', syscall: 'read' }, 'request', true],
    ['the end of the process', { code: 'UND_ERR_DESTROYED' }, 'request', true],
    ['several addresses', { errors: [{ code: 'ECONNREFUSED', syscall: 'connect' }] }, 'connect', false],
    ['a cause', { cause: { code: 'ENETUNREACH', syscall: 'connect' } }, 'connect', false],
    ['something without a name', {}, 'request', true],
  ])('is classified by its stage: %s', (_what, error, stage, isSent) => {
    expect(toInterruptedRequest(error)).toMatchObject({ stage, isSent });
  });
});
