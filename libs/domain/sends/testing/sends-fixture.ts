import { HookRegistry } from '@platform/hooks';
import { MailboxRepository } from '@domain/mailboxes';
import { getModelToken } from '@nestjs/mongoose';
import { DatabaseModule, TransactionService } from '@platform/database';
import { QueuesService, QueuesModule, RedisClient } from '@platform/queues';
import { eventually, type FakeClock, openTestDatabase, type TestDatabase, getSeries } from '@testing';
import { type Queue } from 'bullmq';
import { type Model, Types } from 'mongoose';
import { MailboxLeaseRecord } from '../schemas/mailbox-lease.record';
import { SendRecord } from '../schemas/send.record';
import { SendBatchRepository } from '../send-batch.repository';
import { MailboxSendingListener } from '../mailbox-sending.listener';
import { type NewSend, SendRepository } from '../send.repository';
import { MailboxSendQueue } from '../mailbox-send.queue';
import { MailboxLeaseService } from '../mailbox-lease.service';

export const id = (): string => new Types.ObjectId().toHexString();

/** Sends and mailbox leases on a database and queues of their own. */
export class SendsFixture {
  readonly leases: MailboxLeaseService;
  readonly sends: SendRepository;
  readonly groups: SendBatchRepository;
  readonly hooks: HookRegistry;
  readonly transactions: TransactionService;
  readonly clock: FakeClock;
  readonly queue: Queue;
  readonly leaseRecords: Model<MailboxLeaseRecord>;
  readonly sendRecords: Model<SendRecord>;

  private constructor(private readonly database: TestDatabase) {
    const { module, clock } = database;
    this.clock = clock;
    this.leases = module.get(MailboxLeaseService);
    this.sends = module.get(SendRepository);
    this.groups = module.get(SendBatchRepository);
    this.hooks = module.get(HookRegistry);
    this.transactions = module.get(TransactionService);
    this.queue = module.get(QueuesService, { strict: false }).get('mailbox-send');
    this.leaseRecords = module.get(getModelToken(MailboxLeaseRecord.name));
    this.sendRecords = module.get(getModelToken(SendRecord.name));
  }

  static async open(overrides: Record<string, string> = {}): Promise<SendsFixture> {
    const imports = [QueuesModule, DatabaseModule.collections(SendRecord, MailboxLeaseRecord)];
    const providers = [
      SendRepository,
      SendBatchRepository,
      MailboxLeaseService,
      MailboxSendQueue,
      MailboxSendingListener,
      // The specs call only those hooks that read no mailbox.
      { provide: MailboxRepository, useValue: {} },
    ];
    return new SendsFixture(await openTestDatabase({ imports, providers }, overrides));
  }

  /** Until Redis can be spoken to: it is connected in the background. */
  async reachable(): Promise<void> {
    const { client } = this.database.module.get(RedisClient, { strict: false });
    await eventually('Redis is connected', () => client.status === 'ready');
  }

  /** What a series of the metrics stands at. */
  async series(name: string): Promise<number> {
    return getSeries(this.database.module, name);
  }

  async close(): Promise<void> {
    await this.database.module.get(QueuesService, { strict: false }).obliterate();
    await this.database.close();
  }

  /** A claim for a lead, a step and a mailbox of its own. */
  newSend(fields: Partial<NewSend> = {}): NewSend {
    const _id = new Types.ObjectId();
    return {
      _id,
      workspaceId: new Types.ObjectId(),
      campaignId: new Types.ObjectId(),
      leadId: new Types.ObjectId(),
      stepId: new Types.ObjectId(),
      stepOrder: 0,
      variantId: new Types.ObjectId(),
      sequenceVersion: 1,
      mailboxId: new Types.ObjectId(),
      email: 'bob@lead.test',
      fence: 1,
      messageId: `<${_id.toHexString()}@mail.test>`,
      claimedAt: this.clock.now(),
      ...fields,
    };
  }

  async claimed(fields: Partial<NewSend> = {}): Promise<SendRecord> {
    const send = await this.sends.claim(this.newSend(fields));
    if (!send) throw new Error('not claimed');
    return send;
  }

  async stateOf({ _id, workspaceId }: Pick<SendRecord, '_id' | 'workspaceId'>): Promise<string | undefined> {
    return (await this.sendRecords.findOne({ _id, workspaceId }).lean())?.state;
  }
}
