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
import { keyRefusal, rotationRefusal, scopesRefusal } from './key-rules';
import { type KeyKind, newKeySecret, rotated } from './key-secret';
import { ApiKeyRepository, type KeyOwner } from './api-key.repository';
import { type StoredKey } from './schemas/key-fields';
import { UsersService } from '../users/users.service';
import { WorkspaceLimitsService } from '../workspaces/workspace-limits.service';

const MINUTE_MS = 60_000;

/** Keys that one workspace, or one user, may have at a time; revoked and expired ones do not count. */
export const MAX_LIVE_KEYS = 100;

export interface NewKey {
  name: string;
  scopes: readonly KeyScope[];
  expiresAt: Date | null;
  /** Requests per window; null for the installation's default. */
  rateLimit: number | null;
  createdBy: Actor;
}

/** Keys as their holders manage them: those of a workspace, and a user's own platform keys. */
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
   * A new key with its secret, which is shown this once. It ends no later than the key that asks and has its rate limit.
   * @throws FORBIDDEN when the caller may not manage such keys or lacks one of the scopes, VALIDATION_ERROR for an
   * `expiresAt` that is past or later than that, LIMIT_EXCEEDED for one too many of the workspace or user
   */
  async create(
    workspace: WorkspaceScope,
    principal: Principal,
    input: CreateApiKeyRequest,
  ): Promise<NewApiKeyResponse> {
    const owner = this.#owner(workspace, principal, input.kind ?? 'workspace');
    const scopes = input.scopes ?? principal.scopes;
    refuseIf(scopesRefusal(principal.scopes, scopes));
    const expiresAt = getExpiry(input.expiresAt, this.clock.now(), principal.expiresAt);
    const { name } = input;
    const { rateLimit } = principal;
    const key = { name, scopes, expiresAt, rateLimit, createdBy: workspace.actor };
    return this.transactions.run(() => this.issue(owner, key, workspace));
  }

  /** Keys of one kind (workspace unless said otherwise), newest first, revoked ones included. @throws FORBIDDEN */
  async list(workspace: WorkspaceScope, principal: Principal, query: ApiKeyQuery): Promise<Page<ApiKeyResponse>> {
    const { kind = 'workspace', search, limit, cursor } = query;
    const owner = this.#owner(workspace, principal, kind);
    const filter = { ...owner.filter, ...searchFilter(search, ['name']) };
    return this.pages.read(owner.keys, { scope: owner.id, filter, page: { limit, cursor } }, toApiKey);
  }

  /** The key opens nothing from now on. Revoking it again changes nothing. @throws NOT_FOUND, FORBIDDEN */
  async revoke(workspace: WorkspaceScope, principal: Principal, keyId: string): Promise<MessageResponse> {
    return this.transactions.run(async () => {
      const { owner, key } = await this.#find(workspace, principal, keyId);
      const { modifiedCount } = await owner.keys.updateOne(
        { _id: key._id, ...owner.filter, revokedAt: null },
        { $set: { revokedAt: this.clock.now() } },
      );
      if (modifiedCount === 1) await this.audit.record(workspace, { action: 'api_key.revoked', target: targetOf(key) });
      return { message: 'API key revoked' };
    });
  }

  /**
   * A new secret for the key, shown this once. The one of before works for `overlapMinutes` longer.
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
      // Otherwise a weaker key could get hold of a stronger one.
      refuseIf(rotationRefusal(principal, key, this.config.rateLimitRequests));
      const now = this.clock.now();
      if (key.revokedAt !== null) throw conflict('A revoked key cannot be rotated; create a new one');
      if (key.expiresAt !== null && key.expiresAt <= now)
        throw conflict('An expired key cannot be rotated; create a new one');
      const fresh = newKeySecret(owner.kind);
      const secrets = rotated(key.secrets, fresh.stored, now, overlapMinutes * MINUTE_MS);
      await owner.keys.updateOne({ _id: key._id, ...owner.filter }, { $set: { secrets } });
      await this.audit.record(workspace, { action: 'api_key.rotated', target: targetOf(key) });
      return toNewApiKey({ ...key, secrets }, fresh.key);
    });
  }

  /**
   * The new key with its secret, which is not kept; audited in that workspace, if there is one to audit it in.
   * @throws NOT_FOUND for an owner who is gone, LIMIT_EXCEEDED
   */
  async issue(owner: KeyOwner, input: NewKey, audited: WorkspaceScope | null): Promise<NewApiKeyResponse> {
    await this.#ensureRoom(owner);
    const { key, stored } = newKeySecret(owner.kind);
    const fields = { ...input, scopes: [...input.scopes], secrets: [stored] };
    const record = await owner.keys.create({ ...owner.filter, ...fields });
    const created = toNewApiKey(record, key);
    if (audited) await this.#record(audited, created);
    return created;
  }

  /** The keys of that kind which the caller manages. @throws FORBIDDEN */
  #owner(workspace: WorkspaceScope, principal: Principal, kind: KeyKind): KeyOwner {
    refuseIf(keyRefusal(workspace, principal, kind));
    if (kind === 'user' && principal.userId !== null) return this.store.keysOfUser(principal.userId);
    return this.store.keysOfWorkspace(workspace.workspaceId);
  }

  /** Somebody else's key is an unknown one. */
  async #find(
    workspace: WorkspaceScope,
    principal: Principal,
    keyId: string,
  ): Promise<{ owner: KeyOwner; key: StoredKey }> {
    const ofWorkspace = this.store.keysOfWorkspace(workspace.workspaceId);
    const owners = principal.userId === null ? [ofWorkspace] : [ofWorkspace, this.store.keysOfUser(principal.userId)];
    const found = await this.store.find(owners, keyId);
    refuseIf(keyRefusal(workspace, principal, found.owner.kind));
    return found;
  }

  /** Of two that want the last place one is run again, because both claim the owner. */
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

function targetOf({ _id }: StoredKey) {
  return { type: 'api_key', id: _id.toHexString() } as const;
}

function refuseIf(refusal: Error | null): void {
  if (refusal) throw refusal;
}
