import { mailSandbox } from '@testing';
import { type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { type Mailbox, newAddress, seededMailbox } from '../mailboxes/sandbox';
import { dataOf } from '../workspaces/people';
import { addRecipient, chooseSender, parsed, received, type Recipient, RECIPIENTS, type SentReport } from './reporting';

const DAY_MS = 86_400_000;
const OPERATOR = newAddress('operator');

function operatorServer(): string {
  const { smtp, password } = mailSandbox();
  return `smtps://${encodeURIComponent(OPERATOR)}:${encodeURIComponent(password)}@${smtp.host}:${smtp.tlsPort}`;
}

describe('a report', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let mailbox: { _id: string; email: string };

  beforeAll(async () => {
    const env = {
      REPORT_SMTP_URL: operatorServer(),
      REPORT_FROM: OPERATOR,
      PUBLIC_URL: 'https://outreach.example/app',
    };
    platform = await startPlatform({ worker: true, env });
  });
  afterAll(() => platform.close());
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
    mailbox = await seededMailbox(platform, workspace.workspaceId);
    await chooseSender(platform, workspace, mailbox._id);
  });

  const api = () => platform.api.as(workspace.key);
  const read = async ({ _id }: Recipient) => dataOf<Recipient>(await api().get(`${RECIPIENTS}/${_id}`));
  const reports = async ({ _id }: Recipient) => dataOf<SentReport[]>(await api().get(`${RECIPIENTS}/${_id}/reports`));
  const sendNow = ({ _id }: Recipient) => api().post(`${RECIPIENTS}/${_id}/send-now`);
  async function work(): Promise<void> {
    await platform.tick();
    await platform.drain();
  }

  it('arrives once when it is due, as a mail with pictures and an unsubscribe link', async () => {
    const recipient = await addRecipient(platform, workspace, { schedule: { frequency: 'daily' } });
    await work();
    expect(await reports(recipient)).toEqual([]);
    platform.clock.advance(DAY_MS);
    await work();
    await work();
    const mails = await received(mailbox.email, recipient.email);
    expect(mails).toHaveLength(1);
    const mail = await parsed(mails[0]!);
    const [report, ...others] = await reports(recipient);
    expect(others).toEqual([]);
    expect(report).toMatchObject({
      recipientId: recipient._id,
      trigger: 'schedule',
      state: 'sent',
      reason: null,
      attempts: 1,
      nextAttemptAt: null,
    });
    const { first, last } = report!['period'] as { first: string; last: string };
    expect(mail.messageId).toBe(`<report.${recipient._id}.daily.${first}.${last}@senders.test>`);
    expect(mail.from).toMatchObject({ address: mailbox.email });
    expect(mail.to).toEqual([{ name: 'Grace Hopper', address: recipient.email }]);

    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
    expect(header('auto-submitted')).toBe('auto-generated');
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const shown = [...(mail.html ?? '').matchAll(/src="cid:([^"]+)"/g)].map(([, cid]) => cid);
    expect(shown.length).toBeGreaterThan(0);
    const pictures = mail.attachments.map(({ contentId, mimeType, related }) => ({ contentId, mimeType, related }));
    expect(pictures).toEqual(shown.map((cid) => ({ contentId: `<${cid}>`, mimeType: 'image/png', related: true })));
    expect(mail.text?.length).toBeGreaterThan(100);

    const { totalReportsSent, schedule } = await read(recipient);
    expect(totalReportsSent).toBe(1);
    expect(Date.parse(schedule.nextScheduledAt!)).toBeGreaterThan(platform.clock.now().getTime());
    expect(dataOf<Mailbox>(await api().get(`/v1/mailboxes/${mailbox._id}`))).toMatchObject({
      sentToday: 1,
      totalSent: 1,
    });
  });

  it('is stopped by its reader: opening the page changes nothing, one click stops it', async () => {
    const recipient = await addRecipient(platform, workspace, { schedule: { frequency: 'daily' } });
    await sendNow(recipient).expect(202);
    await platform.drain();
    const [first] = await received(mailbox.email, recipient.email);
    const mail = await parsed(first!);
    const link = /<(https:[^>]+)>/.exec(mail.headers.find(({ key }) => key === 'list-unsubscribe')!.value)![1]!;
    expect(mail.html).toContain(link);
    expect(link).toMatch(/^https:\/\/outreach\.example\/app\/r\//);
    const path = link.slice('https://outreach.example/app'.length);

    const page = await platform.api.get(path);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain(recipient.email);
    expect(await read(recipient)).toMatchObject({ active: true });

    for (const _again of [1, 2]) {
      const stopped = await platform.api
        .post(path)
        .type('application/x-www-form-urlencoded')
        .send('List-Unsubscribe=One-Click');
      expect(stopped.status).toBe(200);
    }
    expect(await read(recipient)).toMatchObject({ active: false, schedule: { nextScheduledAt: null } });
    platform.clock.advance(DAY_MS);
    await work();
    expect(await received(mailbox.email, recipient.email)).toHaveLength(1);
    for (const wrong of ['/r/x', `${path}x`]) {
      expect((await platform.api.get(wrong)).status).toBe(404);
      expect((await platform.api.post(wrong)).status).toBe(404);
    }
  });

  it('is sent at once on request, once for an Idempotency-Key, without a change of the schedule', async () => {
    const recipient = await addRecipient(platform, workspace);
    const [asked, again] = [
      await sendNow(recipient).set('Idempotency-Key', 'one'),
      await sendNow(recipient).set('Idempotency-Key', 'one'),
    ];
    expect(asked.status).toBe(202);
    expect(again.body).toEqual(asked.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    await platform.drain();
    expect(await received(mailbox.email, recipient.email)).toHaveLength(1);
    expect(await reports(recipient)).toMatchObject([{ trigger: 'manual', state: 'sent' }]);
    const { schedule, totalReportsSent } = await read(recipient);
    expect([schedule, totalReportsSent]).toEqual([recipient.schedule, 1]);
  });

  it('is sent by the operator’s server without a chosen mailbox, and the server’s password is in no log', async () => {
    await chooseSender(platform, workspace, null);
    const settings = dataOf(await api().get('/v1/reports/settings'));
    expect(settings).toEqual({ mailboxId: null, sender: 'operator', from: OPERATOR });
    const recipient = await addRecipient(platform, workspace);
    await sendNow(recipient).expect(202);
    await platform.drain();
    const [mail] = await received(OPERATOR, recipient.email);
    expect(mail!.messageId).toContain(`${recipient._id}.asked.1@senders.test`);
    expect(platform.logged()).not.toContain(mailSandbox().password);
  });

  it('shows why it was not sent, and is not counted', async () => {
    const recipient = await addRecipient(platform, workspace);
    const suppressing = { addresses: [recipient.email] };
    await api().post('/v1/suppressions').send(suppressing).expect(201);
    await sendNow(recipient).expect(202);
    await platform.drain();
    expect(await reports(recipient)).toMatchObject([
      { state: 'withheld', reason: expect.stringContaining('suppression') as string },
    ]);
    expect(await read(recipient)).toMatchObject({ totalReportsSent: 0 });
  });
});
