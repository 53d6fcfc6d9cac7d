import { type Actor, type KeyScope, type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { UsersService } from '../users/users.service';
import { WorkspaceLimitsService } from '../workspaces/workspace-limits.service';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { limitExceeded } from '@platform/errors';
import { type NewApiKeyResponse, toNewApiKey } from './dto/api-key.dto';
import { newKeySecret } from './key-secret';
import { type KeyOwner } from './api-key.repository';

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

/** Makes keys of either kind. Joins the running transaction; inside this library only. */
@Injectable()
export class KeyCreationService {
  constructor(
    private readonly users: UsersService,
    private readonly workspaces: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * The new key with its secret, which is not kept; audited in that workspace, if there is one to audit it in.
   * @throws NOT_FOUND for an owner who is gone, LIMIT_EXCEEDED
   */
  async create(owner: KeyOwner, input: NewKey, audited: WorkspaceScope | null): Promise<NewApiKeyResponse> {
    await this.#ensureRoom(owner);
    const { key, stored } = newKeySecret(owner.kind);
    const fields = { ...input, scopes: [...input.scopes], secrets: [stored] };
    const record = await owner.keys.create({ ...owner.filter, ...fields });
    const created = toNewApiKey(record, key);
    if (audited) await this.#record(audited, created);
    return created;
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
