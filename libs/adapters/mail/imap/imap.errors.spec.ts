import { inspect } from 'node:util';
import { toFailure } from '@platform/errors';
import { OutboundError } from '@platform/outbound';
import { MailError } from '../port/mail.errors';
import { getBlame, type ImapFailure, isAnswer, isImapConnectionFailure, getMailError } from './imap.errors';

const failing = (failed: ImapFailure): ImapFailure =>
  Object.assign(new Error(failed.message ?? 'Command failed'), failed);
const parsed = (code: string) => ({ attributes: [{ section: [{ type: 'ATOM', value: code }] }] });

describe('A failed IMAP command', () => {
  it.each<[string, ImapFailure, string]>([
    ['a NO without a code', { responseStatus: 'NO', responseText: 'Nope' }, 'temporary'],
    ['a BAD', { responseStatus: 'BAD', responseText: 'Unknown command' }, 'permanent'],
    ['a folder that is missing', { responseStatus: 'NO', response: parsed('NONEXISTENT') }, 'permanent'],
    ['a folder that LIST does not know', { responseStatus: 'NO', mailboxMissing: true }, 'permanent'],
    ['no right to it', { responseStatus: 'NO', response: parsed('NOPERM') }, 'permanent'],
    ['a full mailbox', { responseStatus: 'NO', response: parsed('OVERQUOTA') }, 'temporary'],
    ['a code in lower case', { responseStatus: 'NO', response: parsed('unavailable') }, 'temporary'],
    ['a code that imapflow has read', { responseStatus: 'NO', serverResponseCode: 'CANNOT' }, 'permanent'],
    ['throttling, which Microsoft puts as BAD', { responseStatus: 'BAD', code: 'ETHROTTLE' }, 'temporary'],
    ['a lost connection', { code: 'NoConnection' }, 'temporary'],
    ['an answer that could not be read', { code: 'ParserError11' }, 'temporary'],
    ['nothing at all', {}, 'temporary'],
  ])('%s', (_what, failed, failure) => {
    const error = getMailError(failing(failed), { stage: 'request', command: 'UID FETCH' });
    expect(error).toMatchObject({ failure, stage: 'request' });
    expect(toFailure(error)).toBe(failure);
  });

  it('keeps the server’s reply with its code and the command, without arguments', () => {
    const failed = failing({ responseStatus: 'NO', responseText: 'Over quota', response: parsed('OVERQUOTA') });
    expect(getMailError(failed, { stage: 'request', command: 'APPEND' }).lastReply).toEqual({
      code: 'OVERQUOTA',
      enhancedCode: null,
      command: 'APPEND',
      response: 'NO [OVERQUOTA] Over quota',
    });
  });

  it('returns the wait that Microsoft asks for', () => {
    const failed = failing({ responseStatus: 'BAD', code: 'ETHROTTLE', throttleReset: 92_415 });
    expect(getMailError(failed, { stage: 'request' }).retryAfterMs).toBe(92_415);
  });

  it('reports an ambiguous outcome for a command whose answer was lost after it could take effect', () => {
    const lost = failing({ code: 'NoConnection' });
    expect(getMailError(lost, { stage: 'request', committed: true }).failure).toBe('ambiguous');
    const refused = failing({ responseStatus: 'NO' });
    expect(getMailError(refused, { stage: 'request', committed: true }).failure).toBe('temporary');
  });

  it.each<[OutboundError, string, string]>([
    [new OutboundError('address_refused', 'x leads inside'), 'needs-human', 'address'],
    [new OutboundError('dns', 'x has no address'), 'needs-human', 'resolve'],
    [new OutboundError('dns', 'x could not be looked up', { retry: true }), 'temporary', 'resolve'],
  ])('keeps the reason of the address guard: %s', (error, failure, stage) => {
    expect(getMailError(error, { stage: 'resolve' })).toMatchObject({ failure, stage, message: error.message });
  });

  it('keeps a MailError unchanged', () => {
    const error = new MailError({ failure: 'permanent', stage: 'request', message: 'gone' });
    expect(getMailError(error, { stage: 'login' })).toBe(error);
  });

  it('exposes no internal data of imapflow', () => {
    const failed = failing({ code: 'NoConnection', responseStatus: 'NO', responseText: 'no' });
    Object.assign(failed, { executedCommand: 'A1 LOGIN grace hunter22', request: { password: 'hunter22' } });
    expect(inspect(getMailError(failed, { stage: 'login', command: 'LOGIN' }), { depth: 20 })).not.toContain(
      'hunter22',
    );
  });

  it('distinguishes replies, lost connections and our own faults', () => {
    expect([
      isAnswer({ responseStatus: 'NO' }),
      isAnswer({ authenticationFailed: true }),
      isAnswer({ code: 'x' }),
    ]).toEqual([true, true, false]);
    expect(isImapConnectionFailure(failing({ code: 'NoConnection' }), false)).toBe(true);
    expect(isImapConnectionFailure(failing({ responseStatus: 'NO', code: 'ETHROTTLE' }), false)).toBe(false);
    expect(isImapConnectionFailure(new TypeError('undefined is not a function'), false)).toBe(false);
    expect(isImapConnectionFailure(new Error('whatever'), true)).toBe(true);
  });

  it.each<[ImapFailure, ReturnType<typeof getBlame>]>([
    [{ responseStatus: 'NO', responseText: 'Message is damaged' }, 'message'],
    [{ responseStatus: 'BAD', responseText: 'Cannot parse message' }, 'message'],
    [{ responseStatus: 'NO', response: parsed('SERVERBUG'), responseText: 'Internal error occurred' }, 'server'],
    [{ responseStatus: 'NO', responseText: 'Internal error occurred' }, 'server'],
    [{ responseStatus: 'NO', responseText: 'Try again later' }, null],
    [{ responseStatus: 'NO', response: parsed('INUSE') }, null],
    [{ responseStatus: 'BAD', code: 'ETHROTTLE' }, null],
    [{ code: 'NoConnection' }, null],
  ])('classifies the cause of %j: %s', (failed, blamed) => {
    expect(getBlame(failed)).toBe(blamed);
  });
});
