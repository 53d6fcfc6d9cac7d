import { readFile } from 'node:fs/promises';
import { eventually, mailSandbox } from '@testing';
import { expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf, UNKNOWN_ID } from '../workspaces/people';
import { connected, type Mailbox, newAddress, seededMailbox } from './sandbox';

interface Answer {
  outgoing: { ok: boolean; error: object | null };
  incoming: { ok: boolean; error: object | null };
  sent: { to: string; messageId: string; outcome: string; response: string | null } | null;
}

const WELL = { ok: true, error: null };

describe('POST /v1/mailboxes/:mailboxId/test', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const post = ({ _id }: Pick<Mailbox, '_id'>, body: object = {}) =>
    platform.api.as(workspace.key).post(`/v1/mailboxes/${_id}/test`).send(body);
  const stored = () => seededMailbox(platform, workspace.workspaceId);
  const read = async ({ _id }: Pick<Mailbox, '_id'>) =>
    dataOf<Mailbox>(await platform.api.as(workspace.key).get(`/v1/mailboxes/${_id}`));

  it('reports that both servers work, and sends a mail only on request', async () => {
    const mailbox = await read(await stored());
    const response = await post(mailbox);
    expect({ status: response.status, data: dataOf(response) }).toEqual({
      status: 200,
      data: { outgoing: WELL, incoming: WELL, sent: null },
    });
    expect(await read(mailbox)).toEqual(mailbox);
  });

  it('sends a mail that arrives with the name and address of the mailbox, and counts it', async () => {
    const mailbox = await connected(platform, workspace, { displayName: 'Lovelace, Ada' });
    const to = newAddress('receiver');
    const { sent } = dataOf<Answer>(await post(mailbox, { sendTo: to }));
    expect(sent).toEqual({
      to,
      messageId: expect.stringMatching(/^<[0-9a-f]{24}@senders\.test>$/) as unknown,
      outcome: 'accepted',
      response: expect.stringMatching(/^2(50|\.)/) as unknown,
    });
    await eventually('the sandbox has logged it', async () => {
      const log = await readFile(mailSandbox().acceptedLog, 'utf8');
      return log.split('\n').some((line) => line.includes(to) && line.includes(sent!.messageId.slice(1, -1)));
    });
    expect(await read(mailbox)).toMatchObject({ sentToday: 1, totalSent: 1 });
  });

  it('sends from and to internationalised domains by their A-labels', async () => {
    const [local] = newAddress().split('@');
    const mailbox = await connected(platform, workspace, { email: `${local}@bücher.test` });
    const { sent } = dataOf<Answer>(await post(mailbox, { sendTo: `${local}@例え.test` }));
    expect(sent).toMatchObject({
      to: `${local}@xn--r8jz45g.test`,
      messageId: expect.stringMatching(/^<[0-9a-f]{24}@xn--bcher-kva\.test>$/) as unknown,
      outcome: 'accepted',
    });
  });

  it('works and sends while the mailbox is paused', async () => {
    const mailbox = await stored();
    await platform.api.as(workspace.key).post(`/v1/mailboxes/${mailbox._id}/pause`).expect(200);
    const answer = dataOf<Answer>(await post(mailbox, { sendTo: newAddress('receiver') }));
    expect(answer).toMatchObject({ outgoing: WELL, incoming: WELL, sent: { outcome: 'accepted' } });
    expect(await read(mailbox)).toMatchObject({ status: 'paused', sentToday: 1 });
  });

  it.each([
    ['rcpt-550', 'permanent', /5\.1\.1/, 0],
    ['rcpt-450', 'temporary', /4\.2\.1/, 0],
    ['data-554', 'permanent', /5\.7\.1/, 0],
    ['drop-after-dot', 'ambiguous', /./, 1],
  ])(
    'reports that a mail to %s was %s, and counts it only if it may have been sent',
    async (fault, outcome, lastReply, counted) => {
      const mailbox = await stored();
      const answer = dataOf<Answer>(await post(mailbox, { sendTo: newAddress(fault) }));
      expect(answer).toMatchObject({ outgoing: WELL, incoming: WELL, sent: { outcome } });
      expect(answer.sent!.response).toMatch(lastReply);
      expect(await read(mailbox)).toMatchObject({ status: 'active', sentToday: counted, totalSent: counted });
    },
  );

  it('refuses a mail beyond the daily limit, and still tests without a mail', async () => {
    const mailbox = await connected(platform, workspace, { dailySendLimit: 1 });
    await post(mailbox, { sendTo: newAddress('receiver') }).expect(200);
    const refused = await post(mailbox, { sendTo: newAddress('receiver') });
    expectFormB(refused, 409, 'CONFLICT');
    expect(refused.text).toContain('The daily limit of 1 emails');
    expect(dataOf(await post(mailbox))).toMatchObject({ outgoing: WELL });
  });

  it.each([
    [{ sendTo: 'nobody' }],
    [{ sendTo: 'a@b.test,c@d.test' }],
    [{ sendTo: 'a@b.test\r\nBcc: c@d.test' }],
    [{ sendTo: 'Ada <a@b.test>' }],
    [{ sendTo: ['a@b.test'] }],
    [{ sendTo: null }],
    [{ sendTo: '' }],
    [{ sendTo: '"ada"@b.test' }],
    [{ sendTo: 'a\u202eb@d.test' }],
    [{ sendTo: 'jürgen@b.test' }],
    [{ sendTo: `${'x'.repeat(65)}@b.test` }],
  ])('refuses %j', async (body) => {
    expectFormB(await post({ _id: UNKNOWN_ID }, body), 400, 'VALIDATION_ERROR', 'sendTo');
  });

  it('answers 404 Form B to an unknown id', async () => {
    expectFormB(await post({ _id: UNKNOWN_ID }), 404, 'NOT_FOUND');
  });
});
