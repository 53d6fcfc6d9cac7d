import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { type ReplayResponse, toReplay } from './dto/webhook-health.dto';
import { type ReplayWebhookRequest } from './dto/webhook-requests.dto';
import { WebhookReplayRecord } from './schemas/webhook-replay.record';
import { WebhookRecord } from './schemas/webhook.record';
import { inactiveWebhook, replayRuns } from './webhook.errors';
import { replayWindow } from './replay-window';
import { auditTarget } from './webhook-audit';
import { findWebhook } from './webhook-lookup';
import { WebhookReplayQueue } from './webhook-replay.queue';

type NewReplay = Omit<WebhookReplayRecord, '_id' | 'workspaceId'>;

/** Beginning a replay: what happened in a window of time is sent again, or for the first time. */
@Injectable()
export class WebhookReplayService {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    @InjectModel(WebhookReplayRecord.name) private readonly replays: Model<WebhookReplayRecord>,
    private readonly queue: WebhookReplayQueue,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * The worker does it; `ReplayRunsService` says what becomes of which delivery.
   * @throws NOT_FOUND, VALIDATION_ERROR naming `from` or `to`, CONFLICT for an inactive webhook and while another replay runs
   */
  async start(workspace: WorkspaceScope, webhookId: string, input: ReplayWebhookRequest): Promise<ReplayResponse> {
    const record = await this.transactions.run(async () => {
      const webhook = await findWebhook(this.webhooks, workspace, webhookId);
      const now = this.clock.now();
      const { from, to } = replayWindow(input, now);
      if (webhook.status !== 'active') throw inactiveWebhook();
      const { scope = 'failed' } = input;
      const begun = { replayId: new Types.ObjectId(), from, to, scope, startedAt: now, openSince: now };
      const replay = await this.#write(webhook, { ...begun, completedAt: null, position: null, scheduled: 0 });
      const changes = { replay: { from: null, to: { from, to, scope } } };
      await this.audit.record(workspace, { action: 'webhook.replayed', target: auditTarget(webhook._id), changes });
      return replay;
    });
    await this.queue.plan(record);
    return toReplay(record);
  }

  /** In the place of the last one, which must be over. */
  async #write({ _id, workspaceId }: WebhookRecord, replay: NewReplay): Promise<WebhookReplayRecord> {
    const last = await this.replays.findOne({ _id, workspaceId }, { openSince: 1 }).lean<WebhookReplayRecord>();
    if (last?.openSince) throw replayRuns();
    return rerunOnWriteConflict(() =>
      this.replays
        .findOneAndUpdate(
          { _id, workspaceId },
          { $set: replay },
          { upsert: true, returnDocument: 'after', setDefaultsOnInsert: false },
        )
        .lean<WebhookReplayRecord>()
        .orFail(),
    );
  }
}
