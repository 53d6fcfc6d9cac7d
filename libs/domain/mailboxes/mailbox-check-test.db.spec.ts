import { type WorkspaceScope } from '@domain/access';
import { MailboxTestService, SendingModule } from '@domain/sending';
import { MailboxesService } from './mailboxes.service';
import { MailboxCheckService } from './mailbox-check.service';
import { MailboxRecord } from './schemas/mailbox.record';
import { MailboxConnectionFixture } from './testing/mailbox-connection-fixture';
import { refusal } from './testing/scripted.driver';

describe('a test of a mailbox', () => {
  let fixture: MailboxConnectionFixture;
  let workspace: WorkspaceScope;

  beforeAll(async () => {
    fixture = await MailboxConnectionFixture.open({}, [SendingModule]);
    workspace = await fixture.workspace();
  });
  afterAll(() => fixture.database.close());

  afterEach(() => fixture.driver.reset());

  it('reports `busy` without a failure of the mailbox if all of its own connections are in use', async () => {
    const { _id } = await fixture.connect(workspace);
    const message = 'The mailbox is busy';
    fixture.driver.failures.set(
      'smtp.mail.test',
      refusal({ failure: 'temporary', stage: 'busy', message, lastReply: null }),
    );
    const before = await fixture.get(MailboxesService).get(workspace, _id);
    const answer = await fixture.get(MailboxTestService).test(workspace, _id, { sendTo: 'bob@example.com' });
    expect(answer).toMatchObject({ outgoing: { ok: false, error: { stage: 'busy', message } }, sent: null });
    expect(await fixture.get(MailboxesService).get(workspace, _id)).toEqual(before);
    expect(before).toMatchObject({ status: 'active', lastError: null });
  });

  it('reports `busy` as a scheduled check does, which finds no other failure', async () => {
    const { _id } = await fixture.connect(workspace);
    fixture.driver.failures.set('smtp.mail.test', refusal({ failure: 'temporary', stage: 'busy', lastReply: null }));
    const record = await fixture
      .model<MailboxRecord>(MailboxRecord)
      .findOne({ _id, workspaceId: workspace.workspaceId })
      .lean<MailboxRecord>();
    const failed = await fixture.get(MailboxCheckService).findFailure(record!, new AbortController().signal);
    expect(failed).toMatchObject({ half: 'outgoing', failure: { stage: 'busy' } });
  });

  it('still reports the failure of the other half', async () => {
    const { _id } = await fixture.connect(workspace);
    fixture.driver.failures.set('smtp.mail.test', refusal({ failure: 'temporary', stage: 'busy', lastReply: null }));
    fixture.driver.failures.set('imap.mail.test', refusal());
    await fixture.get(MailboxTestService).test(workspace, _id, {});
    expect(await fixture.get(MailboxesService).get(workspace, _id)).toMatchObject({ status: 'disconnected' });
  });

  it('waits for a mail server no longer than a person waits for the result', async () => {
    const { _id } = await fixture.connect(workspace);
    const timeout = jest.spyOn(AbortSignal, 'timeout');
    const { sent } = await fixture.get(MailboxTestService).test(workspace, _id, { sendTo: 'bob@example.com' });
    expect(sent?.outcome).toBe('accepted');
    expect(fixture.driver.deadlines).toEqual([timeout.mock.results.at(-1)?.value]);
    expect(timeout).toHaveBeenLastCalledWith(30_000);
    timeout.mockRestore();
  });

  it('returns no password, even if a server repeats it in its reply', async () => {
    const { _id } = await fixture.connect(workspace, { imapPassword: 'imap-canary' });
    const echo = (password: string) => {
      const response = `BAD Unknown command: a1 LOGIN ada ${password}`;
      const lastReply = { code: 'BAD', enhancedCode: null, command: 'LOGIN', response };
      return refusal({ message: `The login was refused: ${response}`, lastReply });
    };
    fixture.driver.failures.set('smtp.mail.test', echo('smtp-canary'));
    fixture.driver.failures.set('imap.mail.test', echo('imap-canary'));
    const answer = await fixture.get(MailboxTestService).test(workspace, _id, {});
    expect(JSON.stringify(answer)).not.toContain('canary');
    expect(answer.incoming.error?.response).toBe('BAD Unknown command: a1 LOGIN ada [redacted]');
  });
});
