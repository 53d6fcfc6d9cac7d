import { Types } from 'mongoose';
import { describeWorkPartitions, openPartitions } from '../../platform/work-partitions/testing';
import { MailboxLeaseService } from './mailbox-lease.service';
import { MailboxSendQueue } from './mailbox-send.queue';
import { MailboxLeaseRecord } from './schemas/mailbox-lease.record';

describeWorkPartitions(
  'mailbox-send',
  () =>
    openPartitions({
      record: MailboxLeaseRecord,
      queue: MailboxSendQueue,
      service: MailboxLeaseService,
      schedule: (leases, { workspaceId, id }, at) => leases.schedule(workspaceId, [id], at),
      enqueue: (leases, { workspaceId, id }) => leases.enqueue(workspaceId, [id]),
    }),
  () => ({ workspaceId: new Types.ObjectId().toHexString(), id: new Types.ObjectId().toHexString() }),
);
