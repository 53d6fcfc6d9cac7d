import { type Actor, KEY_SCOPES, type WorkspaceScope, checkedInput, systemActor, systemScope } from '@domain/access';
import { AuditService, type AuditedAct, getChanges } from '@domain/audit';
import { UsersService } from '../users/users.service';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { invalidField, notFound } from '@platform/errors';
import { type ApiKeyResponse, CreateApiKeyRequest, type NewApiKeyResponse, toApiKey } from './dto/api-key.dto';
import { getExpiry } from './key-expiry';
import { ApiKeyRepository, type KeyOwner } from './api-key.repository';
import { ApiKeysService } from './api-keys.service';
import { type StoredKey } from './schemas/key-record';

export interface IssueKey {
  name: string;
  /** Default: all scopes. */
  scopes?: readonly string[];
  /** ISO 8601; default: never. */
  expiresAt?: string;
}

const MAX_RATE_LIMIT = 1_000_000;

/** Keys that the operator issues. Keys of a user are audited in their default workspace, if they have one. */
@Injectable()
export class OperatorKeysService {
  constructor(
    private readonly store: ApiKeyRepository,
    private readonly creation: ApiKeysService,
    private readonly users: UsersService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Creates a platform key of the user. @throws NOT_FOUND, VALIDATION_ERROR, LIMIT_EXCEEDED */
  async issueForUser(
    userId: string,
    input: IssueKey,
    actor: Actor = systemActor('operator'),
  ): Promise<NewApiKeyResponse> {
    return this.transactions.run(async () => {
      const user = await this.users.byId(userId);
      if (!user) throw notFound('User');
      const audited = user.defaultWorkspaceId === null ? null : { ...systemScope(user.defaultWorkspaceId), actor };
      return this.#issue(this.store.keysOfUser(user.id), input, actor, audited);
    });
  }

  /** Creates a key of the workspace. @throws NOT_FOUND, VALIDATION_ERROR, LIMIT_EXCEEDED */
  async issueForWorkspace(workspace: WorkspaceScope, input: IssueKey): Promise<NewApiKeyResponse> {
    return this.transactions.run(async () => {
      return this.#issue(this.store.keysOfWorkspace(workspace.workspaceId), input, workspace.actor, workspace);
    });
  }

  /** Revokes a key of any owner. Revoking it again changes nothing. @throws NOT_FOUND */
  async revoke(keyId: string): Promise<ApiKeyResponse> {
    return this.transactions.run(async () => {
      const { owner, key } = await this.store.findAnywhere(keyId);
      if (key.revokedAt !== null) return toApiKey(key);
      const revokedAt = this.clock.now();
      await owner.keys.updateOne({ _id: key._id, ...owner.filter }, { $set: { revokedAt } });
      await this.#record(key, { action: 'api_key.revoked' });
      return toApiKey({ ...key, revokedAt });
    });
  }

  /**
   * Sets the requests per window of a key; null for the default of the installation.
   * @throws NOT_FOUND, VALIDATION_ERROR for anything but a whole number from 1 to a million
   */
  async setRateLimit(keyId: string, rateLimit: number | null): Promise<ApiKeyResponse> {
    const isUsable =
      rateLimit === null || (Number.isInteger(rateLimit) && rateLimit >= 1 && rateLimit <= MAX_RATE_LIMIT);
    if (!isUsable) throw invalidField('rateLimit', `rateLimit must be a whole number from 1 to ${MAX_RATE_LIMIT}`);
    return this.transactions.run(async () => {
      const { owner, key } = await this.store.findAnywhere(keyId);
      await owner.keys.updateOne({ _id: key._id, ...owner.filter }, { $set: { rateLimit } });
      const changes = getChanges(key, { rateLimit }, ['rateLimit']);
      if (changes) await this.#record(key, { action: 'api_key.rate_limit_changed', changes });
      return toApiKey({ ...key, rateLimit });
    });
  }

  async #issue(
    owner: KeyOwner,
    input: IssueKey,
    createdBy: Actor,
    audited: WorkspaceScope | null,
  ): Promise<NewApiKeyResponse> {
    const { name, scopes = KEY_SCOPES, expiresAt: requestedExpiry } = checkedInput(CreateApiKeyRequest, input);
    const expiresAt = getExpiry(requestedExpiry, this.clock.now(), null);
    return this.creation.issue(owner, { name, scopes, expiresAt, rateLimit: null, createdBy }, audited);
  }

  async #record({ _id, workspaceId, userId }: StoredKey, act: Omit<AuditedAct, 'target'>): Promise<void> {
    const user = userId && (await this.users.byId(userId.toHexString()));
    const audited = workspaceId?.toHexString() ?? user?.defaultWorkspaceId;
    if (!audited) return;
    await this.audit.record(systemScope(audited, 'operator'), {
      ...act,
      target: { type: 'api_key', id: _id.toHexString() },
    });
  }
}
