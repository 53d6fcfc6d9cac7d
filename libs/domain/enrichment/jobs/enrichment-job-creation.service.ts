import { type WorkspaceScope } from '@domain/access';
import { CreditsService } from '@domain/credits';
import { Injectable } from '@nestjs/common';
import { KeyedMutex } from '@platform/concurrency';
import { TransactionService } from '@platform/database';
import { Types } from 'mongoose';
import pLimit from 'p-limit';
import { type CreatedEnrichmentJobResponse, toEnrichmentJob } from '../dto/enrichment-job.dto';
import { type CreateEnrichmentJobRequest } from '../dto/enrichment-job-requests.dto';
import { EnrichmentWorkPartitionService } from '../runs/enrichment-work-partition.service';
import { type EnrichmentJobRecord } from '../schemas/enrichment-job.record';
import { type ItemHandler } from '../item-handlers/item-handler';
import { ItemHandlerRegistry } from '../item-handlers/item-handler.registry';
import { type ChosenAddresses, JobAddressesRepository } from '../runs/job-addresses.repository';
import { JobInsertionService } from './job-insertion.service';
import { CREDITS_PER_ITEM } from './job-price';
import { LooseItemsRepository, type NewItem } from '../runs/loose-items.repository';

const WRITING_AT_ONCE = 8;

/** How jobs come to be. */
@Injectable()
export class EnrichmentJobCreationService {
  /** Of those that come at once, so many write their items: each may have tens of thousands, and the database is there for others. */
  readonly #writing = pLimit(WRITING_AT_ONCE);
  /** All jobs of a workspace are paid from one account: those that come at once would only run into each other there. */
  readonly #line = new KeyedMutex();

  constructor(
    private readonly works: ItemHandlerRegistry,
    private readonly addresses: JobAddressesRepository,
    private readonly looseItems: LooseItemsRepository,
    private readonly insertion: JobInsertionService,
    private readonly credits: CreditsService,
    private readonly lanes: EnrichmentWorkPartitionService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * A job that is pending, with its credits reserved; the worker does it.
   * @throws VALIDATION_ERROR; INSUFFICIENT_CREDITS naming what is missing, and nothing is made; LIMIT_EXCEEDED; what the work says
   *   that cannot be carried out as things stand
   */
  async create(workspace: WorkspaceScope, request: CreateEnrichmentJobRequest): Promise<CreatedEnrichmentJobResponse> {
    const work = this.works.of(request.type);
    const chosen = await this.addresses.choose(workspace, request);
    await work.requireReady?.(workspace.workspaceId);
    const job = await this.#make(workspace, work, chosen);
    await this.lanes.enqueue(workspace.workspaceId);
    return { ...toEnrichmentJob(job), duplicateItems: chosen.duplicates };
  }

  /** The items, and then in one transaction the job with everything that belongs to it. */
  async #make(workspace: WorkspaceScope, work: ItemHandler, chosen: ChosenAddresses): Promise<EnrichmentJobRecord> {
    const { workspaceId } = workspace;
    const { campaignId, items } = chosen;
    const wanted = {
      _id: new Types.ObjectId(),
      type: work.type,
      prefix: work.prefix,
      campaignId,
      totalItems: items.length,
    };
    try {
      await this.#writing(() => this.#write(workspace, wanted._id, items));
      return await this.#line.run(workspaceId, () =>
        this.transactions.run(async () => {
          await this.lanes.schedule(workspaceId, Math.ceil(items.length / work.chunk));
          return this.insertion.insert(workspace, wanted);
        }),
      );
    } catch (error) {
      // Without effect when the job was made after all, and nobody heard of it: then its items are no longer loose. What fails here,
      // the worker clears away.
      await this.looseItems.abandon(workspaceId, wanted._id).catch(() => undefined);
      throw error;
    }
  }

  async #write(workspace: WorkspaceScope, jobId: Types.ObjectId, items: readonly NewItem[]): Promise<void> {
    // Before tens of thousands of items are written for nothing.
    await this.credits.checkBalance(workspace, items.length * CREDITS_PER_ITEM);
    await this.looseItems.write(workspace.workspaceId, jobId, items);
  }
}
