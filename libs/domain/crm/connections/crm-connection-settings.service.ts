import { CrmError, CrmPort, type CrmType } from '@adapters/crm';
import { type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { type MessageResponse, WorkspaceLimitsService } from '@domain/identity';
import { consentFailure } from '@domain/oauth';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { TransactionService } from '@platform/database';
import { invalidField, notFound } from '@platform/errors';
import { HookRegistry } from '@platform/hooks';
import { SecretBoxService } from '@platform/secrets';
import { type Model, Types } from 'mongoose';
import { getKeyBaseUrl } from '../oauth/crm-addresses';
import { getCrmVendor } from '../oauth/crm-vendors';
import { parseCrmType } from '../parse-crm-type';
import { getDefaultRules } from '../mapping/default-rules';
import { toStoredRuleList } from '../mapping/stored-rules';
import { type CrmConnectionResponse, toCrmConnection } from './dto/crm-connection.dto';
import { type SetCrmRequest } from './dto/crm-connection-requests.dto';
import { CRM_CONNECTION_HOOKS } from './crm-connection-hooks';
import { readAccount, type VerifiedAccount } from './verified-account';
import { CrmConnectionRecord } from './schemas/crm-connection.record';
import { type ConnectionSecret, connectionSecretOwner } from './crm-secrets';

/** The audited fields of a connection; never the secrets. */
const AUDITED_CONNECTION = [
  'type',
  'authMethod',
  'enabled',
  'status',
  'accountId',
  'accountName',
  'baseUrl',
  'scopes',
  'ownerPolicy',
  'ownerId',
] as const;

/** The settings of a connection. */
export type CrmSettings = Partial<Pick<CrmConnectionRecord, 'enabled' | 'ownerPolicy' | 'ownerId'>>;

/** CRM connections of a workspace and their settings. */
@Injectable()
export class CrmConnectionSettingsService {
  constructor(
    @InjectModel(CrmConnectionRecord.name) private readonly connections: Model<CrmConnectionRecord>,
    private readonly crms: CrmPort,
    private readonly hooks: HookRegistry,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly config: Config,
    private readonly limits: WorkspaceLimitsService,
    private readonly box: SecretBoxService,
    private readonly clock: ClockPort,
  ) {}

  /** @throws NOT_FOUND for no CRM, and when the workspace is not connected to it */
  async get({ workspaceId }: WorkspaceScope, name: string): Promise<CrmConnectionResponse> {
    return toCrmConnection(await this.#requireConnection(workspaceId, parseCrmType(name)));
  }

  /**
   * With a key, verifies it and connects. Without, changes the given settings.
   * @throws NOT_FOUND for no CRM, VALIDATION_ERROR for a rejected or missing key, INTEGRATION_WRONG_ACCOUNT for the
   * key of another account, CRM_UNAVAILABLE
   */
  async set(workspace: WorkspaceScope, name: string, input: SetCrmRequest): Promise<CrmConnectionResponse> {
    const type = parseCrmType(name);
    const { apiKey, accountUrl } = input;
    const settings = toSettings(input);
    if (apiKey !== undefined) {
      const account = await this.#verifyKey(type, apiKey, accountUrl);
      requireOwner(settings, await this.#find(workspace.workspaceId, type));
      return toCrmConnection(await this.save(workspace, type, account, settings));
    }
    if (accountUrl !== undefined) throw invalidField('accountUrl', 'accountUrl requires apiKey');
    return toCrmConnection(await this.#change(workspace, type, settings));
  }

  /**
   * Removes the connection with its secrets, mapping and totals; open work ends.
   * @throws NOT_FOUND for no CRM, and when the workspace is not connected to it
   */
  async remove(workspace: WorkspaceScope, name: string): Promise<MessageResponse> {
    const type = parseCrmType(name);
    const { workspaceId } = workspace;
    await this.transactions.run(async () => {
      const before = await this.connections.findOneAndDelete({ workspaceId, type }).lean<CrmConnectionRecord>();
      if (!before) throw notFound('Integration');
      await this.audit.record(workspace, {
        action: 'integration.removed',
        target: { type: 'integration', id: before._id.toHexString() },
        changes: getChanges(before, null, AUDITED_CONNECTION),
      });
      await this.hooks.call(CRM_CONNECTION_HOOKS, 'disconnected', workspaceId, type, 'removed');
    });
    return { message: 'Integration removed' };
  }

  /**
   * Saves a verified account. An existing connection to the same account keeps its mapping, totals and links. One
   * transaction; joins a running one.
   * @throws INTEGRATION_WRONG_ACCOUNT for another account, NOT_FOUND for a deleted workspace
   */
  async save(
    workspace: WorkspaceScope,
    type: CrmType,
    account: VerifiedAccount,
    settings: CrmSettings = {},
  ): Promise<CrmConnectionRecord> {
    const { workspaceId } = workspace;
    return this.transactions.run(async () => {
      // Claims the workspace: one of two concurrent connections is retried, and a deleted workspace gets none.
      await this.limits.claim(workspaceId);
      const before = await this.connections.findOne({ workspaceId, type }).lean<CrmConnectionRecord>();
      if (before && before.accountId !== account.identity.accountId) throw toWrongAccountError(before, account);
      const _id = before?._id ?? new Types.ObjectId();
      const $set = { ...this.#toConnectedFields(workspaceId, _id, account), ...settings };
      const after = await this.connections
        .findOneAndUpdate(
          { workspaceId, type },
          {
            $set,
            $inc: { revision: 1, tokenVersion: 1 },
            ...(!before && { $setOnInsert: toNewConnection(_id, type, account, settings) }),
          },
          { upsert: true, returnDocument: 'after' },
        )
        .lean<CrmConnectionRecord>()
        .orFail();
      await this.audit.record(workspace, {
        action: 'integration.connected',
        target: { type: 'integration', id: _id.toHexString() },
        changes: getChanges(before, after, AUDITED_CONNECTION),
      });
      if (after.enabled) await this.hooks.call(CRM_CONNECTION_HOOKS, 'connected', workspaceId, type);
      return after;
    });
  }

  async #verifyKey(type: CrmType, apiKey: string, accountUrl: string | undefined): Promise<VerifiedAccount> {
    const driver = this.crms.driver(type);
    if (!driver.ways.includes('key')) {
      throw invalidField('apiKey', `apiKey cannot be given: ${type} is connected by consent (POST /oauth)`);
    }
    const baseUrl = getKeyBaseUrl(getCrmVendor(this.config, driver), accountUrl);
    try {
      const proof = await readAccount(driver.open({ type, baseUrl, auth: { kind: 'key', key: apiKey } }));
      return { authMethod: 'key', ...proof, baseUrl, tokenUrl: null, scopes: [], credentials: { apiKey } };
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
      if (before.enabled && !after.enabled)
        await this.hooks.call(CRM_CONNECTION_HOOKS, 'disconnected', workspaceId, type, 'switched_off');
      if (after.enabled && !before.enabled && after.status === 'connected')
        await this.hooks.call(CRM_CONNECTION_HOOKS, 'connected', workspaceId, type);
      return after;
    });
  }

  async #requireConnection(workspaceId: string, type: CrmType): Promise<CrmConnectionRecord> {
    const found = await this.#find(workspaceId, type);
    if (!found) throw notFound('Integration');
    return found;
  }

  #find(workspaceId: string, type: CrmType): Promise<CrmConnectionRecord | null> {
    return this.connections.findOne({ workspaceId, type }).lean<CrmConnectionRecord>();
  }

  #toConnectedFields(workspaceId: string, _id: Types.ObjectId, account: VerifiedAccount) {
    const { authMethod, identity, baseUrl, tokenUrl, scopes, credentials } = account;
    const now = this.clock.now();
    const seal = (text: string, secret: ConnectionSecret) =>
      this.box.seal(text, connectionSecretOwner(workspaceId, _id, secret));
    const none = { apiKey: null, accessToken: null, refreshToken: null, accessTokenExpiresAt: null };
    const encrypted =
      'apiKey' in credentials
        ? { apiKey: seal(credentials.apiKey, 'apiKey') }
        : {
            accessToken: seal(credentials.accessToken, 'accessToken'),
            accessTokenExpiresAt: credentials.expiresAt,
            refreshToken: credentials.refreshToken && seal(credentials.refreshToken, 'refreshToken'),
          };
    return {
      authMethod,
      status: 'connected' as const,
      accountId: identity.accountId,
      accountName: identity.accountName,
      baseUrl,
      tokenUrl,
      scopes: [...scopes],
      ...none,
      ...encrypted,
      lastError: null,
      connectedAt: now,
      disconnectedAt: null,
      checkedAt: now,
    };
  }
}

/** The given settings. */
function toSettings({ enabled, ownerPolicy, ownerId }: SetCrmRequest): CrmSettings {
  return {
    ...(enabled !== undefined && { enabled }),
    ...(ownerPolicy !== undefined && { ownerPolicy }),
    ...(ownerId !== undefined && { ownerId }),
  };
}

/** The policy `set` requires an owner. */
function requireOwner(settings: CrmSettings, before: CrmConnectionRecord | null): void {
  const ownerPolicy = settings.ownerPolicy ?? before?.ownerPolicy ?? 'keep';
  const ownerId = settings.ownerId === undefined ? (before?.ownerId ?? null) : settings.ownerId;
  if (ownerPolicy === 'set' && ownerId === null) {
    throw invalidField('ownerId', 'ownerId is missing: with ownerPolicy set, people get this owner');
  }
}

/** The initial fields of a connection, without those in `settings`: an update cannot set a field twice. */
function toNewConnection(_id: Types.ObjectId, type: CrmType, { fields }: VerifiedAccount, settings: CrmSettings) {
  const usual = { enabled: true, ownerPolicy: 'keep', ownerId: null } as const;
  const unset = Object.entries(usual).filter(([name]) => !(name in settings));
  return {
    _id,
    mapping: toStoredRuleList(getDefaultRules(type, fields)),
    ...Object.fromEntries(unset),
    lastSyncAt: null,
    totalPulled: 0,
    totalPushed: 0,
  };
}

function toWrongAccountError(before: CrmConnectionRecord, { identity }: VerifiedAccount) {
  return consentFailure(
    'wrongAccount',
    `It is the account ${identity.accountName} (${identity.accountId}); connected is ${before.accountName} ` +
      `(${before.accountId}): remove that connection first`,
  );
}
