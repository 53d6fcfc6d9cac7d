import { type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { type MessageResponse, WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { invalidField, notFound, validationFailed } from '@platform/errors';
import { OutboundAddressService, OutboundError, parseOutboundUrl } from '@platform/outbound';
import { type Model } from 'mongoose';
import {
  type EnrichmentToolResponse,
  type SetEnrichmentToolRequest,
  toEnrichmentTool,
} from '../dto/enrichment-tool.dto';
import { EnrichmentToolRecord } from '../schemas/enrichment-tool.record';
import { mappingFaults, getMapping } from './tool-mapping';
import { ToolSecretsService } from './tool-secrets.service';

/** What the audit log tells of a change: settings, never the secrets. */
const AUDITED = ['host', 'mapping', 'overwrite', 'enabled', 'waitHours'] as const;

/** The enrichment tool of a workspace, as its people set it. */
@Injectable()
export class EnrichmentToolsService {
  constructor(
    @InjectModel(EnrichmentToolRecord.name) private readonly tools: Model<EnrichmentToolRecord>,
    private readonly secrets: ToolSecretsService,
    private readonly guard: OutboundAddressService,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /** @throws NOT_FOUND when the workspace has none */
  async get({ workspaceId }: WorkspaceScope): Promise<EnrichmentToolResponse> {
    const record = await this.#find(workspaceId);
    if (!record) throw notFound('Enrichment tool');
    return toEnrichmentTool(record);
  }

  /** Whether rows are handed over. */
  async isInUse({ workspaceId }: WorkspaceScope): Promise<boolean> {
    return (await this.tools.exists({ workspaceId, enabled: true })) !== null;
  }

  /**
   * Sets all of it; secrets that are not given stay. Rows that are out go on as they are: their results land by these settings.
   * @throws VALIDATION_ERROR naming what is wrong: an address that is never connected to, a mapping, no address the first time
   */
  async set(workspace: WorkspaceScope, input: SetEnrichmentToolRequest): Promise<EnrichmentToolResponse> {
    const { workspaceId } = workspace;
    const mapping = getMapping(input.mapping);
    const faults = mappingFaults(mapping);
    if (faults.length > 0) throw validationFailed(faults);
    const host = input.webhookUrl === undefined ? undefined : this.#hostOf(input.webhookUrl);
    const { overwrite, enabled, waitHours } = input;
    const after = await this.transactions.run(async () => {
      // Of two who set the first one at the same time, one is run again and finds the other's.
      await this.limits.claim(workspaceId);
      const before = await this.#find(workspaceId);
      if (!before && host === undefined) throw invalidField('webhookUrl', 'webhookUrl is missing: there is none yet');
      const $set = {
        ...this.secrets.changes(before, workspaceId, input),
        ...(host !== undefined && { host }),
        mapping,
        overwrite,
        enabled,
        waitHours,
        // Somebody looked after it: it is tried again at once.
        restUntil: null,
      };
      const record = await this.tools
        .findOneAndUpdate({ workspaceId }, { $set }, { upsert: true, returnDocument: 'after' })
        .lean<EnrichmentToolRecord>()
        .orFail();
      await this.#note(workspace, 'enrichment_tool.set', before, record);
      return record;
    });
    return toEnrichmentTool(after);
  }

  /**
   * Forgets the tool with its secrets. Results of rows that are out are not taken any more: they fail when their time is over.
   * @throws NOT_FOUND when the workspace has none
   */
  async remove(workspace: WorkspaceScope): Promise<MessageResponse> {
    const { workspaceId } = workspace;
    await this.transactions.run(async () => {
      const before = await this.tools.findOneAndDelete({ workspaceId }).lean<EnrichmentToolRecord>();
      if (!before) throw notFound('Enrichment tool');
      await this.#note(workspace, 'enrichment_tool.removed', before, null);
    });
    return { message: 'Enrichment tool removed' };
  }

  #find(workspaceId: string): Promise<EnrichmentToolRecord | null> {
    return this.tools.findOne({ workspaceId }).lean<EnrichmentToolRecord>();
  }

  async #note(
    workspace: WorkspaceScope,
    action: 'enrichment_tool.set' | 'enrichment_tool.removed',
    before: EnrichmentToolRecord | null,
    after: EnrichmentToolRecord | null,
  ): Promise<void> {
    const target = { type: 'enrichment_tool', id: String((after ?? before)?._id) } as const;
    await this.audit.record(workspace, { action, target, changes: getChanges(before, after, AUDITED) });
  }

  /** Where a name leads is looked at with each row. @throws VALIDATION_ERROR */
  #hostOf(url: string): string {
    try {
      const { hostname, host } = parseOutboundUrl(url);
      this.guard.refuseLiteral(hostname);
      return host;
    } catch (error) {
      if (error instanceof OutboundError)
        throw invalidField('webhookUrl', `webhookUrl cannot be used: ${error.message}`);
      throw error;
    }
  }
}
