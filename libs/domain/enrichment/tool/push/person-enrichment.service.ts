import { LeadEnrichmentService } from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Listens } from '@platform/hooks';
import { LogService } from '@platform/observability';
import pLimit from 'p-limit';
import {
  type EnrichmentJobRef,
  type FinalOutcome,
  type ItemHandler,
  type ItemOutcome,
  type WorkItem,
} from '../../item-handlers/item-handler';
import { WorkImpossibleError } from '../../item-handlers/item-handler.errors';
import { ITEM_HANDLERS } from '../../item-handlers/item-handler';
import { EnrichmentToolsService } from '../settings/enrichment-tools.service';
import { toolNotConfigured } from '../tool.errors';
import { EnrichmentRowPushService, type Round } from './enrichment-row-push.service';
import { toItemPerson } from './tool-row';

/** Maximum number of rows that Clay accepts at once. */
const CHUNK = 20;
/** Concurrent rows of one chunk. */
const AT_ONCE = 4;

/**
 * Handles jobs of person enrichment: each item is a row that is submitted to the workspace's tool, and settled by a
 * callback.
 */
@Injectable()
@Listens(ITEM_HANDLERS)
export class PersonEnrichmentService implements ItemHandler {
  readonly type = 'person_enrichment';
  readonly prefix = 'pe';
  readonly chunk = CHUNK;

  constructor(
    private readonly tools: EnrichmentToolsService,
    private readonly rows: EnrichmentRowPushService,
    private readonly leads: LeadEnrichmentService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** @throws ENRICHMENT_TOOL_NOT_CONFIGURED */
  async requireReady(workspaceId: string): Promise<void> {
    if (!(await this.tools.findInUse(workspaceId))) throw toolNotConfigured();
  }

  /** The end of the cooldown that the tool has requested. */
  async cooldownUntil(workspaceId: string): Promise<Date | null> {
    return (await this.tools.findInUse(workspaceId))?.cooldownUntil ?? null;
  }

  /** Submits each row at least once, always under the id of its item. */
  async run(
    items: readonly WorkItem[],
    job: EnrichmentJobRef,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ItemOutcome>> {
    const workspaceId = job.workspaceId.toHexString();
    const round = await this.#round(workspaceId, job.expiresAt, signal);
    const ids = items.flatMap(({ leadId }) => leadId ?? []);
    const known = new Map(
      (await this.leads.listPeople(workspaceId, ids)).map((lead) => [lead._id.toHexString(), lead]),
    );
    const limit = pLimit(AT_ONCE);
    const handedOver = await Promise.allSettled(
      items.map((item) => limit(() => this.rows.handOver(item, toItemPerson(item, known), round))),
    );
    // All requests have ended before anything is thrown: nothing is submitted after the job has failed.
    if (round.stoppedBy) throw round.stoppedBy;
    return new Map(items.flatMap((item, at) => this.#outcomeOf(item, handedOver[at], signal)));
  }

  onExpired(): FinalOutcome {
    return { kind: 'failed', reason: 'tool_unavailable' };
  }

  async #round(workspaceId: string, expiresAt: Date, signal: AbortSignal): Promise<Round> {
    const tool = await this.tools.findInUse(workspaceId);
    if (!tool) throw new WorkImpossibleError('TOOL_NOT_CONFIGURED', 'The enrichment tool was removed or switched off');
    const cooldownUntil = tool.cooldownUntil && tool.cooldownUntil > this.clock.now() ? tool.cooldownUntil : null;
    return {
      tool,
      table: this.tools.openTable(tool),
      expiresAt,
      signal,
      cooldownUntil,
      stoppedBy: null,
    };
  }

  /** Submitted rows are recorded whatever the outcome of others; missing ones are submitted again. */
  #outcomeOf(
    { _id, jobId }: WorkItem,
    settled: PromiseSettledResult<ItemOutcome> | undefined,
    signal: AbortSignal,
  ): [string, ItemOutcome][] {
    const itemId = _id.toHexString();
    if (settled?.status === 'fulfilled') return [[itemId, settled.value]];
    const ids = { jobId: jobId.toHexString(), itemId };
    if (!signal.aborted) this.log.error('A row could not be submitted', settled?.reason, ids);
    return [];
  }
}
