import { mailSandbox } from '@testing';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf, ISO, newMember, UNKNOWN_ID } from '../workspaces/people';
import { type Mailbox, newAddress, seededMailbox } from './sandbox';

describe('PATCH /v1/mailboxes/:mailboxId', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let mailbox: Mailbox;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
  });
  beforeEach(async () => {
    mailbox = await read((await seededMailbox(platform, workspace.workspaceId))._id);
  });
  afterAll(() => platform.close());

  const patch = (body: object, key = workspace.key) =>
    platform.api.as(key).patch(`/v1/mailboxes/${mailbox._id}`).send(body);
  const read = async (id = mailbox._id) =>
    dataOf<Mailbox>(await platform.api.as(workspace.key).get(`/v1/mailboxes/${id}`));

  it('changes the given fields and leaves the rest', async () => {
    const changes = {
      displayName: 'Ada',
      signature: '<b>Ada</b>',
      tags: ['One'],
      dailySendLimit: 77,
      sendingEnabled: false,
    };
    const expected = { ...mailbox, ...changes, updatedAt: ISO };
    expect(dataOf(await patch({ ...changes, sendGapSeconds: 5, timezone: 'Europe/Berlin' }))).toEqual(expected);
    expect(await read()).toEqual(expected);
    const settings = await platform.api.as(workspace.key).get(`/v1/mailboxes/${mailbox._id}/settings`);
    expect(dataOf(settings)).toMatchObject({ sendGapSeconds: 5, timezone: 'Europe/Berlin' });
    expect(dataOf(await patch({ displayName: '', signature: '', tags: [] }))).toMatchObject({
      displayName: '',
      signature: '',
      tags: [],
      dailySendLimit: 77,
    });
  });

  it('writes one audit entry per change, without passwords, and none when nothing changes', async () => {
    await patch({ dailySendLimit: 40, smtpPassword: mailSandbox().password }).expect(200);
    await patch({ dailySendLimit: 40 }).expect(200);
    await patch({}).expect(200);
    const entries = await platform.api
      .as(workspace.key)
      .get(`/v1/audit?targetId=${mailbox._id}&action=mailbox.updated`);
    const changes = { dailySendLimit: { from: 30, to: 40 }, credentialsRevision: { from: 0, to: 1 } };
    expect(dataOf<{ changes: object }[]>(entries).map((entry) => entry.changes)).toEqual([changes]);
  });

  it('verifies new servers and passwords before it stores them', async () => {
    const { smtp, imap, password } = mailSandbox();
    const moved = { smtpPort: smtp.port, smtpSecure: false, smtpPassword: password };
    expect(dataOf(await patch(moved))).toMatchObject({
      smtpPort: smtp.port,
      smtpSecure: false,
      imapPort: imap.tlsPort,
    });
    const tested = await platform.api.as(workspace.key).post(`/v1/mailboxes/${mailbox._id}/test`).send({});
    expect(dataOf(tested)).toMatchObject({ outgoing: { ok: true }, incoming: { ok: true } });
    await patch({ imapUsername: newAddress() }).expect(200);
  });

  it.each([
    [{ smtpPassword: 'wrong-canary' }, 'smtpPassword'],
    [{ imapPassword: 'wrong-canary' }, 'imapPassword'],
    [{ smtpUsername: 'auth-535.someone@senders.test' }, 'smtpPassword'],
  ])('changes nothing when the login fails with %j', async (body, field) => {
    const response = await patch({ ...body, displayName: 'Ada' });
    expectFormB(response, 422, 'MAILBOX_CHECK_FAILED', field);
    expect(response.text).not.toContain('canary');
    expect(await read()).toEqual(mailbox);
  });

  it('sends the stored password to no other server', async () => {
    expectFormB(await patch({ smtpHost: 'localhost' }), 400, 'VALIDATION_ERROR', 'smtpPassword');
    expectFormB(await patch({ imapPort: mailSandbox().imap.port }), 400, 'VALIDATION_ERROR', 'imapPassword');
    const both = { smtpHost: 'localhost', imapHost: 'localhost', smtpPassword: 'x' };
    expectFormB(await patch(both), 400, 'VALIDATION_ERROR', 'imapPassword');
    expect(await read()).toEqual(mailbox);
  });

  it('keeps the credentials of one of two parallel changes as a whole', async () => {
    const { smtp, imap, password } = mailSandbox();
    const responses = await Promise.all([
      patch({ smtpPort: smtp.port, smtpSecure: false, smtpPassword: password }),
      patch({ imapPort: imap.port, imapSecure: false, imapPassword: password }),
    ]);
    expect(responses.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409']);
    expectFormB(
      responses.find(({ status }) => status === 409)!,
      409,
      'CONFLICT',
    );
    const won = dataOf(responses.find(({ status }) => status === 200)!);
    expect(await read()).toEqual(won);
  });

  it('refuses invalid input with VALIDATION_ERROR, names the field and changes nothing', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ email: 'other@senders.test' }, 'email'],
      [{ provider: 'google' }, 'provider'],
      [{ connectionType: 'oauth' }, 'connectionType'],
      [{ status: 'active' }, 'status'],
      [{ pausedAt: null }, 'pausedAt'],
      [{ totalSent: 0 }, 'totalSent'],
      [{ warmup: {} }, 'warmup'],
      [{ lastError: null }, 'lastError'],
      [{ credentialsRevision: 1 }, 'credentialsRevision'],
      [{ displayName: null }, 'displayName'],
      [{ displayName: 'a\nb' }, 'displayName'],
      [{ dailySendLimit: 0 }, 'dailySendLimit'],
      [{ dailySendLimit: null }, 'dailySendLimit'],
      [{ timezone: 'UTC+1' }, 'timezone'],
      [{ tags: ['a', 'A'] }, 'tags'],
      [{ tags: null }, 'tags'],
      [{ smtpHost: 'a b' }, 'smtpHost'],
      [{ smtpPassword: '' }, 'smtpPassword'],
      [{ smtpPassword: null }, 'smtpPassword'],
    ];
    for (const [body, field] of cases) expectFormB(await patch(body), 400, 'VALIDATION_ERROR', field);
    expect(await read()).toEqual(mailbox);
  });

  it('accepts a member and rejects a read-only key', async () => {
    const member = await newMember(platform, workspace);
    const { workspaceId } = workspace;
    const asMember = platform.api.as(member.key).in(workspaceId);
    await asMember.patch(`/v1/mailboxes/${mailbox._id}`).send({ displayName: 'By member' }).expect(200);
    expectFormA(await patch({}, await platform.seed.workspaceKey(workspaceId, ['read'])), 403, 'permission');
  });

  it('answers 404 Form B to an unknown id', async () => {
    expectFormB(await platform.api.as(workspace.key).patch(`/v1/mailboxes/${UNKNOWN_ID}`).send({}), 404, 'NOT_FOUND');
  });
});
