import { MailboxFiguresService } from '@domain/mailboxes';
import { expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf, UNKNOWN_ID } from '../workspaces/people';
import { connected, type Mailbox } from './sandbox';

describe('GET /v1/mailboxes/:mailboxId/analytics', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let mailbox: Mailbox;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
    mailbox = await connected(platform, workspace, { timezone: 'Asia/Kathmandu' });
  });
  afterAll(() => platform.close());

  const get = (query = '', id = mailbox._id) =>
    platform.api.as(workspace.key).get(`/v1/mailboxes/${id}/analytics${query}`);
  const ZERO = { sent: 0, received: 0, opened: 0, clicked: 0, replied: 0, bounced: 0, failed: 0 };

  it('counts each day in the mailbox’s time zone, empty days too, and sums them up', async () => {
    const figures = platform.app.get(MailboxFiguresService, { strict: false });
    const all = { sent: 7, received: 6, opened: 5, clicked: 4, replied: 3, bounced: 2, failed: 1 };
    await figures.count(workspace, mailbox._id, all, new Date('2026-11-01T18:14:59Z'));
    await figures.count(workspace, mailbox._id, { sent: 1 }, new Date('2026-11-02T18:15:00Z'));
    expect(dataOf(await get('?from=2026-11-01&to=2026-11-03').expect(200))).toEqual({
      mailboxId: mailbox._id,
      timezone: 'Asia/Kathmandu',
      from: '2026-11-01',
      to: '2026-11-03',
      totals: { ...all, sent: 8 },
      days: [
        { day: '2026-11-01', ...all },
        { day: '2026-11-02', ...ZERO },
        { day: '2026-11-03', ...ZERO, sent: 1 },
      ],
    });
  });

  it('covers the last thirty days by default', async () => {
    platform.clock.freeze(new Date('2026-11-21T18:15:00Z'));
    expect(dataOf(await get())).toMatchObject({ from: '2026-10-24', to: '2026-11-22' });
    platform.clock.reset();
  });

  it.each([
    ['?from=2026-11-02&to=2026-11-01', 'to'],
    ['?from=2024-01-01&to=2025-01-01', 'to'],
    ['?to=9999-12-31', 'to'],
    ['?from=9999-12-01&to=9999-12-31', 'from', 'to'],
    ['?to=3000-01-01', 'to'],
    ['?from=1969-12-31', 'from'],
    ['?from=yesterday', 'from'],
    ['?from=2026-02-30', 'from'],
    ['?to=2026-11-01T00:00:00Z', 'to'],
    ['?to=', 'to'],
    ['?from=2026-11-01&from=2026-11-02', 'from'],
    ['?day=2026-11-01', 'day'],
  ])('refuses %s', async (query, ...fields) => {
    expectFormB(await get(query), 400, 'VALIDATION_ERROR', ...fields);
  });

  it('accepts the last possible days, and refuses later ones with the reason', async () => {
    const { days } = dataOf<{ days: unknown[] }>(await get('?to=2999-12-31'));
    expect(days).toHaveLength(30);
    expect((await get('?to=9999-12-31')).text).toContain('of the years 1970 to 2999');
  });

  it('accepts a period of 366 days', async () => {
    const { days } = dataOf<{ days: unknown[] }>(await get('?from=2024-01-01&to=2024-12-31'));
    expect(days).toHaveLength(366);
  });

  it('answers 404 Form B to an unknown id', async () => {
    expectFormB(await get('', UNKNOWN_ID), 404, 'NOT_FOUND');
  });
});
