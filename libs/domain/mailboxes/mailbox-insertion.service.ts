import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { EventsService } from '@domain/events';
import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { isDuplicateKey, parseId, TransactionService } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { auditedChanges, auditTarget } from './mailbox-audit';
import { createConnection } from './mailbox-connection';
import { addressTaken } from './mailboxes.errors';
import { type ConnectionType, type MailboxProvider, MailboxRecord } from './schemas/mailbox.record';

/** A mailbox whose login was proven. What is left out has the default of its field. */
export type NewMailbox = {
  /** Its secrets are sealed for this id. */
  _id: Types.ObjectId;
  /** In lower case. */
  email: string;
  provider: MailboxProvider;
  connectionType: ConnectionType;
} & Partial<
  Omit<
    MailboxRecord,
    'workspaceId' | 'userId' | 'status' | 'connection' | 'pausedAt' | 'warmup' | 'setup' | 'updatedAt'
  >
>;

const DEFAULTS = { dailySendLimit: 30, sendGapSeconds: 60, timezone: 'UTC' };

/** How a mailbox comes to be, whichever way it was connected. */
@Injectable()
export class MailboxInsertionService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * What `insert` would refuse, as far as a look tells: asked before anybody is made to wait for a login.
   * @throws CONFLICT for an address that is connected, LIMIT_EXCEEDED, NOT_FOUND for a workspace that is gone
   */
  async checkLimit(workspace: WorkspaceScope, email: string): Promise<void> {
    const { workspaceId } = workspace;
    if (await this.mailboxes.exists({ workspaceId, email })) throw addressTaken(email);
    const connected = await this.mailboxes.countDocuments({ workspaceId });
    await this.limits.checkLimit(workspace, 'maxMailboxes', connected);
  }

  /**
   * Stores the mailbox, connected, with audit entry and event, in one transaction; joins a running one.
   * @throws CONFLICT for an address that is connected, LIMIT_EXCEEDED, NOT_FOUND for a workspace that is gone
   */
  async insert(workspace: WorkspaceScope, mailbox: NewMailbox): Promise<MailboxRecord> {
    const { workspaceId, actor } = workspace;
    try {
      return await this.transactions.run(async () => {
        await this.#claimPlace(workspace, mailbox.email);
        const created = await this.mailboxes.create({
          ...DEFAULTS,
          ...mailbox,
          workspaceId,
          userId: actor.userId === null ? null : parseId(actor.userId),
          status: 'active',
          connection: createConnection(this.clock.now()),
        });
        const record = created.toObject<MailboxRecord>();
        await this.#recordCreation(workspace, record);
        return record;
      });
    } catch (error) {
      if (isDuplicateKey(error, 'email')) throw addressTaken(mailbox.email);
      throw error;
    }
  }

  /** The workspace is claimed, so that of two transactions that insert at once the second one sees the first. */
  async #claimPlace(workspace: WorkspaceScope, email: string): Promise<void> {
    const { workspaceId } = workspace;
    await this.limits.claim(workspaceId);
    if (await this.mailboxes.exists({ workspaceId, email })) throw addressTaken(email);
    await this.limits.ensureRoom(workspace, 'maxMailboxes', await this.mailboxes.countDocuments({ workspaceId }));
  }

  async #recordCreation(workspace: WorkspaceScope, record: MailboxRecord): Promise<void> {
    const { _id, email, provider, connectionType } = record;
    const mailboxId = _id.toHexString();
    await this.audit.record(workspace, {
      action: 'mailbox.created',
      target: auditTarget(_id),
      changes: auditedChanges(null, record),
    });
    await this.events.record(workspace, {
      type: 'mailbox.connected',
      dedupeKey: `mailbox.connected:${mailboxId}`,
      about: { mailboxId },
      data: { email, provider, connectionType },
    });
  }
}
