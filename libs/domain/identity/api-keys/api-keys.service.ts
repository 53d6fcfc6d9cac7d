import { type Actor, type KeyScope, type Principal, type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { type MessageResponse } from '../workspaces/dto/workspace.dto';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { type Page, PageService, TransactionService, searchFilter } from '@platform/database';
import { conflict, limitExceeded } from '@platform/errors';
import {
  type ApiKeyQuery,
  type ApiKeyResponse,
  type CreateApiKeyRequest,
  type NewApiKeyResponse,
  toApiKey,
  toNewApiKey,
} from './dto/api-key.dto';
import { getExpiry } from './key-expiry';
import { getKeyRefusal, getRotationRefusal, getScopesRefusal } from './key-rules';
import { type KeyKind, createKeySecret, rotateSecrets } from './key-secret';
import { ApiKeyRepository, type KeyOwner } from './api-key.repository';
import { type StoredKey } from './schemas/key-record';
import { UsersService } from '../users/users.service';
import { WorkspaceLimitsService } from '../workspaces/workspace-limits.service';

const MINUTE_MS = 60_000;

/** Active keys that one workspace or user may have; revoked and expired ones do not count. */
export const MAX_LIVE_KEYS = 100;

export interface NewKey {
  name: string;
  scopes: readonly KeyScope[];
  expiresAt: Date | null;
  /** Requests per window; null for the default of the installation. */
  rateLimit: number | null;
  createdBy: Actor;
}

/** Keys as their holders manage them: the keys of a workspace, and a user's own platform keys. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly store: ApiKeyRepository,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly pages: PageService,
    private readonly clock: ClockPort,
    private readonly config: Config,
    private readonly users: UsersService,
    private readonly workspaces: WorkspaceLimitsService,
  ) {}

  /**
   * Creates a key with its secret, which is shown only once. It expires no later than the calling key and has the same
   * rate limit.
   * @throws FORBIDDEN when the caller may not manage such keys or lacks one of the scopes, VALIDATION_ERROR for an
   * `expiresAt` that is past or too late, LIMIT_EXCEEDED when the workspace or user has the most keys
   */
  async create(
    workspace: WorkspaceScope,
    principal: Principal,
    input: CreateApiKeyRequest,
  ): Promise<NewApiKeyResponse> {
    const owner = this.#owner(workspace, principal, input.kind ?? 'workspace');
    const scopes = input.scopes ?? principal.scopes;
    refuseIf(getScopesRefusal(principal.scopes, scopes));
    const expiresAt = getExpiry(input.expiresAt, this.clock.now(), principal.expiresAt);
    const { name } = input;
    const { rateLimit } = principal;
    const key = { name, scopes, expiresAt, rateLimit, createdBy: workspace.actor };
    return this.transactions.run(() => this.issue(owner, key, workspace));
  }

  /** Lists keys of one kind (default: workspace), newest first, including revoked ones. @throws FORBIDDEN */
  async list(workspace: WorkspaceScope, principal: Principal, query: ApiKeyQuery): Promise<Page<ApiKeyResponse>> {
    const { kind = 'workspace', search, limit, cursor } = query;
    const owner = this.#owner(workspace, principal, kind);
    const filter = { ...owner.filter, ...searchFilter(search, ['name']) };
    return this.pages.read(owner.keys, { scope: owner.id, filter, page: { limit, cursor } }, toApiKey);
  }

  /** Revokes the key at once. Revoking it again changes nothing. @throws NOT_FOUND, FORBIDDEN */
  async revoke(workspace: WorkspaceScope, principal: Principal, keyId: string): Promise<MessageResponse> {
    return this.transactions.run(async () => {
      const { owner, key } = await this.#find(workspace, principal, keyId);
      const { modifiedCount } = await owner.keys.updateOne(
        { _id: key._id, ...owner.filter, revokedAt: null },
        { $set: { revokedAt: this.clock.now() } },
      );
      if (modifiedCount === 1) await this.audit.record(workspace, { action: 'api_key.revoked', target: toTarget(key) });
      return { message: 'API key revoked' };
    });
  }

  /**
   * Creates a new secret for the key, shown only once. The previous secret remains valid for `overlapMinutes`.
   * @throws NOT_FOUND, FORBIDDEN, CONFLICT for a key that is revoked or expired
   */
  async rotate(
    workspace: WorkspaceScope,
    principal: Principal,
    keyId: string,
    { overlapMinutes = 0 }: { overlapMinutes?: number },
  ): Promise<NewApiKeyResponse> {
    return this.transactions.run(async () => {
      const { owner, key } = await this.#find(workspace, principal, keyId);
      // Otherwise a weaker key could obtain a stronger one.
      refuseIf(getRotationRefusal(principal, key, this.config.rateLimitRequests));
      const now = this.clock.now();
      if (key.revokedAt !== null) throw conflict('A revoked key cannot be rotated; create a new one');
      if (key.expiresAt !== null && key.expiresAt <= now)
        throw conflict('An expired key cannot be rotated; create a new one');
      const fresh = createKeySecret(owner.kind);
      const secrets = rotateSecrets(key.secrets, fresh.stored, now, overlapMinutes * MINUTE_MS);
      await owner.keys.updateOne({ _id: key._id, ...owner.filter }, { $set: { secrets } });
      await this.audit.record(workspace, { action: 'api_key.rotated', target: toTarget(key) });
      return toNewApiKey({ ...key, secrets }, fresh.key);
    });
  }

  /**
   * Issues a key with its secret, which is not stored; audited in that workspace, if there is one.
   * @throws NOT_FOUND for a deleted owner, LIMIT_EXCEEDED
   */
  async issue(owner: KeyOwner, input: NewKey, audited: WorkspaceScope | null): Promise<NewApiKeyResponse> {
    await this.#ensureRoom(owner);
    const { key, stored } = createKeySecret(owner.kind);
    const fields = { ...input, scopes: [...input.scopes], secrets: [stored] };
    const record = await owner.keys.create({ ...owner.filter, ...fields });
    const created = toNewApiKey(record, key);
    if (audited) await this.#record(audited, created);
    return created;
  }

  /** The keys of this kind that the caller manages. @throws FORBIDDEN */
  #owner(workspace: WorkspaceScope, principal: Principal, kind: KeyKind): KeyOwner {
    refuseIf(getKeyRefusal(workspace, principal, kind));
    if (kind === 'user' && principal.userId !== null) return this.store.keysOfUser(principal.userId);
    return this.store.keysOfWorkspace(workspace.workspaceId);
  }

  /** A key of another owner is answered like an unknown one. */
  async #find(
    workspace: WorkspaceScope,
    principal: Principal,
    keyId: string,
  ): Promise<{ owner: KeyOwner; key: StoredKey }> {
    const ofWorkspace = this.store.keysOfWorkspace(workspace.workspaceId);
    const owners = principal.userId === null ? [ofWorkspace] : [ofWorkspace, this.store.keysOfUser(principal.userId)];
    const found = await this.store.find(owners, keyId);
    refuseIf(getKeyRefusal(workspace, principal, found.owner.kind));
    return found;
  }

  /** Of two concurrent creations at the limit one is rerun, because both claim the owner. */
  async #ensureRoom({ kind, id, keys, filter }: KeyOwner): Promise<void> {
    await (kind === 'workspace' ? this.workspaces.claim(id) : this.users.claim(id));
    const isLive = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: this.clock.now() } }] };
    const live = await keys.countDocuments({ ...filter, ...isLive });
    if (live >= MAX_LIVE_KEYS)
      throw limitExceeded(`A ${kind} may have ${MAX_LIVE_KEYS} API keys; revoke one that is no longer needed`);
  }

  async #record(audited: WorkspaceScope, created: NewApiKeyResponse): Promise<void> {
    const changes = getChanges(null, created, ['kind', 'name', 'scopes', 'expiresAt', 'rateLimit']);
    const target = { type: 'api_key', id: created._id } as const;
    await this.audit.record(audited, { action: 'api_key.created', target, changes });
  }
}

function toTarget({ _id }: StoredKey) {
  return { type: 'api_key', id: _id.toHexString() } as const;
}

function refuseIf(refusal: Error | null): void {
  if (refusal) throw refusal;
}
