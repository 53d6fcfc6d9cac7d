import { type WorkspaceLimits } from '@domain/identity';
import { getModelToken } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { expectFormA, expectFormB, inEachRow, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { seededMailbox } from '../mailboxes/sandbox';
import { auditedActions, dataOf, ID, ISO, newMember, UNKNOWN_ID } from '../workspaces/people';
import { type Campaign, newCampaign, SEQUENCE } from './campaigns';

const FRESH = {
  _id: ID,
  name: 'Autumn',
  userId: ID,
  workspaceId: ID,
  status: 'draft',
  mailboxes: [],
  mailboxRotation: 'round-robin',
  sequence: [],
  sendingSchedule: { timezone: 'UTC', startTime: '09:00', endTime: '17:00', workingDays: [1, 2, 3, 4, 5] },
  trackOpens: false,
  trackClicks: false,
  stopOnReply: true,
  includeUnsubscribeLink: true,
  emailIntervalMinutes: 10,
  stats: { sent: 0, delivered: 0, opened: 0, clicked: 0, replied: 0, bounced: 0, unsubscribed: 0 },
  leadCounts: { total: 0, active: 0 },
  startedAt: null,
  completedAt: null,
  createdAt: ISO,
  updatedAt: ISO,
};

describe('POST /v1/campaigns', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const post = (body: object, key = workspace.key) => platform.api.as(key).post('/v1/campaigns').send(body);
  const total = async () =>
    (
      (await platform.api.as(workspace.key).get('/v1/campaigns')).body as {
        pagination: { total: number };
      }
    ).pagination.total;
  const settings = async (id: string) =>
    dataOf(await platform.api.as(workspace.key).get(`/v1/campaigns/${id}/settings`));

  it('creates a draft with default settings from a name alone', async () => {
    const response = await post({ name: 'Autumn' });
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 201,
      body: { success: true, data: { ...FRESH, userId: workspace.owner.userId } },
    });
    expect(await settings(dataOf<Campaign>(response)._id)).toEqual({
      campaignId: ID,
      useLeadTimezone: false,
      stopCompanyOnReply: false,
      dailyLimit: null,
      newLeadsPerDay: null,
      domainDailyLimit: null,
      followUpsFirst: true,
      verification: {
        mode: 'off',
        invalid: 'hold',
        risky: 'hold',
        catchAll: 'send',
        unknown: 'send',
        noCredits: 'hold',
      },
      sequenceVersion: 0,
      problem: null,
    });
    expect(await auditedActions(platform, workspace)).toContain('campaign.created');
  });

  it('stores every setting, mailboxes and a sequence', async () => {
    const [one, two] = [
      await seededMailbox(platform, workspace.workspaceId),
      await seededMailbox(platform, workspace.workspaceId),
    ];
    const shown = {
      name: 'Winter',
      mailboxes: [two._id, one._id],
      mailboxRotation: 'round-robin',
      trackOpens: true,
      trackClicks: true,
      stopOnReply: false,
      includeUnsubscribeLink: false,
      emailIntervalMinutes: 0,
    };
    const further = {
      useLeadTimezone: true,
      stopCompanyOnReply: true,
      dailyLimit: 50,
      newLeadsPerDay: 0,
      domainDailyLimit: 3,
      followUpsFirst: false,
      verification: {
        mode: 'on',
        invalid: 'remove',
        risky: 'send',
        catchAll: 'hold',
        unknown: 'hold',
        noCredits: 'send',
      },
    };
    const sendingSchedule = { timezone: 'asia/kolkata', startTime: '22:00', endTime: '02:30', workingDays: [7, 1] };
    const { owner, workspaceId } = workspace;
    const asOwner = platform.api.as(owner.key).in(workspaceId);
    const body = { ...shown, ...further, sendingSchedule, sequence: SEQUENCE };
    const created = dataOf<Campaign>(await asOwner.post('/v1/campaigns').send(body));
    expect(created).toEqual({
      ...FRESH,
      ...shown,
      userId: owner.userId,
      sendingSchedule: { timezone: 'Asia/Kolkata', startTime: '22:00', endTime: '02:30', workingDays: [1, 7] },
      sequence: [
        { type: 'email', name: 'Step 1', order: 0, subject: 'Hello {{firstName}}', body: '<p>First</p>' },
        { type: 'email', name: 'Step 2', order: 1, subject: '', body: '<p>Second</p>' },
      ],
    });
    expect(await settings(created._id)).toMatchObject({ ...further, sequenceVersion: 1 });
  });

  it('refuses invalid input with VALIDATION_ERROR, names the field and creates nothing', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{}, 'name'],
      [{ name: ' ' }, 'name'],
      [{ name: 'a\nb' }, 'name'],
      [{ sendingSchedule: { startTime: '9:00' } }, 'sendingSchedule.startTime'],
      [{ sendingSchedule: { endTime: '24:00' } }, 'sendingSchedule.endTime'],
      [{ sendingSchedule: { startTime: '09:60' } }, 'sendingSchedule.startTime'],
      [{ sendingSchedule: { startTime: '12:00', endTime: '12:00' } }, 'sendingSchedule.endTime'],
      [{ sendingSchedule: { startTime: '17:00' } }, 'sendingSchedule.endTime'],
      [{ sendingSchedule: { workingDays: [] } }, 'sendingSchedule.workingDays'],
      [{ sendingSchedule: { workingDays: [0] } }, 'sendingSchedule.workingDays'],
      [{ sendingSchedule: { workingDays: [8] } }, 'sendingSchedule.workingDays'],
      [{ sendingSchedule: { workingDays: [1, 1] } }, 'sendingSchedule.workingDays'],
      [{ sendingSchedule: { workingDays: ['1'] } }, 'sendingSchedule.workingDays'],
      [{ sendingSchedule: { timezone: 'Mars/Olympus' } }, 'sendingSchedule.timezone'],
      [{ sendingSchedule: { timezone: '+01:00' } }, 'sendingSchedule.timezone'],
      [{ sendingSchedule: { zone: 'UTC' } }, 'sendingSchedule.zone'],
      [{ sendingSchedule: null }, 'sendingSchedule'],
      [{ emailIntervalMinutes: -1 }, 'emailIntervalMinutes'],
      [{ emailIntervalMinutes: 1441 }, 'emailIntervalMinutes'],
      [{ dailyLimit: 0 }, 'dailyLimit'],
      [{ trackOpens: null }, 'trackOpens'],
      [{ mailboxRotation: 'random' }, 'mailboxRotation'],
      [{ mailboxes: ['x'] }, 'mailboxes.0'],
      [{ mailboxes: [UNKNOWN_ID] }, 'mailboxes.0'],
      [{ mailboxes: UNKNOWN_ID }, 'mailboxes'],
      [{ mailboxes: [5] }, 'mailboxes'],
      [{ status: 'active' }, 'status'],
      [{ startedAt: null }, 'startedAt'],
      [{ revision: 1 }, 'revision'],
      [{ sequenceVersion: 1 }, 'sequenceVersion'],
      [{ problem: null }, 'problem'],
      [{ deletedAt: null }, 'deletedAt'],
    ];
    const before = await total();
    await inEachRow(cases, async ([body, field]) => {
      const named = field === 'name' ? body : { name: 'Autumn', ...body };
      expectFormB(await post(named), 400, 'VALIDATION_ERROR', field);
    });
    expect(await total()).toBe(before);
  });

  it('accepts an overnight window and refuses a window whose end equals its beginning', async () => {
    const overnight = { startTime: '22:00', endTime: '06:00' };
    expect((await newCampaign(platform, workspace, { sendingSchedule: overnight })).sendingSchedule).toMatchObject(
      overnight,
    );
  });

  it('refuses a mailbox of another workspace like an unknown one, and a repeated mailbox', async () => {
    const before = await total();
    const other = await platform.seed.workspace();
    const theirs = (await seededMailbox(platform, other.workspaceId))._id;
    const mine = (await seededMailbox(platform, workspace.workspaceId))._id;
    const foreign = await post({ name: 'Autumn', mailboxes: [mine, theirs] });
    expectFormB(foreign, 400, 'VALIDATION_ERROR', 'mailboxes.1');
    const unknown = await post({ name: 'Autumn', mailboxes: [mine, UNKNOWN_ID] });
    expect(foreign.body).toEqual(unknown.body);
    const twice = await post({ name: 'Autumn', mailboxes: [mine, mine.toUpperCase()] });
    expectFormB(twice, 400, 'VALIDATION_ERROR', 'mailboxes.1');
    expect(await total()).toBe(before);
  });

  it('refuses an invalid sequence and names the field', async () => {
    const cases: readonly (readonly [string, readonly unknown[], readonly string[]])[] = [
      ['no subject in the first step', [{ body: '<p>x</p>' }], ['sequence.0.subject']],
      ['a blank subject in the first step', [{ subject: '  ', body: 'x' }], ['sequence.0.subject']],
      ['no body', [{ subject: 'x' }], ['sequence.0.body']],
      ['a line break in a subject', [{ subject: 'a\nb', body: 'x' }], ['sequence.0.subject']],
      ['another line break in a subject', [{ subject: 'a\u2028b', body: 'x' }], ['sequence.0.subject']],
      ['a subject that is too long', [{ subject: 'x'.repeat(999), body: 'x' }], ['sequence.0.subject']],
      ['a body that is too large', [{ subject: 'x', body: 'é'.repeat(100_001) }], ['sequence.0.body']],
      [
        'too much text in total',
        Array.from({ length: 5 }, () => ({ subject: 'x', body: 'y'.repeat(190_000) })),
        ['sequence'],
      ],
      ['21 steps', Array.from({ length: 21 }, () => ({ subject: 'x', body: 'y' })), ['sequence']],
      ['a delay of the first step', [{ subject: 'x', body: 'y', delay: { value: 1 } }], ['sequence.0.delay.value']],
      [
        'a delay of 366 days',
        [
          { subject: 'x', body: 'y' },
          { subject: 'x', body: 'y', delay: { value: 366, unit: 'days' } },
        ],
        ['sequence.1.delay.value'],
      ],
      [
        'a delay of 8761 hours',
        [
          { subject: 'x', body: 'y' },
          { subject: 'x', body: 'y', delay: { value: 8761, unit: 'hours' } },
        ],
        ['sequence.1.delay.value'],
      ],
      ['a negative delay', [{ subject: 'x', body: 'y', delay: { value: -1 } }], ['sequence.0.delay.value']],
      ['another type of step', [{ type: 'wait', subject: 'x', body: 'y' }], ['sequence.0.type']],
      ['an order that differs from the position', [{ subject: 'x', body: 'y', order: 1 }], ['sequence.0.order']],
      ['an unknown id', [{ _id: UNKNOWN_ID, subject: 'x', body: 'y' }], ['sequence.0._id']],
      ['a step that is not an object', [[]], ['sequence']],
      ['no variants', [{ variants: [] }], ['sequence.0.variants']],
      ['variants without weight', [{ variants: [{ subject: 'x', body: 'y', weight: 0 }] }], ['sequence.0.variants']],
      [
        '27 variants',
        [{ variants: Array.from({ length: 27 }, () => ({ subject: 'x', body: 'y' })) }],
        ['sequence.0.variants'],
      ],
      [
        'a used variant of the first step without a subject',
        [{ variants: [{ subject: 'x', body: 'y' }, { body: 'y' }, { body: 'y', weight: 0 }] }],
        ['sequence.0.variants.1.subject'],
      ],
      ['variants and a body', [{ body: 'y', variants: [{ subject: 'x', body: 'y' }] }], ['sequence.0.variants']],
      ['an unknown field', [{ subject: 'x', body: 'y', html: 'z' }], ['sequence.0.html']],
    ];
    const before = await total();
    await inEachRow(cases, async ([, sequence, fields]) =>
      expectFormB(await post({ name: 'Autumn', sequence }), 400, 'VALIDATION_ERROR', ...fields),
    );
    expect(await total()).toBe(before);
  });

  it('reports the field, line and column of a template that does not compile', async () => {
    const sequence = [{ subject: 'Hello {{', body: '<p>\n  Dear {{first name}}</p>' }];
    const response = await post({ name: 'Autumn', sequence });
    expectFormB(response, 400, 'VALIDATION_ERROR', 'sequence.0.subject', 'sequence.0.body');
    const { details } = (response.body as { error: { details: { message: string }[] } }).error;
    expect(details[0]!.message).toMatch(/^sequence\.0\.subject, line 1, column 7: /);
    expect(details[1]!.message).toMatch(/^sequence\.0\.body, line 2, column \d+: /);
  });

  it('refuses a body of 5 MB before reading it', async () => {
    expectFormA(await post({ name: 'Autumn', sequence: [{ subject: 'x', body: 'y'.repeat(5_000_000) }] }), 413);
  });

  it('enforces maxCampaigns, which counts archived campaigns but not deleted ones', async () => {
    const full = await platform.seed.workspace();
    const post = (body: object) => platform.api.as(full.key).post('/v1/campaigns').send(body);
    const workspaces = platform.app.get<Model<{ limits: WorkspaceLimits }>>(getModelToken('WorkspaceRecord'), {
      strict: false,
    });
    await workspaces.updateOne({ _id: full.workspaceId }, { $set: { 'limits.maxCampaigns': 2 } });
    const first = await newCampaign(platform, full);
    const { status } = await platform.api.as(full.key).post(`/v1/campaigns/${first._id}/archive`);
    expect(status).toBe(200);
    const racing = await Promise.all([post({ name: 'Two' }), post({ name: 'Three' })]);
    expect(racing.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    expectFormB(await post({ name: 'Four' }), 409, 'LIMIT_EXCEEDED');
    await platform.api.as(full.key).delete(`/v1/campaigns/${first._id}`).expect(200);
    await post({ name: 'Four' }).expect(201);
  });

  it('accepts a member and rejects a read-only key', async () => {
    const member = await newMember(platform, workspace);
    const { workspaceId } = workspace;
    const created = await platform.api.as(member.key).in(workspaceId).post('/v1/campaigns').send({ name: 'Mine' });
    expect(dataOf<Campaign>(created)).toMatchObject({ userId: member.userId, workspaceId });
    expectFormA(await post({ name: 'x' }, await platform.seed.workspaceKey(workspaceId, ['read'])), 403, 'permission');
  });
});
