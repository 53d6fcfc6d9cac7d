import { type CrmType } from '@adapters/crm';
import { type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { SecretBoxService } from '@platform/secrets';
import { type Model, Types } from 'mongoose';
import { consentFailure } from '@domain/oauth';
import { defaultRules } from '../mapping/default-rules';
import { storedRules } from '../mapping/stored-rules';
import { CrmConnectionHookRegistry } from './crm-connection-hook.registry';
import { type ConnectionSecret, connectionSecretOwner } from './crm-secrets';
import { type ProvenAccount } from './verified-account';
import { CrmConnectionRecord } from './schemas/crm-connection.record';

/** What the audit log tells of a connection: never the secrets. */
export const AUDITED_CONNECTION = [
  'type',
  'way',
  'enabled',
  'status',
  'accountId',
  'accountName',
  'baseUrl',
  'scopes',
  'ownerPolicy',
  'ownerId',
] as const;

/** What people set about a connection. */
export type CrmSettings = Partial<Pick<CrmConnectionRecord, 'enabled' | 'ownerPolicy' | 'ownerId'>>;

/** Turns an account that was proven into the connection of the workspace, or gives it to the one that is there. */
@Injectable()
export class CrmConnectionGrantService {
  constructor(
    @InjectModel(CrmConnectionRecord.name) private readonly connections: Model<CrmConnectionRecord>,
    private readonly uses: CrmConnectionHookRegistry,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly box: SecretBoxService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * A connection that is there keeps its mapping, totals and links: it is another way into the same account. One transaction; joins
   * a running one.
   * @throws INTEGRATION_WRONG_ACCOUNT for another account, NOT_FOUND when the workspace is gone
   */
  async save(
    workspace: WorkspaceScope,
    type: CrmType,
    account: ProvenAccount,
    settings: CrmSettings = {},
  ): Promise<CrmConnectionRecord> {
    const { workspaceId } = workspace;
    return this.transactions.run(async () => {
      // Of two who connect at the same time, one is run again and finds the other's; a workspace that is gone gets nothing.
      await this.limits.claim(workspaceId);
      const before = await this.connections.findOne({ workspaceId, type }).lean<CrmConnectionRecord>();
      if (before && before.accountId !== account.identity.accountId) throw otherAccount(before, account);
      const _id = before?._id ?? new Types.ObjectId();
      const $set = { ...this.#inForce(workspaceId, _id, account), ...settings };
      const after = await this.connections
        .findOneAndUpdate(
          { workspaceId, type },
          {
            $set,
            $inc: { revision: 1, tokenVersion: 1 },
            ...(!before && { $setOnInsert: fresh(_id, type, account, settings) }),
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
      if (after.enabled) await this.uses.connected(workspaceId, type);
      return after;
    });
  }

  #inForce(workspaceId: string, _id: Types.ObjectId, account: ProvenAccount) {
    const { way, identity, baseUrl, tokenUrl, scopes, credentials } = account;
    const now = this.clock.now();
    const seal = (text: string, secret: ConnectionSecret) =>
      this.box.seal(text, connectionSecretOwner(workspaceId, _id, secret));
    const none = { apiKey: null, accessToken: null, refreshToken: null, accessTokenExpiresAt: null };
    const sealed =
      'apiKey' in credentials
        ? { apiKey: seal(credentials.apiKey, 'apiKey') }
        : {
            accessToken: seal(credentials.accessToken, 'accessToken'),
            accessTokenExpiresAt: credentials.expiresAt,
            refreshToken: credentials.refreshToken && seal(credentials.refreshToken, 'refreshToken'),
          };
    return {
      way,
      status: 'connected' as const,
      accountId: identity.accountId,
      accountName: identity.accountName,
      baseUrl,
      tokenUrl,
      scopes: [...scopes],
      ...none,
      ...sealed,
      lastError: null,
      connectedAt: now,
      disconnectedAt: null,
      checkedAt: now,
    };
  }
}

/** What a connection begins with; what is set anyhow cannot be named here a second time. */
function fresh(_id: Types.ObjectId, type: CrmType, { fields }: ProvenAccount, settings: CrmSettings) {
  const usual = { enabled: true, ownerPolicy: 'keep', ownerId: null } as const;
  const unset = Object.entries(usual).filter(([name]) => !(name in settings));
  return {
    _id,
    mapping: storedRules(defaultRules(type, fields)),
    ...Object.fromEntries(unset),
    lastSyncAt: null,
    totalPulled: 0,
    totalPushed: 0,
  };
}

function otherAccount(before: CrmConnectionRecord, { identity }: ProvenAccount) {
  return consentFailure(
    'wrongAccount',
    `It is the account ${identity.accountName} (${identity.accountId}); connected is ${before.accountName} ` +
      `(${before.accountId}): remove that connection first`,
  );
}
