import { type CrmAuth, type CrmError, CrmPort, type CrmSession, type CrmType } from '@adapters/crm';
import { systemScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { EventsService } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { HookRegistry } from '@platform/hooks';
import { SecretBoxService } from '@platform/secrets';
import { type Model, type Types } from 'mongoose';
import { type MappingRule } from '../mapping/field-rule';
import { parseStoredRules } from '../mapping/stored-rules';
import { CrmOAuthService } from '../oauth/crm-oauth.service';
import { CRM_CONNECTION_HOOKS } from './crm-connection-hooks';
import { crmNotConnected } from './crm.errors';
import {
  type ConnectionError,
  CrmConnectionRecord,
  type CrmStatus,
  type OwnerPolicy,
} from './schemas/crm-connection.record';
import { connectionSecretOwner } from './crm-secrets';

/** An opened connection, valid for one piece of work. */
export interface OpenCrm {
  readonly connectionId: Types.ObjectId;
  readonly type: CrmType;
  readonly session: CrmSession;
  readonly mapping: readonly MappingRule[];
  readonly ownerPolicy: OwnerPolicy;
  readonly ownerId: string | null;
  /** Revision of credentials, mapping and settings; another one means that this is outdated. */
  readonly revision: number;
}

type SessionFields = Pick<CrmConnectionRecord, '_id' | 'workspaceId' | 'type' | 'baseUrl' | 'apiKey'>;

/** CRM connections of workspaces: sessions, totals and status. */
@Injectable()
export class CrmConnectionRepository {
  constructor(
    @InjectModel(CrmConnectionRecord.name) private readonly connections: Model<CrmConnectionRecord>,
    private readonly hooks: HookRegistry,
    private readonly events: EventsService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly crms: CrmPort,
    private readonly oauth: CrmOAuthService,
    private readonly box: SecretBoxService,
  ) {}

  /** @throws CRM_NOT_CONNECTED when there is none, or it is switched off or disconnected */
  async open(workspaceId: string, type: CrmType): Promise<OpenCrm> {
    const record = await this.#find(workspaceId, type);
    if (!record || !record.enabled || record.status !== 'connected') throw crmNotConnected(type);
    const { _id: connectionId, ownerPolicy, ownerId, revision } = record;
    const mapping = parseStoredRules(record.mapping);
    return { connectionId, type, session: this.openSession(record), mapping, ownerPolicy, ownerId, revision };
  }

  /**
   * Records the error of a call. An error that needs a person disconnects, with one event and the hooks. Joins a
   * running transaction.
   * @param revision of the connection that failed: errors of older credentials do not count
   * @returns false when that connection no longer exists: the caller retries with the present one
   */
  async markFailed(workspaceId: string, type: CrmType, error: CrmError, revision?: number): Promise<boolean> {
    const at = this.clock.now();
    const lastError = { code: error.code, message: error.message, at };
    return this.transactions.run(async () => {
      const where = { workspaceId, type, ...(revision !== undefined && { revision }) };
      if (error.failure !== 'needs-human') {
        const { matchedCount } = await this.connections.updateOne(
          where,
          { $set: { lastError } },
          { timestamps: false },
        );
        return matchedCount === 1;
      }
      const before = await this.connections
        .findOneAndUpdate(
          { ...where, status: 'connected' },
          { $set: { status: 'disconnected', disconnectedAt: at, checkedAt: at, lastError } },
          { returnDocument: 'before' },
        )
        .lean<CrmConnectionRecord>();
      if (before) await this.#recordDisconnected(before, lastError);
      return before !== null || (await this.connections.exists(where)) !== null;
    });
  }

  /** Records accepted credentials: a disconnected connection is connected again. */
  async markAuthorized(
    workspaceId: string,
    type: CrmType,
    { revision, accountName }: { revision: number; accountName: string },
  ): Promise<void> {
    const inForce = { checkedAt: this.clock.now(), accountName };
    await this.transactions.run(async () => {
      const before = await this.connections
        .findOneAndUpdate(
          { workspaceId, type, revision },
          { $set: { ...inForce, status: 'connected', disconnectedAt: null, lastError: null } },
          { returnDocument: 'before', timestamps: false },
        )
        .lean<CrmConnectionRecord>();
      if (before?.status !== 'disconnected') return;
      await this.#recordAudit(before, 'integration.connected', 'connected');
      if (before.enabled) await this.hooks.call(CRM_CONNECTION_HOOKS, 'connected', workspaceId, type);
    });
  }

  /** Adds to the totals in the transaction of the changes. */
  async addTotals(
    workspaceId: string,
    type: CrmType,
    { pulled = 0, pushed = 0 }: { pulled?: number; pushed?: number },
  ): Promise<void> {
    if (pulled === 0 && pushed === 0) return;
    const $inc = { totalPulled: pulled, totalPushed: pushed };
    await this.connections.updateOne({ workspaceId, type }, { $inc }, { timestamps: false });
  }

  /** Records a completed sync, which clears the error of a connected connection. */
  async markSynced(workspaceId: string, type: CrmType, at: Date): Promise<void> {
    const $max = { lastSyncAt: at, checkedAt: at };
    const options = { timestamps: false };
    const inForce = { workspaceId, type, status: 'connected' } as const;
    const { matchedCount } = await this.connections.updateOne(inForce, { $max, $set: { lastError: null } }, options);
    if (matchedCount === 0) await this.connections.updateOne({ workspaceId, type }, { $max }, options);
  }

  /** Sends no request. @throws SecretOpenError without the encryption key */
  openSession(connection: SessionFields): CrmSession {
    const { type, baseUrl } = connection;
    return this.crms.driver(type).open({ type, baseUrl, auth: this.#auth(connection) });
  }

  async #recordDisconnected(before: CrmConnectionRecord, { code, message, at }: ConnectionError): Promise<void> {
    const { _id, type } = before;
    const workspace = systemScope(before.workspaceId.toHexString());
    const id = _id.toHexString();
    await this.#recordAudit(before, 'integration.disconnected', 'disconnected');
    await this.events.record(workspace, {
      type: 'integration.disconnected',
      dedupeKey: `integration.disconnected:${id}:${at.toISOString()}`,
      about: {},
      data: { name: type, code, reason: message },
    });
    await this.hooks.call(CRM_CONNECTION_HOOKS, 'disconnected', workspace.workspaceId, type, 'refused');
  }

  async #recordAudit(
    { _id, workspaceId, status }: CrmConnectionRecord,
    action: 'integration.connected' | 'integration.disconnected',
    to: CrmStatus,
  ): Promise<void> {
    await this.audit.record(systemScope(workspaceId.toHexString()), {
      action,
      target: { type: 'integration', id: _id.toHexString() },
      changes: { status: { from: status, to } },
    });
  }

  #find(workspaceId: string, type: CrmType): Promise<CrmConnectionRecord | null> {
    return this.connections.findOne({ workspaceId, type }).lean<CrmConnectionRecord>();
  }

  #auth({ _id: connectionId, workspaceId, apiKey }: SessionFields): CrmAuth {
    if (apiKey === null) {
      return { kind: 'token', token: (refused) => this.oauth.getToken({ workspaceId, connectionId }, refused) };
    }
    return { kind: 'key', key: this.box.open(apiKey, connectionSecretOwner(workspaceId, connectionId, 'apiKey')) };
  }
}
