import { createErasedAddress } from '@platform/personal-data';
import { Types } from 'mongoose';
import { eraseSend } from './send-personal-data';

const ADA = 'ada+x@acme.test';
const leadId = new Types.ObjectId();

describe('the remainder after an erasure', () => {
  it('of a send is its counted fields and its Message-ID', () => {
    const send = {
      leadId,
      email: ADA,
      subject: 'Hi Ada',
      links: ['x'],
      messageId: '<a@b>',
      state: 'sent',
      lastReply: null,
    } as const;
    const erasure = eraseSend(send);
    expect(erasure).toMatchObject({
      set: { email: createErasedAddress(leadId), subject: '', links: [], places: null },
    });
    expect(erasure).not.toHaveProperty('set.messageId');
    expect(eraseSend({ ...send, email: createErasedAddress(leadId) })).toBe('keep');
    expect(eraseSend({ ...send, state: 'retry' })).not.toHaveProperty('set.places');
  });

  it('of a send excludes the reply of the server and the diagnostic of a bounce', () => {
    const lastReply = { code: '550', enhancedCode: '5.1.1', command: 'RCPT TO', response: `<${ADA}> unknown` };
    const returned = { verdict: 'hard', rule: 'dsn', diagnostic: `<${ADA}> unknown`, at: new Date() };
    expect(eraseSend({ leadId, email: ADA, state: 'sent', lastReply, returned })).toMatchObject({
      set: { lastReply: { ...lastReply, response: '' }, returned: { ...returned, diagnostic: null } },
    });
  });
});
