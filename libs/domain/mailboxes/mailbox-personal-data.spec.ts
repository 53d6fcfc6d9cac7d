import { type Subject } from '@platform/personal-data';
import { Types } from 'mongoose';
import { eraseEnvelope } from './mailbox-personal-data';

const ADA = 'ada+x@acme.test';
const subject: Subject = {
  workspaceId: new Types.ObjectId(),
  address: ADA,
  leadIds: [],
  sendIds: [],
  conversationIds: [],
};

describe('the remainder after an erasure', () => {
  it('of an envelope is its place, so that the message is not taken in again, without open tasks', () => {
    const envelope = {
      from: { name: 'A', address: ADA },
      to: [],
      subject: 's',
      tasks: [{ do: 'opt_out', address: ADA }],
      state: 'judged' as const,
    };
    expect(eraseEnvelope(envelope, subject)).toMatchObject({
      set: { from: null, subject: '', state: 'done', tasks: [] },
    });
    const others = { ...envelope, from: { name: 'B', address: 'bob@x.test' }, tasks: [] };
    expect(eraseEnvelope(others, subject)).toBe('keep');
  });
});
