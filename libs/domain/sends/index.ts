export { messageIdOf } from './message.id';
export { type BudgetSlot, MailboxTurnRecord, type Rest } from './schemas/mailbox-turn.record';
export {
  SEND_STATES,
  type SendPlaces,
  SendRecord,
  type SendReturn,
  type SendState,
  type SendWords,
} from './schemas/send.record';
export { SendGroups } from './send.groups.service';
export { type SendHold, type SendOutcome, type SendResolution } from './send.outcome';
export { type InFlight, isFinal, mayBecome, wasTried } from './send.states';
export { type CountedSends, SendCounts, type TakenLeads } from './sends.counted.service';
export { LatestSends } from './sends.latest.service';
export { type MachineCount, MachineSights } from './sends.machines.service';
export { ReturnedSends } from './sends.returned.service';
export { SendsModule } from './sends.module';
export { type SendMark, SendTracking, type TrackedSend } from './sends.tracking.service';
export { type NewSend, Sends, type WireFields } from './sends.service';
export { SendWithholding, type WithheldSend } from './sends.withholding.service';
export { type Budget, type Stopped, type Turn, type TurnState } from './turn';
export { type MailboxTurn } from './turns.queue';
export { Turns } from './turns.service';
export { type WithholdScope } from './withhold.scope';
