import { type Principal, type WorkspaceScope } from '@domain/access';
import { UsersService } from '../users/users.service';
import { type EntryDecision, WorkspaceRepository } from '../workspaces/workspace.repository';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { firstReadOptions } from '@platform/database';
import { type AppError, forbidden, notFound } from '@platform/errors';
import { LogService } from '@platform/observability';
import { type Model } from 'mongoose';
import { unauthorized } from './api-keys.errors';
import { isUsable, parsePresentedKey } from './key-secret';
import { type StoredKey } from './schemas/key-fields';
import { UserKeyRecord } from './schemas/user-key.record';
import { WorkspaceKeyRecord } from './schemas/workspace-key.record';

/** `lastUsedAt` is exact to this many milliseconds: most requests write nothing. */
const USE_NOTED_EVERY_MS = 60_000;

const NEEDED = {
  secrets: 1,
  scopes: 1,
  rateLimit: 1,
  workspaceId: 1,
  userId: 1,
  lastUsedAt: 1,
  expiresAt: 1,
  revokedAt: 1,
} as const;
const ANY = { allWorkspaces: 'the key says which workspace' };

/** The door: who holds this key, and where may they act. Asked by every request. */
@Injectable()
export class ApiKeyAuthenticationService {
  constructor(
    @InjectModel(WorkspaceKeyRecord.name) private readonly workspaceKeys: Model<StoredKey>,
    @InjectModel(UserKeyRecord.name) private readonly userKeys: Model<StoredKey>,
    private readonly users: UsersService,
    private readonly entry: WorkspaceRepository,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /**
   * The holder of a key.
   * @throws UNAUTHORIZED, with the same words after the same work (one hash, one lookup) for a key that is missing,
   * malformed, unknown, revoked or expired; also for a key of a deleted workspace
   */
  async authenticate(secret: string | undefined): Promise<Principal> {
    const { kind, hash } = parsePresentedKey(secret);
    const keys = kind === 'user' ? this.userKeys : this.workspaceKeys;
    const key = await keys
      .findOne({ 'secrets.hash': hash }, NEEDED, { ...ANY, ...firstReadOptions() })
      .lean<StoredKey>();
    if (!key || !isUsable(key, hash, this.clock.now())) throw unauthorized();
    const principal = kind === 'user' ? await this.#user(key) : await this.#workspace(key);
    await this.#noteUse(keys, key);
    return principal;
  }

  /**
   * The workspace that the holder wants to act in; null is their own. Through the path a workspace that does not exist is
   * NOT_FOUND and one that is not theirs FORBIDDEN; through the header both are FORBIDDEN.
   */
  async enter(principal: Principal, workspaceId: string | null, via: 'path' | 'header'): Promise<WorkspaceScope> {
    const wanted = workspaceId ?? principal.homeWorkspaceId;
    const standing = wanted === null ? null : await this.#membership(principal, wanted);
    if (!standing?.role && workspaceId === null) throw noDefaultWorkspace();
    if (!standing) throw via === 'path' ? notFound('Workspace') : noPermission();
    if (!standing.role) throw noPermission();
    const { keyId, userId, scopes } = principal;
    const kind = principal.kind === 'user' ? 'user' : 'workspace_key';
    return { workspaceId: standing.workspaceId, role: standing.role, scopes, actor: { kind, userId, keyId } };
  }

  /** Any workspace, with an owner's rights, for a platform key of an operator. @throws FORBIDDEN, NOT_FOUND */
  async enterAsOperator(principal: Principal, workspaceId: string | null): Promise<WorkspaceScope> {
    if (!principal.operator) throw forbidden('This needs the permission of an operator');
    const wanted = workspaceId ?? principal.homeWorkspaceId;
    const standing = wanted === null ? null : await this.entry.membership(wanted, null);
    if (!standing) throw wanted === principal.homeWorkspaceId ? noDefaultWorkspace() : notFound('Workspace');
    const { keyId, userId, scopes } = principal;
    return { workspaceId: standing.workspaceId, role: 'owner', scopes, actor: { kind: 'operator', userId, keyId } };
  }

  /** A workspace key is an admin at home and nobody elsewhere; a user is what the workspace says. */
  async #membership(principal: Principal, workspaceId: string): Promise<EntryDecision | null> {
    if (principal.userId !== null) return this.entry.membership(workspaceId, principal.userId);
    const home = principal.homeWorkspaceId;
    // Whoever authenticates a workspace key has just seen the workspace alive.
    if (workspaceId.toLowerCase() === home) return { workspaceId: home, role: 'admin' };
    return this.entry.membership(workspaceId, null);
  }

  async #user(key: StoredKey): Promise<Principal> {
    const user = key.userId && (await this.users.byId(key.userId.toHexString()));
    if (!user) throw unauthorized();
    return {
      keyId: key._id.toHexString(),
      kind: 'user',
      userId: user.id,
      operator: user.operator,
      scopes: key.scopes,
      homeWorkspaceId: user.defaultWorkspaceId,
      expiresAt: key.expiresAt,
      rateLimit: key.rateLimit,
    };
  }

  async #workspace(key: StoredKey): Promise<Principal> {
    const home = key.workspaceId && (await this.entry.membership(key.workspaceId.toHexString(), null));
    if (!home) throw unauthorized();
    return {
      keyId: key._id.toHexString(),
      kind: 'workspace',
      userId: null,
      operator: false,
      scopes: key.scopes,
      homeWorkspaceId: home.workspaceId,
      expiresAt: key.expiresAt,
      rateLimit: key.rateLimit,
    };
  }

  /** Once a minute at most, by one of the requests that race for it; a request never fails because of it. */
  async #noteUse(keys: Model<StoredKey>, { _id, lastUsedAt }: StoredKey): Promise<void> {
    const now = this.clock.now();
    const before = new Date(now.getTime() - USE_NOTED_EVERY_MS);
    if (lastUsedAt !== null && lastUsedAt > before) return;
    try {
      await keys
        .updateOne(
          { _id, $or: [{ lastUsedAt: null }, { lastUsedAt: { $lte: before } }] },
          { $set: { lastUsedAt: now } },
        )
        .setOptions(ANY);
    } catch (error) {
      this.log.error('Use of a key not noted', error, { keyId: _id.toHexString() });
    }
  }
}

/** Also where the default was deleted, or the user taken out of it: what helps is the same. */
function noDefaultWorkspace(): AppError {
  return forbidden('This user has no default workspace that they may enter; name one in X-Workspace-Id');
}

function noPermission(): AppError {
  return forbidden('This key has no permission in this workspace');
}
