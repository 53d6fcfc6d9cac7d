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
import { type StoredKey } from './schemas/key-record';
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
const ANY = { allWorkspaces: 'the key identifies the workspace' };

/** Authenticates each request: finds the holder of the key and the workspace in which it may act. */
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
   * Finds the holder of a key.
   * @throws UNAUTHORIZED, with the same text after the same work (one hash, one query) for a key that is missing,
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
    await this.#saveLastUse(keys, key);
    return principal;
  }

  /**
   * Resolves the workspace of the request; null is the holder's own. A workspace named in the path is NOT_FOUND if it
   * does not exist and FORBIDDEN if it is another's; a workspace named in the header is FORBIDDEN in both cases.
   */
  async enter(principal: Principal, workspaceId: string | null, via: 'path' | 'header'): Promise<WorkspaceScope> {
    const requestedId = workspaceId ?? principal.homeWorkspaceId;
    const membership = requestedId === null ? null : await this.#membership(principal, requestedId);
    if (!membership?.role && workspaceId === null) throw noDefaultWorkspace();
    if (!membership) throw via === 'path' ? notFound('Workspace') : noPermission();
    if (!membership.role) throw noPermission();
    const { keyId, userId, scopes } = principal;
    const kind = principal.kind === 'user' ? 'user' : 'workspace_key';
    return { workspaceId: membership.workspaceId, role: membership.role, scopes, actor: { kind, userId, keyId } };
  }

  /**
   * Any workspace, with the permissions of an owner, for a platform key of an operator.
   * @throws FORBIDDEN, NOT_FOUND
   */
  async enterAsOperator(principal: Principal, workspaceId: string | null): Promise<WorkspaceScope> {
    if (!principal.operator) throw forbidden('This requires the permission of an operator');
    const requestedId = workspaceId ?? principal.homeWorkspaceId;
    const membership = requestedId === null ? null : await this.entry.membership(requestedId, null);
    if (!membership) throw requestedId === principal.homeWorkspaceId ? noDefaultWorkspace() : notFound('Workspace');
    const { keyId, userId, scopes } = principal;
    return { workspaceId: membership.workspaceId, role: 'owner', scopes, actor: { kind: 'operator', userId, keyId } };
  }

  /** A workspace key is an admin in its own workspace only; a user has the role that the workspace stores. */
  async #membership(principal: Principal, workspaceId: string): Promise<EntryDecision | null> {
    if (principal.userId !== null) return this.entry.membership(workspaceId, principal.userId);
    const home = principal.homeWorkspaceId;
    // The authentication of a workspace key has just checked that the workspace is alive.
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

  /** Written at most once a minute, by one of the concurrent requests; a request never fails because of it. */
  async #saveLastUse(keys: Model<StoredKey>, { _id, lastUsedAt }: StoredKey): Promise<void> {
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
      this.log.error('The last use of a key was not saved', error, { keyId: _id.toHexString() });
    }
  }
}

/** Also when the default workspace was deleted or the user was removed from it: the remedy is the same. */
function noDefaultWorkspace(): AppError {
  return forbidden('This user has no accessible default workspace; name one in X-Workspace-Id');
}

function noPermission(): AppError {
  return forbidden('This key has no permission in this workspace');
}
