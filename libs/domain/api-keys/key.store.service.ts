import { type Actor, type KeyScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { type NewApiKeyResponse, toNewApiKey } from './dto/api-key.dto';
import { type KeyKind, newKeySecret } from './key.secret';
import { type StoredKey } from './schemas/key.record';
import { UserKeyRecord } from './schemas/user-key.record';
import { WorkspaceKeyRecord } from './schemas/workspace-key.record';

/** The keys of one owner: where they lie, and the filter that every access to them carries. */
export interface KeyShelf {
  kind: KeyKind;
  keys: Model<StoredKey>;
  owner: { workspaceId: Types.ObjectId } | { userId: Types.ObjectId };
}

export interface NewKey {
  name: string;
  scopes: readonly KeyScope[];
  expiresAt: Date | null;
  createdBy: Actor;
}

/** Finds and adds keys of either kind. Inside this library only. */
@Injectable()
export class KeyStore {
  constructor(
    @InjectModel(WorkspaceKeyRecord.name) private readonly workspaceKeys: Model<StoredKey>,
    @InjectModel(UserKeyRecord.name) private readonly userKeys: Model<StoredKey>,
  ) {}

  shelfOfWorkspace(workspaceId: string): KeyShelf {
    return { kind: 'workspace', keys: this.workspaceKeys, owner: { workspaceId: known(workspaceId, 'Workspace') } };
  }

  shelfOfUser(userId: string): KeyShelf {
    return { kind: 'user', keys: this.userKeys, owner: { userId: known(userId, 'User') } };
  }

  /** The key with this id on one of the shelves. @throws NOT_FOUND */
  async find(shelves: readonly KeyShelf[], keyId: string): Promise<{ shelf: KeyShelf; key: StoredKey }> {
    const _id = known(keyId, 'API key');
    for (const shelf of shelves) {
      const key = await shelf.keys.findOne({ _id, ...shelf.owner }).lean<StoredKey>();
      if (key) return { shelf, key };
    }
    throw notFound('API key');
  }

  /** The key with this id, whoever owns it: for the operator. @throws NOT_FOUND */
  async findAnywhere(keyId: string): Promise<{ shelf: KeyShelf; key: StoredKey }> {
    const _id = known(keyId, 'API key');
    const workspaceKey = await this.workspaceKeys
      .findOne({ _id }, null, { allWorkspaces: 'the operator names the key' })
      .lean<StoredKey>();
    const key = workspaceKey ?? (await this.userKeys.findOne({ _id }).lean<StoredKey>());
    if (key?.workspaceId) return { shelf: this.shelfOfWorkspace(key.workspaceId.toHexString()), key };
    if (key?.userId) return { shelf: this.shelfOfUser(key.userId.toHexString()), key };
    throw notFound('API key');
  }

  /** The new key with its secret, which is not kept. */
  async add(
    { kind, keys, owner }: KeyShelf,
    { name, scopes, expiresAt, createdBy }: NewKey,
  ): Promise<NewApiKeyResponse> {
    const { key, stored } = newKeySecret(kind);
    const record = await keys.create({ ...owner, name, scopes: [...scopes], secrets: [stored], expiresAt, createdBy });
    return toNewApiKey(record, key);
  }
}

function known(id: string, thing: string): Types.ObjectId {
  const parsed = parseId(id);
  if (!parsed) throw notFound(thing);
  return parsed;
}
