import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { type KeyKind } from './key-secret';
import { type StoredKey } from './schemas/key-record';
import { UserKeyRecord } from './schemas/user-key.record';
import { WorkspaceKeyRecord } from './schemas/workspace-key.record';

/** The owner of keys: their collection, and the filter of every query for them. */
export interface KeyOwner {
  kind: KeyKind;
  /** Id of the workspace or the user. */
  id: string;
  keys: Model<StoredKey>;
  filter: { workspaceId: Types.ObjectId } | { userId: Types.ObjectId };
}

/** Finds keys of both kinds. Used inside this library only. */
@Injectable()
export class ApiKeyRepository {
  constructor(
    @InjectModel(WorkspaceKeyRecord.name) private readonly workspaceKeys: Model<StoredKey>,
    @InjectModel(UserKeyRecord.name) private readonly userKeys: Model<StoredKey>,
  ) {}

  /** @throws NOT_FOUND for an invalid id */
  keysOfWorkspace(workspaceId: string): KeyOwner {
    const filter = { workspaceId: requireKey(workspaceId, 'Workspace') };
    return { kind: 'workspace', id: workspaceId, keys: this.workspaceKeys, filter };
  }

  /** @throws NOT_FOUND for an invalid id */
  keysOfUser(userId: string): KeyOwner {
    return { kind: 'user', id: userId, keys: this.userKeys, filter: { userId: requireKey(userId, 'User') } };
  }

  /** Finds a key of one of the owners by its id. @throws NOT_FOUND */
  async find(owners: readonly KeyOwner[], keyId: string): Promise<{ owner: KeyOwner; key: StoredKey }> {
    const _id = requireKey(keyId, 'API key');
    for (const owner of owners) {
      const key = await owner.keys.findOne({ _id, ...owner.filter }).lean<StoredKey>();
      if (key) return { owner, key };
    }
    throw notFound('API key');
  }

  /** Finds a key of any owner by its id: for the operator. @throws NOT_FOUND */
  async findAnywhere(keyId: string): Promise<{ owner: KeyOwner; key: StoredKey }> {
    const _id = requireKey(keyId, 'API key');
    const workspaceKey = await this.workspaceKeys
      .findOne({ _id }, null, { allWorkspaces: 'the operator names the key' })
      .lean<StoredKey>();
    const key = workspaceKey ?? (await this.userKeys.findOne({ _id }).lean<StoredKey>());
    if (key?.workspaceId) return { owner: this.keysOfWorkspace(key.workspaceId.toHexString()), key };
    if (key?.userId) return { owner: this.keysOfUser(key.userId.toHexString()), key };
    throw notFound('API key');
  }
}

function requireKey(id: string, thing: string): Types.ObjectId {
  const parsed = parseId(id);
  if (!parsed) throw notFound(thing);
  return parsed;
}
