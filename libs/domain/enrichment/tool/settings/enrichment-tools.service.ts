import { type EnrichmentTable } from '@adapters/enrichment';
import { type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { type MessageResponse, WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { invalidField, notFound, validationFailed } from '@platform/errors';
import { OutboundAddressService, OutboundError, parseOutboundUrl } from '@platform/outbound';
import { SecretBoxService } from '@platform/secrets';
import { type Model } from 'mongoose';
import {
  type EnrichmentToolResponse,
  type SetEnrichmentToolRequest,
  toEnrichmentTool,
} from '../dto/enrichment-tool.dto';
import { EnrichmentToolRecord } from '../schemas/enrichment-tool.record';
import { toMapping, listMappingFaults } from './tool-mapping';
import { type ToolSecret, toolSecretOwner } from './tool-secrets';

/** Audited settings; secrets are never audited. */
const AUDITED = ['host', 'mapping', 'overwrite', 'enabled', 'waitHours'] as const;

type StoredSecrets = Pick<EnrichmentToolRecord, ToolSecret>;

type SecretsInput = Pick<SetEnrichmentToolRequest, ToolSecret>;

/** The enrichment tool of a workspace: its settings, its secrets and its cooldown. */
@Injectable()
export class EnrichmentToolsService {
  constructor(
    @InjectModel(EnrichmentToolRecord.name) private readonly tools: Model<EnrichmentToolRecord>,
    private readonly guard: OutboundAddressService,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly box: SecretBoxService,
    private readonly transactions: TransactionService,
  ) {}

  /** @throws NOT_FOUND when the workspace has none */
  async get({ workspaceId }: WorkspaceScope): Promise<EnrichmentToolResponse> {
    const record = await this.find(workspaceId);
    if (!record) throw notFound('Enrichment tool');
    return toEnrichmentTool(record);
  }

  /** Whether the workspace has an enabled tool. */
  async isInUse({ workspaceId }: WorkspaceScope): Promise<boolean> {
    return (await this.tools.exists({ workspaceId, enabled: true })) !== null;
  }

  /**
   * Replaces the settings; omitted secrets stay. Results of submitted rows are written under the new settings.
   * @throws VALIDATION_ERROR for a refused address, a faulty mapping, or a first setting without an address
   */
  async set(workspace: WorkspaceScope, input: SetEnrichmentToolRequest): Promise<EnrichmentToolResponse> {
    const { workspaceId } = workspace;
    const mapping = toMapping(input.mapping);
    const faults = listMappingFaults(mapping);
    if (faults.length > 0) throw validationFailed(faults);
    const host = input.webhookUrl === undefined ? undefined : this.#parseHost(input.webhookUrl);
    const { overwrite, enabled, waitHours } = input;
    const after = await this.transactions.run(async () => {
      // Of two concurrent first settings, one is rerun and finds the other's record.
      await this.limits.claim(workspaceId);
      const before = await this.find(workspaceId);
      if (!before && host === undefined)
        throw invalidField('webhookUrl', 'webhookUrl is required for the first setting');
      const $set = {
        ...this.#sealChanges(before, workspaceId, input),
        ...(host !== undefined && { host }),
        mapping,
        overwrite,
        enabled,
        waitHours,
        // A person changed the settings, so the cooldown ends.
        cooldownUntil: null,
      };
      const record = await this.tools
        .findOneAndUpdate({ workspaceId }, { $set }, { upsert: true, returnDocument: 'after' })
        .lean<EnrichmentToolRecord>()
        .orFail();
      await this.#recordAudit(workspace, 'enrichment_tool.set', before, record);
      return record;
    });
    return toEnrichmentTool(after);
  }

  /**
   * Deletes the tool with its secrets. Results of submitted rows are refused; their items fail at their deadline.
   * @throws NOT_FOUND when the workspace has none
   */
  async remove(workspace: WorkspaceScope): Promise<MessageResponse> {
    const { workspaceId } = workspace;
    await this.transactions.run(async () => {
      const before = await this.tools.findOneAndDelete({ workspaceId }).lean<EnrichmentToolRecord>();
      if (!before) throw notFound('Enrichment tool');
      await this.#recordAudit(workspace, 'enrichment_tool.removed', before, null);
    });
    return { message: 'Enrichment tool removed' };
  }

  /**
   * Encrypts the given secrets. A token belongs to its address: a new address without a new token clears it, so that
   * the token cannot be redirected to another host.
   */
  #sealChanges(before: StoredSecrets | null, workspaceId: string, input: SecretsInput): Partial<StoredSecrets> {
    const { webhookUrl, signingSecret } = input;
    const hasNewUrl =
      webhookUrl !== undefined && before !== null && webhookUrl !== this.#open(before, workspaceId, 'webhookUrl');
    const authToken = input.authToken === undefined && hasNewUrl ? null : input.authToken;
    const seal = (secret: ToolSecret, text: string) => this.box.seal(text, toolSecretOwner(workspaceId, secret));
    return {
      ...(webhookUrl !== undefined && { webhookUrl: seal('webhookUrl', webhookUrl) }),
      ...(authToken !== undefined && { authToken: authToken === null ? null : seal('authToken', authToken) }),
      ...(signingSecret !== undefined && {
        signingSecret: signingSecret === null ? null : seal('signingSecret', signingSecret),
      }),
    };
  }

  /** The table that receives rows. @throws SecretOpenError when the encryption key is missing */
  openTable(record: EnrichmentToolRecord): EnrichmentTable {
    const workspaceId = record.workspaceId.toHexString();
    return {
      webhookUrl: this.#open(record, workspaceId, 'webhookUrl') ?? '',
      authToken: this.#open(record, workspaceId, 'authToken'),
    };
  }

  /**
   * The secret with which results are signed; null without one. @throws SecretOpenError when the encryption key is
   * missing
   */
  openSigningSecret(record: EnrichmentToolRecord): string | null {
    return this.#open(record, record.workspaceId.toHexString(), 'signingSecret');
  }

  /** The tool of the workspace; null without one. */
  async find(workspaceId: string): Promise<EnrichmentToolRecord | null> {
    return this.tools.findOne({ workspaceId }).lean<EnrichmentToolRecord>();
  }

  /** The enabled tool of the workspace; null without one. */
  async findInUse(workspaceId: string): Promise<EnrichmentToolRecord | null> {
    const tool = await this.find(workspaceId);
    return tool?.enabled === true ? tool : null;
  }

  /** Starts a cooldown for all processes, unless the address was changed since. */
  async startCooldown({ _id, workspaceId, webhookUrl }: EnrichmentToolRecord, until: Date): Promise<void> {
    await this.tools.updateOne(
      { _id, workspaceId, webhookUrl },
      { $max: { cooldownUntil: until } },
      { timestamps: false },
    );
  }

  async #recordAudit(
    workspace: WorkspaceScope,
    action: 'enrichment_tool.set' | 'enrichment_tool.removed',
    before: EnrichmentToolRecord | null,
    after: EnrichmentToolRecord | null,
  ): Promise<void> {
    const target = { type: 'enrichment_tool', id: String((after ?? before)?._id) } as const;
    await this.audit.record(workspace, { action, target, changes: getChanges(before, after, AUDITED) });
  }

  /** Checks the address of the settings; the resolved address is checked with each row. @throws VALIDATION_ERROR */
  #parseHost(url: string): string {
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

  #open(record: StoredSecrets, workspaceId: string, secret: ToolSecret): string | null {
    const encrypted = record[secret];
    return encrypted === null ? null : this.box.open(encrypted, toolSecretOwner(workspaceId, secret));
  }
}
