import { type Subject } from '@platform/personal-data';
import { Types } from 'mongoose';
import { eraseMessage } from './inbox-personal-data';

const ADA = 'ada+x@acme.test';
const conversationId = new Types.ObjectId();
const subject: Subject = {
  workspaceId: new Types.ObjectId(),
  address: ADA,
  leadIds: [],
  sendIds: [],
  conversationIds: [conversationId],
};

describe('the remainder after an erasure', () => {
  it('of messages excludes the person’s own conversations, and keeps the texts of others in other conversations', () => {
    const other = {
      conversationId: new Types.ObjectId(),
      from: { name: 'Bob', address: 'bob@x.test' },
      to: [],
      cc: [],
    };
    const texts = { subject: 's', text: 't', fullText: 't', html: null };
    expect(eraseMessage({ ...other, ...texts, conversationId }, subject)).toBe('delete');
    expect(eraseMessage({ ...other, ...texts }, subject)).toBe('keep');
    const cc = [
      { name: 'Ada', address: ADA.toUpperCase() },
      { name: 'Eve', address: 'eve@x.test' },
    ];
    expect(eraseMessage({ ...other, ...texts, cc }, subject)).toMatchObject({
      set: { cc: [{ name: '', address: '' }, { name: 'Eve' }], text: 't' },
    });
    const from = { name: 'Ada', address: ADA };
    expect(eraseMessage({ ...other, ...texts, from }, subject)).toMatchObject({
      set: { from: { name: '' }, text: '[erased]' },
    });
  });
});
