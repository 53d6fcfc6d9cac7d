import { type MailboxRecord } from '@domain/mailboxes';
import { SendRecord, SendRepository } from '@domain/sends';
import { type FakeClock } from '@testing';
import { type Model, Types } from 'mongoose';

/** The parts of the fixture that a send uses. */
interface SendServices {
  readonly clock: FakeClock;
  readonly workspaceId: string;
  readonly mailbox: MailboxRecord;
  get<T>(service: abstract new (...args: never[]) => T): T;
  model<T>(record: { name: string }): Model<T>;
}

/** Stores the first email of a campaign to a lead, sent a day ago. */
export async function createSend(
  fixture: SendServices,
  campaignId: string,
  leadId: Types.ObjectId,
  email: string,
): Promise<SendRecord> {
  const { workspaceId, mailbox } = fixture;
  const _id = new Types.ObjectId();
  const at = new Date(fixture.clock.now().getTime() - 86_400_000);
  const send = await fixture.get(SendRepository).claim({
    _id,
    workspaceId: new Types.ObjectId(workspaceId),
    campaignId: new Types.ObjectId(campaignId),
    leadId,
    stepId: new Types.ObjectId(),
    stepOrder: 0,
    variantId: new Types.ObjectId(),
    sequenceVersion: 1,
    mailboxId: mailbox._id,
    email,
    fence: 1,
    messageId: `<${_id.toHexString()}@senders.test>`,
    claimedAt: at,
  });
  if (!send) throw new Error('not claimed');
  const sent = { state: 'sent', handoverAt: at, sentAt: at, subject: 'Your roadmap' } as const;
  return fixture
    .model<SendRecord>(SendRecord)
    .findOneAndUpdate({ _id, workspaceId }, { $set: sent }, { returnDocument: 'after' })
    .orFail()
    .lean<SendRecord>();
}
