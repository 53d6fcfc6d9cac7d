import { getModelToken } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf } from '../workspaces/people';
import { connected, type Mailbox } from './sandbox';

interface Page {
  data: Mailbox[];
  pagination: { limit: number; total: number; hasMore: boolean; nextCursor: string | null };
}

describe('GET /v1/mailboxes', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  /** Oldest first. */
  let mailboxes: Mailbox[];

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
    const other = await platform.seed.workspace();
    await connected(platform, other, { displayName: 'Ada of others', tags: ['Sales'] });
    mailboxes = [
      await connected(platform, workspace, { displayName: 'Ada (100% human)', tags: ['Sales', 'EU'] }),
      await connected(platform, workspace, { displayName: 'Bob.*', tags: ['sales'] }),
      await connected(platform, workspace, { tags: ['Sales'] }),
    ];
    await platform.api.as(workspace.key).post(`/v1/mailboxes/${mailboxes[1]!._id}/pause`).expect(200);
    const records = platform.app.get<Model<Record<string, unknown>>>(getModelToken('MailboxRecord'), { strict: false });
    const third = { workspaceId: workspace.workspaceId, _id: mailboxes[2]!._id };
    await records.updateOne(third, { $set: { provider: 'google', connectionType: 'oauth' } });
  });
  afterAll(() => platform.close());

  const list = async (query = '') => (await platform.api.as(workspace.key).get(`/v1/mailboxes${query}`)).body as Page;
  const found = async (query: string) =>
    (await list(query)).data.map(({ _id }) => mailboxes.findIndex((one) => one._id === _id));

  it('lists the workspace’s mailboxes, newest first, with the fields of a single read', async () => {
    const page = await list();
    expect(page.data.map(({ _id }) => _id)).toEqual(mailboxes.map(({ _id }) => _id).toReversed());
    expect(page.pagination).toEqual({ limit: 25, total: 3, hasMore: false, nextCursor: null });
    for (const item of page.data) {
      expect(dataOf(await platform.api.as(workspace.key).get(`/v1/mailboxes/${item._id}`))).toEqual(item);
    }
    expect(JSON.stringify(page)).not.toMatch(/redentials|v1\.k1/);
  });

  it('pages by cursor', async () => {
    const first = await list('?limit=2');
    expect(first.pagination).toMatchObject({ limit: 2, total: 3, hasMore: true });
    const second = await list(`?limit=2&cursor=${encodeURIComponent(first.pagination.nextCursor!)}`);
    expect([...first.data, ...second.data].map(({ _id }) => _id)).toEqual(mailboxes.map(({ _id }) => _id).toReversed());
    expect(second.pagination).toMatchObject({ hasMore: false, nextCursor: null });
  });

  it.each([
    ['?status=paused', [1]],
    ['?status=active', [2, 0]],
    ['?status=error', []],
    ['?provider=google', [2]],
    ['?provider=custom', [1, 0]],
    ['?tag=Sales', [2, 0]],
    ['?tag=sales', [1]],
    ['?tag=Sal', []],
    ['?tag=Sales&provider=custom', [0]],
    ['?search=ADA', [0]],
    ['?search=100%25', [0]],
    ['?search=.*', [1]],
    ['?search=(', [0]],
    ['?search=', [2, 1, 0]],
    ['?search=%40SENDERS.test', [2, 1, 0]],
    ['?search=Ada&status=paused', []],
  ])('finds exactly the matching mailboxes by %s', async (query, indexes) => {
    expect(await found(query)).toEqual(indexes);
  });

  it.each([
    ['?status=gone', 'status'],
    ['?status=active&status=paused', 'status'],
    ['?provider=smtp', 'provider'],
    ['?provider[$ne]=x', 'provider[$ne]'],
    ['?tag=', 'tag'],
    [`?tag=${'x'.repeat(51)}`, 'tag'],
    [`?search=${'x'.repeat(101)}`, 'search'],
    ['?limit=0', 'limit'],
    ['?cursor=x', 'cursor'],
    ['?email=x', 'email'],
  ])('refuses %s', async (query, field) => {
    const response = await platform.api.as(workspace.key).get(`/v1/mailboxes${query}`);
    expectFormB(response, 400, 'VALIDATION_ERROR', field);
  });
});
