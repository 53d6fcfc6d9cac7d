import { type WorkspaceScope } from '@domain/access';
import {
  MAILBOX_HOOKS,
  MailboxRepository,
  type MailboxHooks,
  findSendingObstacle,
  type SendingStopped,
} from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Listens } from '@platform/hooks';
import { type Model, Types } from 'mongoose';
import { MailboxLeaseService } from './mailbox-lease.service';
import { MailboxLeaseRecord } from './schemas/mailbox-lease.record';
import { SendRecord } from './schemas/send.record';
import { toSendFields } from './send-outcome';
import { SendRepository } from './send.repository';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** How long after the deletion of its mailbox an interrupted handover is first resolved. */
const FIRST_RESOLUTION_AFTER_MS = 10 * 60_000;

/** Adapts sending to changes of a mailbox: sending stops before a pause is acknowledged and continues after a resume. */
@Injectable()
@Listens(MAILBOX_HOOKS)
export class MailboxSendingListener implements MailboxHooks {
  constructor(
    private readonly mailboxes: MailboxRepository,
    private readonly sends: SendRepository,
    private readonly leases: MailboxLeaseService,
    @InjectModel(MailboxLeaseRecord.name) private readonly leaseRecords: Model<MailboxLeaseRecord>,
    @InjectModel(SendRecord.name) private readonly sendRecords: Model<SendRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** Resuming confirms that a person has looked at the reason for which sending was stopped. */
  resumed({ workspaceId }: Workspace, mailboxId: string): Promise<boolean> {
    return this.leases.clearStop(workspaceId, mailboxId);
  }

  /** Withholds the claims of a mailbox that can no longer send; schedules a run of a mailbox that can. */
  async changed({ workspaceId }: Workspace, mailboxId: string): Promise<void> {
    const mailbox = await this.mailboxes.find(new Types.ObjectId(workspaceId), new Types.ObjectId(mailboxId));
    const obstacle = mailbox && findSendingObstacle(mailbox);
    if (!mailbox || obstacle) {
      const reason = `The mailbox ${obstacle?.message ?? 'was deleted'}`;
      await this.sends.withhold(workspaceId, { mailboxId }, reason);
      return;
    }
    // A mailbox without a lease belongs to no started campaign; the start of a campaign schedules it.
    const known = await this.leases.findStates(workspaceId, [mailboxId]);
    if (known.size > 0) await this.leases.scheduleNow(workspaceId, [mailboxId]);
  }

  async stopped({ workspaceId }: Workspace, mailboxId: string): Promise<SendingStopped | null> {
    return (await this.leases.findStates(workspaceId, [mailboxId])).get(mailboxId)?.stopped ?? null;
  }

  /**
   * Deletes the lease, withholds claimed sends and leaves interrupted handovers to the resolver, since no worker will
   * report their outcome. Each claim writes the lease: a claim that this transaction does not see causes a write conflict.
   */
  async released({ workspaceId }: WorkspaceScope, mailboxId: string): Promise<void> {
    const reason = 'The mailbox was deleted';
    await this.leaseRecords.deleteOne({ _id: mailboxId, workspaceId });
    await this.sendRecords.updateMany(
      { workspaceId, mailboxId, state: 'claimed' },
      { $set: toSendFields('claimed', { state: 'withheld', reason }) },
    );
    await this.sendRecords.updateMany(
      { workspaceId, mailboxId, state: 'sending' },
      {
        $set: toSendFields('sending', {
          state: 'ambiguous',
          reason,
          resolveAt: this.clock.in(FIRST_RESOLUTION_AFTER_MS),
        }),
      },
    );
  }
}
