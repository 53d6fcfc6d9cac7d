import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model, Types } from 'mongoose';
import { SendRecord, type SendReturn } from './schemas/send.record';
import { isFinal } from './send-states';

type Id = Types.ObjectId | string;
type Named = Pick<SendRecord, '_id' | 'workspaceId'>;

/** What comes back of emails: which of them an answer or a bounce is about, and what it says of them. */
@Injectable()
export class ReturnedSendsRepository {
  constructor(
    @InjectModel(SendRecord.name) private readonly sends: Model<SendRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** null when there is none, in this workspace. */
  async find(workspaceId: Id, sendId: string): Promise<SendRecord | null> {
    return this.sends.findOne({ _id: sendId, workspaceId }).lean<SendRecord>();
  }

  /** The sends with these Message-IDs (with angle brackets). */
  async byMessageIds(workspaceId: Id, messageIds: readonly string[]): Promise<SendRecord[]> {
    if (messageIds.length === 0) return [];
    return this.sends.find({ workspaceId, messageId: { $in: messageIds } }).lean<SendRecord[]>();
  }

  /** The latest send of a mailbox in a conversation of its provider; null when there is none. */
  async byThread(workspaceId: Id, mailboxId: Types.ObjectId, threadId: string): Promise<SendRecord | null> {
    return this.sends
      .findOne({ workspaceId, mailboxId, providerThreadId: threadId })
      .sort({ createdAt: -1 })
      .lean<SendRecord>();
  }

  /** What leads were sent, the latest first. */
  async ofLeads(workspaceId: Id, leadIds: readonly Types.ObjectId[]): Promise<SendRecord[]> {
    const found = await this.sends
      .find({ workspaceId, leadId: { $in: leadIds }, wireAt: { $ne: null } })
      .lean<SendRecord[]>();
    return found.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  }

  /**
   * An answer, a bounce or an open shows that the email was sent after all: whoever looks for it finds that at once. Without
   * effect on one whose fate is known. Joins a running transaction.
   */
  async proven({ _id, workspaceId, state }: Named & Pick<SendRecord, 'state'>): Promise<void> {
    // It stays what it was when it was read.
    if (isFinal(state)) return;
    const now = this.clock.now();
    await this.sends.updateOne(
      // On the wire as well: its worker may have died, and then it is ambiguous as soon as somebody looks.
      { _id, workspaceId, state: { $in: ['wire', 'ambiguous'] }, provenAt: null },
      { $set: { provenAt: now, lookAt: now } },
    );
  }

  /** Notes that it came back; joins a running transaction. */
  async recordReturn({ _id, workspaceId }: Named, returned: SendReturn): Promise<void> {
    await this.sends.updateOne({ _id, workspaceId }, { $set: { returned } });
  }
}
