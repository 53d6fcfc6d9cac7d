export { toMessageId } from './message-id';
export { type BudgetSlot, MailboxLeaseRecord, type Cooldown } from './schemas/mailbox-lease.record';
export {
  SEND_STATES,
  type SendPlaces,
  SendRecord,
  type SendReturn,
  type SendState,
  type LastReply,
} from './schemas/send.record';
export { SendBatchRepository } from './send-batch.repository';
export { type SendLease, type SendOutcome, type SendResolution } from './send-outcome';
export { type InFlight, isFinalSendState as isFinal, maySendBecome as mayBecome, wasTried } from './send-states';
export {
  type CountedSends,
  SendReadRepository,
  type FirstSendCount,
  type MachineEngagementCount,
  type SendMark,
  type TrackedSend,
} from './send-read.repository';

export { SendsModule } from './sends.module';

export { type NewSend, SendRepository, type HandoverFields, type WithheldSend } from './send.repository';

export {
  type Budget,
  type Stopped,
  type MailboxLease,
  type MailboxLeaseState,
  type RunMailboxSend,
} from './mailbox-lease';
export { MailboxLeaseService } from './mailbox-lease.service';
export { type WithholdScope } from './withhold-scope';
export { SENDS_PERSONAL_DATA } from './send-personal-data';
