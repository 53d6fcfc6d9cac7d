import { toFailure } from '@platform/errors';
import { MailError, toServerReply } from './mail.errors';

describe('MailError', () => {
  it.each(['temporary', 'permanent', 'needs-human', 'ambiguous'] as const)('with the kind %s reports it', (failure) => {
    expect(toFailure(new MailError({ failure, stage: 'request', message: 'no' }))).toBe(failure);
  });
});

describe('toServerReply', () => {
  it('keeps the text without terminal control characters', () => {
    expect(toServerReply({ code: 550, response: '550-No\n550 such \u001b[31muser\u0007\0' })).toEqual({
      code: '550',
      enhancedCode: null,
      command: null,
      response: '550-No\n550 such [31muser',
    });
  });

  it('removes characters that change the text direction, and keeps right-to-left scripts', () => {
    const said = '550 \u202Eresu on\u202C \u2066x\u2069 \u200Fשלום';
    expect(toServerReply({ response: said }).response).toBe('550 resu on x שלום');
  });

  it('keeps 2 000 characters', () => {
    expect(toServerReply({ response: 'x'.repeat(5_000) }).response).toHaveLength(2_000);
  });
});
