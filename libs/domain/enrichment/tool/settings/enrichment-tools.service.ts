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
import { getMapping, mappingFaults } from './tool-mapping';
import { type ToolSecret, toolSecretOwner } from './tool-secrets';

/** What the audit log tells of a change: settings, never the secrets. */
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
    const host = input.webhookUrl === undefined ? undefined : this.#parseHost(input.webhookUrl);
    const { overwrite, enabled, waitHours } = input;
    const after = await this.transactions.run(async () => {
      // Of two who set the first one at the same time, one is run again and finds the other's.
      await this.limits.claim(workspaceId);
      const before = await this.find(workspaceId);
      if (!before && host === undefined) throw invalidField('webhookUrl', 'webhookUrl is missing: there is none yet');
      const $set = {
        ...this.#sealChanges(before, workspaceId, input),
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
      await this.#recordAudit(workspace, 'enrichment_tool.set', before, record);
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
      await this.#recordAudit(workspace, 'enrichment_tool.removed', before, null);
    });
    return { message: 'Enrichment tool removed' };
  }

  /**
   * What is to be stored of what was given. A token belongs to its address: with another address and without another token
   * there is none, so that nobody can have it sent to a place of his own.
   */
  #sealChanges(before: StoredSecrets | null, workspaceId: string, given: SecretsInput): Partial<StoredSecrets> {
    const { webhookUrl, signingSecret } = given;
    const isMoved =
      webhookUrl !== undefined && before !== null && webhookUrl !== this.#open(before, workspaceId, 'webhookUrl');
    const authToken = given.authToken === undefined && isMoved ? null : given.authToken;
    const seal = (secret: ToolSecret, text: string) => this.box.seal(text, toolSecretOwner(workspaceId, secret));
    return {
      ...(webhookUrl !== undefined && { webhookUrl: seal('webhookUrl', webhookUrl) }),
      ...(authToken !== undefined && { authToken: authToken === null ? null : seal('authToken', authToken) }),
      ...(signingSecret !== undefined && {
        signingSecret: signingSecret === null ? null : seal('signingSecret', signingSecret),
      }),
    };
  }

  /** Where rows go. @throws SecretOpenError when the key is gone */
  openTable(record: EnrichmentToolRecord): EnrichmentTable {
    const workspaceId = record.workspaceId.toHexString();
    return {
      webhookUrl: this.#open(record, workspaceId, 'webhookUrl') ?? '',
      authToken: this.#open(record, workspaceId, 'authToken'),
    };
  }

  /** With what results are signed; null when they are not. @throws SecretOpenError when the key is gone */
  openSigningSecret(record: EnrichmentToolRecord): string | null {
    return this.#open(record, record.workspaceId.toHexString(), 'signingSecret');
  }

  /** The workspace's tool; null when there is none. */
  async find(workspaceId: string): Promise<EnrichmentToolRecord | null> {
    return this.tools.findOne({ workspaceId }).lean<EnrichmentToolRecord>();
  }

  /** The workspace's tool; null when there is none, or when it is switched off. */
  async findInUse(workspaceId: string): Promise<EnrichmentToolRecord | null> {
    const tool = await this.find(workspaceId);
    return tool?.enabled === true ? tool : null;
  }

  /** Lets a tool alone until then, in all processes. Not one that was set anew since. */
  async startCooldown({ _id, workspaceId, webhookUrl }: EnrichmentToolRecord, until: Date): Promise<void> {
    await this.tools.updateOne({ _id, workspaceId, webhookUrl }, { $max: { restUntil: until } }, { timestamps: false });
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

  /** Where a name leads is looked at with each row. @throws VALIDATION_ERROR */
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
    const sealed = record[secret];
    return sealed === null ? null : this.box.open(sealed, toolSecretOwner(workspaceId, secret));
  }
}
