import { AppError } from '@platform/errors';
import { openTestDatabase, type TestDatabase } from '../../../testing';
import { Types } from 'mongoose';
import { type User } from './dto/user.dto';
import { UsersModule } from './users.module';
import { UsersService } from './users.service';

const UNKNOWN = '0123456789abcdef01234567';

let database: TestDatabase;
let users: UsersService;

beforeAll(async () => {
  database = await openTestDatabase({ imports: [UsersModule] });
  users = database.module.get(UsersService);
});
afterAll(() => database.close());

async function refusal(attempt: Promise<unknown>): Promise<string> {
  const error: unknown = await attempt.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof AppError ? error.code : String(error);
}

describe('a new user', () => {
  it('is stored with the address in lower case and found in any case', async () => {
    const user = await users.create({ email: ' Ada@Example.COM ', name: ' Ada ' });
    expect(user).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/) as unknown,
      email: 'ada@example.com',
      name: 'Ada',
      operator: false,
      defaultWorkspaceId: null,
      createdAt: expect.any(String) as unknown,
    });
    expect(await users.byEmail('ADA@example.com')).toEqual(user);
    expect(await users.byId(user.id)).toEqual(user);
  });

  it('is found by its address with any spelling of the domain', async () => {
    const user = await users.create({ email: 'ada@bücher.example', name: 'Ada' });
    expect(user.email).toBe('ada@xn--bcher-kva.example');
    expect(await users.byEmail('Ada@BÜCHER.example')).toEqual(user);
    expect(await users.byEmail('nobody')).toBeNull();
  });

  it('is the only one with an address, even with two concurrent creations', async () => {
    const make = () => refusal(users.create({ email: 'twin@example.com', name: 'Twin' }));
    expect((await Promise.all([make(), make(), make()])).sort()).toEqual(['CONFLICT', 'CONFLICT', 'null']);
  });

  it.each([
    ['nobody', 'Name'],
    ['', 'Name'],
    ['a@example.com', ''],
    ['a@example.com', '  '],
    ['a@example.com', 'x'.repeat(201)],
  ])('is refused with the address "%s" and the name "%s"', async (email, name) => {
    expect(await refusal(users.create({ email, name }))).toBe('VALIDATION_ERROR');
  });
});

describe('users', () => {
  let one: User;
  let other: User;

  beforeAll(async () => {
    one = await users.create({ email: 'one@example.com', name: 'One', operator: true });
    other = await users.create({ email: 'other@example.com', name: 'Other' });
  });

  it('are named for lists without unknown ids', async () => {
    const names = await users.namesOf([one.id, other.id, UNKNOWN, 'x']);
    expect(Object.fromEntries(names)).toEqual({
      [one.id]: { name: 'One', email: 'one@example.com' },
      [other.id]: { name: 'Other', email: 'other@example.com' },
    });
  });

  it('are listed for the operator, page by page', async () => {
    const first = await users.list({ limit: 1 });
    expect(first.items).toEqual([other]);
    const second = await users.list({ limit: 1, cursor: first.pagination.nextCursor ?? '' });
    expect(second.items).toEqual([one]);
  });

  it('get, keep and lose a default workspace', async () => {
    const [first, second] = [new Types.ObjectId().toHexString(), new Types.ObjectId().toHexString()];
    const defaults = async () =>
      Promise.all([one, other].map(async ({ id }) => (await users.byId(id))?.defaultWorkspaceId));
    await users.giveDefaultWorkspace([one.id], first);
    await users.giveDefaultWorkspace([one.id, other.id, UNKNOWN, 'x'], second);
    expect(await defaults()).toEqual([first, second]);
    expect(await users.withDefaultWorkspace(first, [one.id, other.id, 'x'])).toEqual([one.id]);
    await users.replaceDefaultWorkspace([one.id, other.id], first, null);
    expect(await defaults()).toEqual([null, second]);
    await users.replaceDefaultWorkspace([one.id, other.id], null, first);
    expect(await defaults()).toEqual([first, second]);
  });

  it('who do not exist are null in lookups and NOT_FOUND in claims', async () => {
    for (const id of [UNKNOWN, 'x']) {
      expect(await users.byId(id)).toBeNull();
      expect(await refusal(users.claim(id))).toBe('NOT_FOUND');
    }
  });
});
