import { type Subject } from '@platform/personal-data';
import { Types } from 'mongoose';
import { eraseSyncJob, eraseSyncResult } from './crm-personal-data';

const ADA = 'ada+x@acme.test';
const subject: Subject = {
  workspaceId: new Types.ObjectId(),
  address: ADA,
  leadIds: [],
  sendIds: [],
  conversationIds: [],
};

describe('a sync with a CRM', () => {
  it('keeps the result without the person', () => {
    expect(eraseSyncResult()).toEqual({ set: { email: '', externalId: '', leadId: null, message: '', changes: '' } });
  });

  it('still names other failed people, and makes a concurrent writer read the job again', () => {
    const other = { email: 'bob@acme.test', externalId: '2', code: 'invalid', message: 'bob' };
    const faults = [{ email: ADA, externalId: '1', code: 'invalid', message: `${ADA} is wrong` }, other];
    expect(eraseSyncJob({ faults, batchDone: [ADA, other.email], revision: 7 }, subject)).toEqual({
      set: {
        batchDone: [other.email],
        faults: [{ email: '', externalId: '', code: 'invalid', message: '' }, other],
        revision: 8,
      },
    });
  });
});
