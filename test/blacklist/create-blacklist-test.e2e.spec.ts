import { type SeededWorkspace, expectFormA, expectFormB } from '../harness';
import { auditedActions, ID, ISO, newMember, UNKNOWN_ID } from '../workspaces/people';
import { Blacklists, type BlacklistTest } from './blacklists';

describe('POST /v1/blacklist-tests', () => {
  let lists: Blacklists;
  let workspace: SeededWorkspace;
  let mailbox: { _id: string; email: string };

  beforeAll(async () => {
    lists = await Blacklists.start({ worker: false });
  });
  afterAll(() => lists.close());
  beforeEach(async () => {
    workspace = await lists.platform.seed.workspace();
    mailbox = await lists.mailbox(workspace, 'acme.example');
  });

  const post = (body: object, key = workspace.key) => lists.platform.api.as(key).post('/v1/blacklist-tests').send(body);
  const total = async () => {
    const response = await lists.platform.api.as(workspace.key).get('/v1/blacklist-tests');
    return (response.body as { pagination: { total: number } }).pagination.total;
  };

  it('creates a pending test with all its fields', async () => {
    const second = await lists.mailbox(workspace, 'acme.example');
    const response = await post({ testName: ' Senders ', mailboxIds: [second._id, mailbox._id.toUpperCase()] });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      success: true,
      data: {
        _id: ID,
        userId: workspace.owner.userId,
        workspaceId: workspace.workspaceId,
        testCode: expect.stringMatching(/^BL-\d{13}-[0-9a-f]{8}$/) as unknown,
        testName: 'Senders',
        mailboxIds: [second._id, mailbox._id],
        mailboxes: [
          { mailboxId: second._id, email: second.email },
          { mailboxId: mailbox._id, email: mailbox.email },
        ],
        status: 'pending',
        overallSummary: null,
        progress: { done: 0, total: 0 },
        error: null,
        scheduleId: null,
        results: [],
        startedAt: null,
        completedAt: null,
        createdAt: ISO,
        updatedAt: ISO,
      },
    });
    const { testCode, createdAt } = (response.body as { data: BlacklistTest }).data;
    expect(Math.abs(Number(testCode.split('-')[1]) - Date.parse(createdAt))).toBeLessThan(1_000);
    expect((await auditedActions(lists.platform, workspace))[0]).toBe('blacklist_test.created');
  });

  it('names a test after its date, and records its creator if there is one', async () => {
    const member = await newMember(lists.platform, workspace);
    const as = lists.platform.api.as(member.key).in(workspace.workspaceId);
    const response = await as
      .post('/v1/blacklist-tests')
      .send({ mailboxIds: [mailbox._id] })
      .expect(201);
    const { testName, createdAt, userId } = (response.body as { data: BlacklistTest }).data;
    expect(testName).toBe(`Blacklist test ${createdAt.slice(0, 10)}`);
    expect(userId).toBe(member.userId);
  });

  it('gives each test a code of its own', async () => {
    const tests = await Promise.all([1, 2, 3, 4].map(() => lists.create(workspace, { mailboxIds: [mailbox._id] })));
    expect(new Set(tests.map(({ testCode }) => testCode)).size).toBe(4);
  });

  it('treats a mailbox of another workspace as unknown, and names it', async () => {
    const theirs = await lists.mailbox(await lists.platform.seed.workspace(), 'acme.example');
    const unknown = [theirs._id, UNKNOWN_ID, 'x', '{"$ne":null}'];
    for (const id of unknown) {
      const response = await post({ mailboxIds: [mailbox._id, id] });
      expectFormB(response, 400, 'VALIDATION_ERROR', 'mailboxIds.1');
      expect(JSON.stringify(response.body)).toContain('mailboxIds.1 is not a mailbox of this workspace');
    }
    expectFormB(
      await post({ mailboxIds: [mailbox._id, theirs._id, mailbox._id] }),
      400,
      'VALIDATION_ERROR',
      'mailboxIds.1',
      'mailboxIds.2',
    );
    expect(await total()).toBe(0);
  });

  it('refuses invalid input and names the field', async () => {
    const cases: [string, object, string][] = [
      ['no mailboxes', {}, 'mailboxIds'],
      ['an empty list', { mailboxIds: [] }, 'mailboxIds'],
      ['more than 500', { mailboxIds: Array.from({ length: 501 }, () => UNKNOWN_ID) }, 'mailboxIds'],
      ['ids that are not strings', { mailboxIds: [5] }, 'mailboxIds'],
      ['text', { mailboxIds: UNKNOWN_ID }, 'mailboxIds'],
      ['a blank name', { testName: ' ', mailboxIds: [UNKNOWN_ID] }, 'testName'],
      ['a name of 201 characters', { testName: 'x'.repeat(201), mailboxIds: [UNKNOWN_ID] }, 'testName'],
      ['a schedule of no days', { mailboxIds: [UNKNOWN_ID], schedule: {} }, 'schedule.everyDays'],
      ['a schedule of 0 days', { mailboxIds: [UNKNOWN_ID], schedule: { everyDays: 0 } }, 'schedule.everyDays'],
      ['a schedule of 31 days', { mailboxIds: [UNKNOWN_ID], schedule: { everyDays: 31 } }, 'schedule.everyDays'],
      ['a status', { mailboxIds: [UNKNOWN_ID], status: 'completed' }, 'status'],
      ['a user', { mailboxIds: [UNKNOWN_ID], userId: UNKNOWN_ID }, 'userId'],
    ];
    for (const [what, body, field] of cases) {
      const response = await post(body);
      expect({ what, status: response.status }).toEqual({ what, status: 400 });
      expectFormB(response, 400, 'VALIDATION_ERROR', field);
    }
    expect(await total()).toBe(0);
  });

  it('allows at most five unfinished tests in a workspace', async () => {
    for (let made = 0; made < 5; made += 1) await lists.create(workspace, { mailboxIds: [mailbox._id] });
    expectFormB(await post({ mailboxIds: [mailbox._id] }), 409, 'LIMIT_EXCEEDED');
    const other = await lists.platform.seed.workspace();
    await lists.create(other, { mailboxIds: [(await lists.mailbox(other, 'acme.example'))._id] });
    const [{ _id }] = (
      (await lists.platform.api.as(workspace.key).get('/v1/blacklist-tests')).body as { data: [BlacklistTest] }
    ).data;
    await lists.platform.api.as(workspace.key).post(`/v1/blacklist-tests/${_id}/cancel`).expect(200);
    expect((await post({ mailboxIds: [mailbox._id] })).status).toBe(201);
  });

  it('creates one test for the same Idempotency-Key', async () => {
    const again = () => post({ mailboxIds: [mailbox._id] }).set('Idempotency-Key', `key-${mailbox._id}`);
    const [first, second] = [await again(), await again()];
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await total()).toBe(1);
  });

  it('rejects read-only keys', async () => {
    const key = await lists.platform.seed.workspaceKey(workspace.workspaceId, ['read']);
    expectFormA(await post({ mailboxIds: [mailbox._id] }, key), 403);
  });
});
