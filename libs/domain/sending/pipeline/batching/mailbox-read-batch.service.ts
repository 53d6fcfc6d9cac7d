import { ActiveCampaignsRepository, type CampaignWithShare } from '@domain/campaigns';
import {
  MailboxRepository,
  MailboxFiguresService,
  type MailboxRecord,
  type MailboxSendingState,
} from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { type Types } from 'mongoose';
import { WorkspaceBatcher, BATCH_WINDOW_MS } from './workspace-batcher';

type Zoned = Pick<MailboxRecord, '_id' | 'workspaceId' | 'timezone'>;

interface MailboxRef {
  readonly workspaceId: Types.ObjectId;
  readonly mailboxId: Types.ObjectId;
}

/**
 * Batches the reads that each run repeats for every email. As with separate reads, a batch is read only after all of
 * its callers have asked.
 */
@Injectable()
export class MailboxReadBatchService {
  readonly #mailboxes = new WorkspaceBatcher<Types.ObjectId, MailboxRecord | null>(async (workspaceId, ids) => {
    const found = await this.mailboxes.findAll(workspaceId, ids);
    return ids.map((id) => found.get(id.toHexString()) ?? null);
  }, BATCH_WINDOW_MS);

  readonly #campaigns = new WorkspaceBatcher<Types.ObjectId, CampaignWithShare[]>(async (workspaceId, ids) => {
    const found = await this.campaigns.listForAll(workspaceId, ids);
    return ids.map((id) => found.get(id.toHexString()) ?? []);
  }, BATCH_WINDOW_MS);

  readonly #sent = new WorkspaceBatcher<Zoned, number>(async (workspaceId, mailboxes) => {
    const sent = await this.figures.sentToday({ workspaceId: workspaceId.toHexString() }, mailboxes);
    return mailboxes.map(({ _id }) => sent.get(_id.toHexString()) ?? 0);
  }, BATCH_WINDOW_MS);

  readonly #sendingStates = new WorkspaceBatcher<Types.ObjectId, MailboxSendingState | null>(
    async (workspaceId, ids) => {
      const found = await this.mailboxes.sendingStates(workspaceId, ids);
      return ids.map((id) => found.get(id.toHexString()) ?? null);
    },
    BATCH_WINDOW_MS,
  );

  constructor(
    private readonly mailboxes: MailboxRepository,
    private readonly campaigns: ActiveCampaignsRepository,
    private readonly figures: MailboxFiguresService,
  ) {}

  /** Returns null when the mailbox or its workspace was deleted. */
  async mailbox({ workspaceId, mailboxId }: MailboxRef): Promise<MailboxRecord | null> {
    return this.#mailboxes.run(workspaceId, mailboxId);
  }

  /** Returns the active campaigns that the mailbox sends for, the one served longest ago first. */
  async listFor({ workspaceId, mailboxId }: MailboxRef): Promise<CampaignWithShare[]> {
    return this.#campaigns.run(workspaceId, mailboxId);
  }

  /** Returns what decides whether the mailbox may send; null when it was deleted. */
  async sendingState({ workspaceId, mailboxId }: MailboxRef): Promise<MailboxSendingState | null> {
    return this.#sendingStates.run(workspaceId, mailboxId);
  }

  /** Returns how many emails the mailbox has sent on its current day. */
  async sentToday(mailbox: Zoned): Promise<number> {
    return this.#sent.run(mailbox.workspaceId, mailbox);
  }
}
