import { expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { seededMailbox } from '../mailboxes/sandbox';
import { dataOf, ID, UNKNOWN_ID } from '../workspaces/people';
import { exchanged, planned, type Side } from './warmups';

describe('GET /v1/warmup/:mailboxId/activity', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let elsewhere: SeededWorkspace;
  let mine: Side & { email: string };
  let colleague: Side & { email: string };
  let stranger: Side & { email: string };

  const mailboxIn = async (workspaceId: string) => {
    const { _id, email } = await seededMailbox(platform, workspaceId);
    return { workspaceId, mailboxId: _id, email };
  };

  beforeAll(async () => {
    platform = await sharedPlatform();
    [workspace, elsewhere] = [await platform.seed.workspace(), await platform.seed.workspace()];
  });
  beforeEach(async () => {
    mine = await mailboxIn(workspace.workspaceId);
    colleague = await mailboxIn(workspace.workspaceId);
    stranger = await mailboxIn(elsewhere.workspaceId);
  });
  afterAll(() => platform.close());

  const get = (query = '', id = mine.mailboxId) =>
    platform.api.as(workspace.key).get(`/v1/warmup/${id}/activity${query}`);

  it('shows each mail and its outcome, newest first, for both sides of the mailbox', async () => {
    const [sentAt, foundAt, rescuedAt, openedAt, answeredAt] = ['08:00', '08:05', '08:06', '09:00', '09:30'].map(
      (time) => new Date(`2026-11-20T${time}:00.000Z`),
    );
    const outcome = { placement: 'spam', receivedAt: foundAt!, rescuedAt: rescuedAt!, openedAt: openedAt! } as const;
    const first = await exchanged(platform, mine, colleague, {
      at: sentAt!,
      sent: { ...outcome, answeredAt: answeredAt! },
    });
    const second = await exchanged(platform, colleague, mine, { at: foundAt!, received: { position: 1 } });
    const moments = { receivedAt: null, rescuedAt: null, openedAt: null, answeredAt: null, reason: null };
    const response = await get().expect(200);
    expect(response.body).toEqual({
      success: true,
      data: [
        {
          _id: second.receivedId,
          direction: 'received',
          status: 'received',
          kind: 'answer',
          threadId: ID,
          counterpart: colleague.email,
          subject: 'Lunch',
          at: '2026-11-20T08:05:00.000Z',
          placement: 'inbox',
          ...moments,
        },
        {
          _id: first.sentId,
          direction: 'sent',
          status: 'sent',
          kind: 'opening',
          threadId: ID,
          counterpart: colleague.email,
          subject: 'Lunch',
          at: '2026-11-20T08:00:00.000Z',
          placement: 'spam',
          receivedAt: '2026-11-20T08:05:00.000Z',
          rescuedAt: '2026-11-20T08:06:00.000Z',
          openedAt: '2026-11-20T09:00:00.000Z',
          answeredAt: '2026-11-20T09:30:00.000Z',
          reason: null,
        },
      ],
      pagination: { limit: 25, total: 2, hasMore: false, nextCursor: null },
    });
  });

  it('shows no data of another workspace', async () => {
    await exchanged(platform, mine, stranger, { at: new Date('2026-11-20T08:00:00Z') });
    const reason = `550 5.1.1 <${stranger.email}>: no such user; RCPT TO:${stranger.email}`;
    const at = new Date('2026-11-20T09:00:00Z');
    await exchanged(platform, mine, stranger, { at, sent: { state: 'failed', reason } });
    await exchanged(platform, stranger, mine, { at: new Date('2026-11-20T10:00:00Z') });
    const response = await get();
    const shown = dataOf<{ counterpart: unknown; reason: unknown }[]>(response);
    expect(shown.map(({ counterpart }) => counterpart)).toEqual([null, null, null]);
    expect(shown[1]!.reason).toBe('550 5.1.1 <…>: no such user; RCPT TO:…');
    expect(response.text).not.toContain(stranger.email);
    expect(response.text).not.toContain(stranger.mailboxId);
    expect(response.text).not.toContain(stranger.workspaceId);
  });

  it('includes failed mails and excludes planned ones', async () => {
    await planned(platform, mine, colleague);
    const at = new Date('2026-11-20T08:00:00Z');
    await exchanged(platform, mine, colleague, { at, sent: { state: 'failed', reason: '550 No such user' } });
    expect(dataOf<object[]>(await get())).toEqual([
      expect.objectContaining({ status: 'failed', reason: '550 No such user', placement: null }),
    ]);
  });

  it('filters by direction, and pages without repeating or omitting mails of the same moment', async () => {
    const at = new Date('2026-11-20T08:00:00Z');
    for (let count = 0; count < 5; count += 1) await exchanged(platform, mine, colleague, { at });
    await exchanged(platform, colleague, mine, { at });
    const seen: string[] = [];
    let query = '?direction=sent&limit=2';
    for (let page = 1; page <= 3; page += 1) {
      const { body } = (await get(query).expect(200)) as {
        body: { data: { _id: string }[]; pagination: { total: number; nextCursor: string | null } };
      };
      expect(body.pagination.total).toBe(5);
      seen.push(...body.data.map(({ _id }) => _id));
      query = `?direction=sent&limit=2&cursor=${body.pagination.nextCursor}`;
    }
    expect(new Set(seen).size).toBe(5);
    expect(dataOf<object[]>(await get('?direction=received'))).toHaveLength(1);
  });

  it('refuses an unknown direction, an invalid limit and another list’s cursor', async () => {
    expectFormB(await get('?direction=up'), 400, 'VALIDATION_ERROR', 'direction');
    expectFormB(await get('?limit=0'), 400, 'VALIDATION_ERROR', 'limit');
    const at = new Date('2026-11-20T08:00:00Z');
    await exchanged(platform, mine, colleague, { at });
    await exchanged(platform, mine, colleague, { at });
    const { body } = (await get('?limit=1')) as { body: { pagination: { nextCursor: string } } };
    const cursor = `?limit=1&cursor=${body.pagination.nextCursor}`;
    expectFormB(await get(cursor, colleague.mailboxId), 400, 'VALIDATION_ERROR', 'cursor');
  });

  it('answers 404 Form B to an unknown id and to another workspace’s', async () => {
    expectFormB(await get('', UNKNOWN_ID), 404, 'NOT_FOUND');
    expectFormB(await get('', stranger.mailboxId), 404, 'NOT_FOUND');
  });
});
