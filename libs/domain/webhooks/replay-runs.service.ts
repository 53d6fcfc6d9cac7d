import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { type Sweep } from '@platform/queues';
import { type Model } from 'mongoose';
import { WebhookReplayRecord } from './schemas/webhook-replay.record';
import { ReplayStepsService } from './replay-steps.service';
import { type ReplayWebhook, WebhookReplayQueue } from './webhook-replay.queue';

/** Does replays, in the worker. */
@Injectable()
export class ReplayRunsService implements Sweep {
  readonly name = 'webhook-replay';

  constructor(
    @InjectModel(WebhookReplayRecord.name) private readonly replays: Model<WebhookReplayRecord>,
    private readonly steps: ReplayStepsService,
    private readonly queue: WebhookReplayQueue,
    private readonly workspaces: WorkspaceRepository,
  ) {}

  /**
   * Goes on with a replay where it stands, to its end. Does nothing for one that is over, or whose webhook is gone.
   * @param signal stops it between two steps
   */
  async run({ workspaceId, webhookId, replayId }: ReplayWebhook, signal: AbortSignal): Promise<void> {
    if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) return;
    const where = { _id: parseId(webhookId), workspaceId, replayId: parseId(replayId) };
    let replay = await this.replays.findOne(where as never).lean<WebhookReplayRecord>();
    while (replay?.openSince) {
      signal.throwIfAborted();
      replay = await this.steps.next(replay);
    }
  }

  /** Gives every replay that is not done and has no job its job again: Redis may have been emptied. */
  async sweep(): Promise<number> {
    const open = await this.replays
      .find({ openSince: { $gt: new Date(0) } })
      .setOptions({ allWorkspaces: 'the worker does the replays of all workspaces' })
      .lean<WebhookReplayRecord[]>();
    const alive = await this.workspaces.filterAlive(open.map(({ workspaceId }) => workspaceId.toHexString()));
    return this.queue.planMissing(open.filter(({ workspaceId }) => alive.has(workspaceId.toHexString())));
  }
}
