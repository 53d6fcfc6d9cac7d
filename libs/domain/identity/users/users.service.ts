import { checkedInput } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { isDuplicateKey, type Page, type PageRequest, PageService, parseId } from '@platform/database';
import { conflict, notFound } from '@platform/errors';
import { comparableEmailAddress } from '@platform/validation';
import { type Model, type Types } from 'mongoose';
import { NewUser, toUser, type User } from './dto/user.dto';
import { UserRecord } from './schemas/user.record';

/** People of the installation. Joins a transaction that is running. */
@Injectable()
export class UsersService {
  constructor(
    @InjectModel(UserRecord.name) private readonly users: Model<UserRecord>,
    private readonly pages: PageService,
  ) {}

  /**
   * A user whose address the operator vouches for. It is kept in lower case, the name trimmed; both are checked here
   * too, for the sake of the command line.
   * @throws VALIDATION_ERROR, CONFLICT when the address is taken
   */
  async create(input: { email: string; name: string; operator?: boolean }): Promise<User> {
    const { email, name } = checkedInput(NewUser, input);
    try {
      return toUser(await this.users.create({ email, name, emailProven: true, operator: input.operator ?? false }));
    } catch (error) {
      if (isDuplicateKey(error, 'email')) throw conflict('A user with this e-mail address exists already');
      throw error;
    }
  }

  /** A user who only claims the address. Others may claim it too, and whoever proves it is another user. */
  async createClaiming(input: { email: string; name: string }): Promise<User> {
    const { email, name } = checkedInput(NewUser, input);
    return toUser(await this.users.create({ email, name, emailProven: false }));
  }

  async byId(userId: string): Promise<User | null> {
    const _id = parseId(userId);
    const record = _id && (await this.users.findById(_id).lean());
    return record ? toUser(record) : null;
  }

  /** The user whose proven address it is, however it is written. */
  async byEmail(email: string): Promise<User | null> {
    const record = await this.users.findOne({ email: comparableEmailAddress(email), emailProven: true }).lean();
    return record ? toUser(record) : null;
  }

  /** Name and address by user id, for lists of members. Unknown ids are left out. */
  async namesOf(userIds: readonly string[]): Promise<Map<string, { name: string; email: string }>> {
    const found = await this.users.find({ _id: { $in: idsOf(userIds) } }, { name: 1, email: 1 }).lean();
    return new Map(found.map(({ _id, name, email }) => [_id.toHexString(), { name, email }]));
  }

  /** All users, newest first, for the operator. */
  async list(page: PageRequest): Promise<Page<User>> {
    return this.pages.read(this.users, { scope: 'operator', filter: {}, page }, toUser);
  }

  /** Those of the given users whose default workspace, where their platform keys act unless told otherwise, is this one. */
  async withDefaultWorkspace(workspaceId: string, userIds: readonly string[]): Promise<string[]> {
    const defaultWorkspaceId = known(workspaceId, 'Workspace');
    const found = await this.users.find({ _id: { $in: idsOf(userIds) }, defaultWorkspaceId }, { _id: 1 }).lean();
    return found.map(({ _id }) => _id.toHexString());
  }

  /** Those of the given users whose default workspace is `from` (null: who have none) get `to` instead; null is none. */
  async replaceDefaultWorkspace(userIds: readonly string[], from: string | null, to: string | null): Promise<void> {
    await this.users.updateMany(
      { _id: { $in: idsOf(userIds) }, defaultWorkspaceId: from === null ? null : known(from, 'Workspace') },
      { $set: { defaultWorkspaceId: to === null ? null : known(to, 'Workspace') } },
    );
  }

  /**
   * Those of the given users who have no default workspace get this one. All of them are claimed: one who is losing
   * theirs at the same time is seen without it, here or there.
   */
  async giveDefaultWorkspace(userIds: readonly string[], workspaceId: string): Promise<void> {
    const defaultWorkspaceId = { $ifNull: ['$defaultWorkspaceId', known(workspaceId, 'Workspace')] };
    await this.users.updateMany(
      { _id: { $in: idsOf(userIds) } },
      [{ $set: { defaultWorkspaceId, revision: { $add: ['$revision', 1] } } }],
      { updatePipeline: true },
    );
  }

  /**
   * The user, claimed for the running transaction: another transaction that claims the same user conflicts and is run
   * again, so that what is counted per user is counted one after the other.
   * @throws NOT_FOUND
   */
  async claim(userId: string): Promise<User> {
    const record = await this.users
      .findOneAndUpdate({ _id: known(userId) }, { $inc: { revision: 1 } }, { returnDocument: 'after' })
      .lean();
    if (!record) throw notFound('User');
    return toUser(record);
  }
}

function idsOf(userIds: readonly string[]): Types.ObjectId[] {
  return userIds.map(parseId).filter((id) => id !== null);
}

function known(id: string, thing = 'User'): Types.ObjectId {
  const parsed = parseId(id);
  if (!parsed) throw notFound(thing);
  return parsed;
}
