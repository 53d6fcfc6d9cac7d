import { WarmupProgressService } from '@domain/warmup';
import { Types } from 'mongoose';
import { expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { seededMailbox } from '../mailboxes/sandbox';
import { dataOf, ISO, UNKNOWN_ID } from '../workspaces/people';
import { warmupModel } from './warmups';

const ZERO = {
  attempted: 0,
  sent: 0,
  openings: 0,
  inbox: 0,
  promotions: 0,
  spam: 0,
  opened: 0,
  repliesReceived: 0,
  bounced: 0,
  blocked: 0,
  deferred: 0,
  received: 0,
  rescued: 0,
};

describe('the results of a warmup', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let mailboxId: string;

  beforeAll(async () => {
    platform = await sharedPlatform();
  });
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
    mailboxId = (await seededMailbox(platform, workspace.workspaceId))._id;
  });
  afterEach(() => platform.clock.reset());
  afterAll(() => platform.close());

  const api = () => platform.api.as(workspace.key);
  const get = (query = '', id = mailboxId) => api().get(`/v1/warmup/${id}/analytics${query}`);

  async function happened(day: string, figures: Partial<typeof ZERO>): Promise<void> {
    const mailbox = {
      workspaceId: new Types.ObjectId(workspace.workspaceId),
      mailboxId: new Types.ObjectId(mailboxId),
    };
    await warmupModel(platform, 'WarmupDayRecord').insertMany([{ ...mailbox, day, ...figures }]);
  }

  it('are counted for each day, empty days too, and summed up', async () => {
    await happened('2026-11-01', { attempted: 9, sent: 8, openings: 6, inbox: 5, spam: 2, promotions: 1 });
    await happened('2026-11-03', { sent: 2, repliesReceived: 4, received: 3, rescued: 1, opened: 7 });
    const first = { ...ZERO, attempted: 9, sent: 8, openings: 6, inbox: 5, spam: 2, promotions: 1 };
    expect(dataOf(await get('?from=2026-11-01&to=2026-11-03').expect(200))).toEqual({
      mailboxId,
      timezone: 'UTC',
      from: '2026-11-01',
      to: '2026-11-03',
      totals: { ...first, sent: 10, repliesReceived: 4, received: 3, rescued: 1, opened: 7 },
      days: [
        { day: '2026-11-01', ...first },
        { day: '2026-11-02', ...ZERO },
        { day: '2026-11-03', ...ZERO, sent: 2, repliesReceived: 4, received: 3, rescued: 1, opened: 7 },
      ],
    });
  });

  it('cover the last thirty days in the warmup’s time zone by default', async () => {
    await api().patch(`/v1/warmup/config/${mailboxId}`).send({ timezone: 'Asia/Kathmandu' }).expect(200);
    platform.clock.freeze(new Date('2026-11-21T18:15:00Z'));
    expect(dataOf(await get())).toMatchObject({ timezone: 'Asia/Kathmandu', from: '2026-10-24', to: '2026-11-22' });
  });

  it.each([
    ['?from=2026-11-02&to=2026-11-01', 'to'],
    ['?from=2024-01-01&to=2025-01-01', 'to'],
    ['?from=yesterday', 'from'],
    ['?day=2026-11-01', 'day'],
  ])('refuses %s', async (query, ...fields) => {
    expectFormB(await get(query), 400, 'VALIDATION_ERROR', ...fields);
  });

  it('answer 404 Form B for an unknown id, as its settings do', async () => {
    expectFormB(await get('', UNKNOWN_ID), 404, 'NOT_FOUND');
    expectFormB(await api().get(`/v1/warmup/${UNKNOWN_ID}/settings`), 404, 'NOT_FOUND');
  });

  it('are shown by the mailbox and by its health after the end of a day', async () => {
    platform.clock.freeze(new Date('2026-11-20T09:00:00Z'));
    await api().post(`/v1/warmup/${mailboxId}/start`).expect(200);
    await happened('2026-11-20', {
      attempted: 10,
      sent: 10,
      inbox: 6,
      promotions: 2,
      spam: 2,
      repliesReceived: 4,
      opened: 8,
    });
    platform.clock.freeze(new Date('2026-11-21T00:01:00Z'));
    await platform.app.get(WarmupProgressService, { strict: false }).closeDays(workspace.workspaceId, mailboxId);
    const metrics = {
      totalEmailsSent: 10,
      totalRepliesReceived: 4,
      inboxRate: 0.6,
      promotionsRate: 0.2,
      spamRate: 0.2,
      replyRate: 0.4,
      openRate: 0.8,
      bounceRate: 0,
      blockRate: 0,
      deferralRate: 0,
      lastCalculatedAt: ISO,
    };
    const shown = { enabled: true, status: 'in_progress', currentDay: 2, currentVolume: 10 };
    const { warmup } = dataOf<{ warmup: object }>(await api().get(`/v1/mailboxes/${mailboxId}`));
    expect(warmup).toMatchObject({ ...shown, metrics });
  });
});
