import { CrmError, CrmPort, type CrmType } from '@adapters/crm';
import { type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { type MessageResponse } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Config } from '@platform/config';
import { TransactionService } from '@platform/database';
import { invalidField, notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { keyBaseUrl } from '../oauth/crm-addresses';
import { crmVendor } from '../oauth/crm-vendors';
import { crmNamed } from '../parse-crm-type';
import { type CrmConnectionResponse, toCrmConnection } from './dto/crm-connection.dto';
import { type SetCrmRequest } from './dto/crm-connection-requests.dto';
import { CrmConnectionHookRegistry } from './crm-connection-hook.registry';
import { AUDITED_CONNECTION, CrmConnectionGrantService, type CrmSettings } from './crm-connection-grant.service';
import { getProof, type ProvenAccount } from './verified-account';
import { CrmConnectionRecord } from './schemas/crm-connection.record';

/** Connections to CRMs, as people see and set them. */
@Injectable()
export class CrmConnectionSettingsService {
  constructor(
    @InjectModel(CrmConnectionRecord.name) private readonly connections: Model<CrmConnectionRecord>,
    private readonly crms: CrmPort,
    private readonly grants: CrmConnectionGrantService,
    private readonly uses: CrmConnectionHookRegistry,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly config: Config,
  ) {}

  /** @throws NOT_FOUND for no CRM, and when the workspace is not connected to it */
  async get({ workspaceId }: WorkspaceScope, name: string): Promise<CrmConnectionResponse> {
    return toCrmConnection(await this.#required(workspaceId, crmNamed(name)));
  }

  /**
   * With a key, connects: the key is tried first. Without, changes what is given and leaves the rest.
   * @throws NOT_FOUND for no CRM, VALIDATION_ERROR for a key that the vendor refuses and when there is none yet,
   *   INTEGRATION_WRONG_ACCOUNT for the key of another account, CRM_UNAVAILABLE when the vendor cannot be asked
   */
  async set(workspace: WorkspaceScope, name: string, input: SetCrmRequest): Promise<CrmConnectionResponse> {
    const type = crmNamed(name);
    const { apiKey, accountUrl } = input;
    const settings = settingsOf(input);
    if (apiKey !== undefined) {
      const account = await this.#proven(type, apiKey, accountUrl);
      requireOwner(settings, await this.#find(workspace.workspaceId, type));
      return toCrmConnection(await this.grants.save(workspace, type, account, settings));
    }
    if (accountUrl !== undefined) throw invalidField('accountUrl', 'accountUrl belongs to a key: give apiKey, too');
    return toCrmConnection(await this.#change(workspace, type, settings));
  }

  /**
   * Forgets the connection with its secrets, mapping and totals; work that is open ends.
   * @throws NOT_FOUND for no CRM, and when the workspace is not connected to it
   */
  async remove(workspace: WorkspaceScope, name: string): Promise<MessageResponse> {
    const type = crmNamed(name);
    const { workspaceId } = workspace;
    await this.transactions.run(async () => {
      const before = await this.connections.findOneAndDelete({ workspaceId, type }).lean<CrmConnectionRecord>();
      if (!before) throw notFound('Integration');
      await this.audit.record(workspace, {
        action: 'integration.removed',
        target: { type: 'integration', id: before._id.toHexString() },
        changes: getChanges(before, null, AUDITED_CONNECTION),
      });
      await this.uses.disconnected(workspaceId, type, 'removed');
    });
    return { message: 'Integration removed' };
  }

  async #proven(type: CrmType, apiKey: string, accountUrl: string | undefined): Promise<ProvenAccount> {
    const driver = this.crms.driver(type);
    if (!driver.ways.includes('key')) {
      throw invalidField('apiKey', `apiKey cannot be given: ${type} is connected by consent (POST /oauth)`);
    }
    const baseUrl = keyBaseUrl(crmVendor(this.config, driver), accountUrl);
    try {
      const proof = await getProof(driver.open({ type, baseUrl, auth: { kind: 'key', key: apiKey } }));
      return { way: 'key', ...proof, baseUrl, tokenUrl: null, scopes: [], credentials: { apiKey } };
    } catch (error) {
      if (!(error instanceof CrmError) || error.failure !== 'needs-human') throw error;
      throw invalidField('apiKey', `apiKey is refused: ${error.message}`);
    }
  }

  async #change(workspace: WorkspaceScope, type: CrmType, settings: CrmSettings): Promise<CrmConnectionRecord> {
    const { workspaceId } = workspace;
    return this.transactions.run(async () => {
      const before = await this.#find(workspaceId, type);
      if (!before) throw invalidField('apiKey', 'apiKey is missing: there is no connection yet; or connect by consent');
      requireOwner(settings, before);
      const { enabled, ownerPolicy, ownerId } = before;
      const known = { enabled, ownerPolicy, ownerId };
      const changes = getChanges(known, { ...known, ...settings }, ['enabled', 'ownerPolicy', 'ownerId']);
      if (changes === null) return before;
      const after = await this.connections
        .findOneAndUpdate(
          { _id: before._id, workspaceId },
          { $set: settings, $inc: { revision: 1 } },
          { returnDocument: 'after' },
        )
        .lean<CrmConnectionRecord>()
        .orFail();
      const target = { type: 'integration', id: before._id.toHexString() } as const;
      await this.audit.record(workspace, { action: 'integration.updated', target, changes });
      if (before.enabled && !after.enabled) await this.uses.disconnected(workspaceId, type, 'switched_off');
      if (after.enabled && !before.enabled && after.status === 'connected')
        await this.uses.connected(workspaceId, type);
      return after;
    });
  }

  async #required(workspaceId: string, type: CrmType): Promise<CrmConnectionRecord> {
    const found = await this.#find(workspaceId, type);
    if (!found) throw notFound('Integration');
    return found;
  }

  #find(workspaceId: string, type: CrmType): Promise<CrmConnectionRecord | null> {
    return this.connections.findOne({ workspaceId, type }).lean<CrmConnectionRecord>();
  }
}

/** What is given of the settings. */
function settingsOf({ enabled, ownerPolicy, ownerId }: SetCrmRequest): CrmSettings {
  return {
    ...(enabled !== undefined && { enabled }),
    ...(ownerPolicy !== undefined && { ownerPolicy }),
    ...(ownerId !== undefined && { ownerId }),
  };
}

/** Whoever wants owners set has to say which one. */
function requireOwner(settings: CrmSettings, before: CrmConnectionRecord | null): void {
  const ownerPolicy = settings.ownerPolicy ?? before?.ownerPolicy ?? 'keep';
  const ownerId = settings.ownerId === undefined ? (before?.ownerId ?? null) : settings.ownerId;
  if (ownerPolicy === 'set' && ownerId === null) {
    throw invalidField('ownerId', 'ownerId is missing: with ownerPolicy set, people get this owner');
  }
}
