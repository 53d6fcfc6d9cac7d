import { checkedInput } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { isDuplicateKey, type Page, type PageRequest, PageService, parseId } from '@platform/database';
import { conflict, notFound } from '@platform/errors';
import { comparableEmailAddress } from '@platform/validation';
import { type Model, type Types } from 'mongoose';
import { NewUser, toUser, type User } from './dto/user.dto';
import { UserRecord } from './schemas/user.record';

/** Users of the installation. Joins a running transaction. */
@Injectable()
export class UsersService {
  constructor(
    @InjectModel(UserRecord.name) private readonly users: Model<UserRecord>,
    private readonly pages: PageService,
  ) {}

  /**
   * Creates a user whose address the operator vouches for. The address is stored in lower case and the name trimmed;
   * both are checked here too, because the command line bypasses the API.
   * @throws VALIDATION_ERROR, CONFLICT when the address is taken
   */
  async create(input: { email: string; name: string; operator?: boolean }): Promise<User> {
    const { email, name } = checkedInput(NewUser, input);
    try {
      return toUser(await this.users.create({ email, name, emailProven: true, operator: input.operator ?? false }));
    } catch (error) {
      if (isDuplicateKey(error, 'email')) throw conflict('A user with this email address already exists');
      throw error;
    }
  }

  /**
   * Creates a user who only claims the address. Other users may claim it too; the user who proves it is another record.
   */
  async createClaiming(input: { email: string; name: string }): Promise<User> {
    const { email, name } = checkedInput(NewUser, input);
    return toUser(await this.users.create({ email, name, emailProven: false }));
  }

  async byId(userId: string): Promise<User | null> {
    const _id = parseId(userId);
    const record = _id && (await this.users.findById(_id).lean());
    return record ? toUser(record) : null;
  }

  /** Finds the user with this proven address, regardless of its spelling. */
  async byEmail(email: string): Promise<User | null> {
    const record = await this.users.findOne({ email: comparableEmailAddress(email), emailProven: true }).lean();
    return record ? toUser(record) : null;
  }

  /** Name and address by user id, for lists of members. Unknown ids are omitted. */
  async namesOf(userIds: readonly string[]): Promise<Map<string, { name: string; email: string }>> {
    const found = await this.users.find({ _id: { $in: toIds(userIds) } }, { name: 1, email: 1 }).lean();
    return new Map(found.map(({ _id, name, email }) => [_id.toHexString(), { name, email }]));
  }

  /** All users, newest first, for the operator. */
  async list(page: PageRequest): Promise<Page<User>> {
    return this.pages.read(this.users, { scope: 'operator', filter: {}, page }, toUser);
  }

  /** Of the given users, those whose default workspace is this one. */
  async withDefaultWorkspace(workspaceId: string, userIds: readonly string[]): Promise<string[]> {
    const defaultWorkspaceId = requireUser(workspaceId, 'Workspace');
    const found = await this.users.find({ _id: { $in: toIds(userIds) }, defaultWorkspaceId }, { _id: 1 }).lean();
    return found.map(({ _id }) => _id.toHexString());
  }

  /** Gives those of the users whose default workspace is `from` (null: none) the default `to` (null: none). */
  async replaceDefaultWorkspace(userIds: readonly string[], from: string | null, to: string | null): Promise<void> {
    await this.users.updateMany(
      { _id: { $in: toIds(userIds) }, defaultWorkspaceId: from === null ? null : requireUser(from, 'Workspace') },
      { $set: { defaultWorkspaceId: to === null ? null : requireUser(to, 'Workspace') } },
    );
  }

  /**
   * Gives this default workspace to those of the users who have none. All of them are claimed: a concurrent transaction
   * that removes a default conflicts with this one, so one of the two sees the other.
   */
  async giveDefaultWorkspace(userIds: readonly string[], workspaceId: string): Promise<void> {
    const defaultWorkspaceId = { $ifNull: ['$defaultWorkspaceId', requireUser(workspaceId, 'Workspace')] };
    await this.users.updateMany(
      { _id: { $in: toIds(userIds) } },
      [{ $set: { defaultWorkspaceId, revision: { $add: ['$revision', 1] } } }],
      { updatePipeline: true },
    );
  }

  /**
   * Finds the user and claims it for the running transaction: a concurrent transaction that claims the same user
   * conflicts and is rerun, so that counts per user are correct.
   * @throws NOT_FOUND
   */
  async claim(userId: string): Promise<User> {
    const record = await this.users
      .findOneAndUpdate({ _id: requireUser(userId) }, { $inc: { revision: 1 } }, { returnDocument: 'after' })
      .lean();
    if (!record) throw notFound('User');
    return toUser(record);
  }
}

function toIds(userIds: readonly string[]): Types.ObjectId[] {
  return userIds.map(parseId).filter((id) => id !== null);
}

function requireUser(id: string, thing = 'User'): Types.ObjectId {
  const parsed = parseId(id);
  if (!parsed) throw notFound(thing);
  return parsed;
}
