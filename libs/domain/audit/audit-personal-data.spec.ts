import { type Subject } from '@platform/personal-data';
import { Types } from 'mongoose';
import { eraseAuditEntry } from './audit-personal-data';

const ADA = 'ada+x@acme.test';
const leadId = new Types.ObjectId();
const subject: Subject = {
  workspaceId: new Types.ObjectId(),
  address: ADA,
  leadIds: [leadId],
  sendIds: [],
  conversationIds: [],
};

describe('the remainder after an erasure', () => {
  it('of the audit log is the actor, the action and the time', () => {
    const changes = { firstName: { from: 'Ada', to: '' }, count: { from: 1, to: null } };
    expect(eraseAuditEntry({ target: { type: 'lead', id: leadId.toHexString() }, changes }, subject)).toEqual({
      set: { changes: { firstName: { from: '[erased]', to: '[erased]' }, count: { from: 1, to: null } } },
    });
    expect(eraseAuditEntry({ target: { type: 'lead', id: 'x' }, changes }, subject)).toBe('keep');
    expect(eraseAuditEntry({ target: { type: 'lead', id: 'x' }, changes: null }, subject)).toBe('keep');
  });
});
