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
export { type InFlight, isFinal, mayBecome, wasTried } from './send-states';
export { type CountedSends, SendReadRepository, type TakenLeads } from './send-read.repository';
export { LatestSendsRepository } from './latest-sends.repository';
export { type MachineCount, MachineSightsRepository } from './machine-sights.repository';
export { ReturnedSendsRepository } from './returned-sends.repository';
export { SendsModule } from './sends.module';
export { type SendMark, SendTrackingRepository, type TrackedSend } from './send-tracking.repository';
export { type NewSend, SendRepository, type HandoverFields } from './send.repository';
export { SendWithholdingRepository, type WithheldSend } from './send-withholding.repository';
export { type Budget, type Stopped, type MailboxLease, type MailboxLeaseState } from './mailbox-lease';
export { type RunMailboxSend } from './mailbox-send.queue';
export { MailboxLeaseService } from './mailbox-lease.service';
export { type WithholdScope } from './withhold-scope';
