import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { isDuplicateKey, type Page, type PageRequest, Pages, parseId } from '@platform/database';
import { conflict, invalidField, notFound } from '@platform/errors';
import { isEmail } from 'class-validator';
import { type Model, type Types } from 'mongoose';
import { toUser, type User } from './dto/user.dto';
import { UserRecord } from './schemas/user.record';

const MAX_NAME = 200;

/** People of the installation. Joins a transaction that is running. */
@Injectable()
export class UsersService {
  constructor(
    @InjectModel(UserRecord.name) private readonly users: Model<UserRecord>,
    private readonly pages: Pages,
  ) {}

  /**
   * The address is kept in lower case, the name trimmed. Both are checked here too, for the sake of the command line.
   * @throws VALIDATION_ERROR, CONFLICT when the address is taken
   */
  async create(input: { email: string; name: string; operator?: boolean }): Promise<User> {
    const [email, name] = [addressOf(input.email), input.name.trim()];
    if (!isEmail(email)) throw invalidField('email', 'email must be an e-mail address');
    if (name === '' || name.length > MAX_NAME)
      throw invalidField('name', `name must be a text of 1 to ${MAX_NAME} characters`);
    try {
      return toUser(await this.users.create({ email, name, operator: input.operator ?? false }));
    } catch (error) {
      if (isDuplicateKey(error, 'email')) throw conflict('A user with this e-mail address exists already');
      throw error;
    }
  }

  async byId(userId: string): Promise<User | null> {
    const _id = parseId(userId);
    const record = _id && (await this.users.findById(_id).lean());
    return record ? toUser(record) : null;
  }

  async byEmail(email: string): Promise<User | null> {
    const record = await this.users.findOne({ email: addressOf(email) }).lean();
    return record ? toUser(record) : null;
  }

  /** Name and address by user id, for lists of members. Unknown ids are left out. */
  async namesOf(userIds: readonly string[]): Promise<Map<string, { name: string; email: string }>> {
    const _ids = userIds.map(parseId).filter((id) => id !== null);
    const found = await this.users.find({ _id: { $in: _ids } }, { name: 1, email: 1 }).lean();
    return new Map(found.map(({ _id, name, email }) => [_id.toHexString(), { name, email }]));
  }

  /** All users, newest first, for the operator. */
  async list(page: PageRequest): Promise<Page<User>> {
    return this.pages.read(this.users, { scope: 'operator', filter: {}, page }, toUser);
  }

  /** Where the user's platform keys act when a request names no workspace; null for nowhere. @throws NOT_FOUND */
  async setDefaultWorkspace(userId: string, workspaceId: string | null): Promise<void> {
    const { matchedCount } = await this.users.updateOne(
      { _id: known(userId) },
      { $set: { defaultWorkspaceId: workspaceId === null ? null : known(workspaceId, 'Workspace') } },
    );
    if (matchedCount === 0) throw notFound('User');
  }

  /** Those of the given users whose default workspace is this one (null: who have none). */
  async withDefaultWorkspace(workspaceId: string | null, userIds: readonly string[]): Promise<string[]> {
    const defaultWorkspaceId = workspaceId === null ? null : known(workspaceId, 'Workspace');
    const _ids = userIds.map(parseId).filter((id) => id !== null);
    const found = await this.users.find({ defaultWorkspaceId, _id: { $in: _ids } }, { _id: 1 }).lean();
    return found.map(({ _id }) => _id.toHexString());
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

function addressOf(email: string): string {
  return email.trim().toLowerCase();
}

function known(id: string, thing = 'User'): Types.ObjectId {
  const parsed = parseId(id);
  if (!parsed) throw notFound(thing);
  return parsed;
}
