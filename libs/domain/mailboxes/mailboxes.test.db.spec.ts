import { type WorkspaceScope } from '@domain/access';
import { MailboxTestService } from './mailboxes.test.service';
import { ConnectingFixture } from './testing/connecting.fixture';
import { refusal } from './testing/scripted.driver';

describe('a test of a mailbox', () => {
  let fixture: ConnectingFixture;
  let workspace: WorkspaceScope;

  beforeAll(async () => {
    fixture = await ConnectingFixture.open();
    workspace = await fixture.workspace();
  });
  afterAll(() => fixture.database.close());

  it('shows no password to whoever asks, also when a server repeats it in its refusal', async () => {
    const { _id } = await fixture.connect(workspace, { imapPassword: 'imap-canary' });
    const echo = (password: string) => {
      const response = `BAD Unknown command: a1 LOGIN ada ${password}`;
      const words = { code: 'BAD', enhancedCode: null, command: 'LOGIN', response };
      return refusal({ message: `The login was refused: ${response}`, words });
    };
    fixture.driver.failures.set('smtp.mail.test', echo('smtp-canary'));
    fixture.driver.failures.set('imap.mail.test', echo('imap-canary'));
    const answer = await fixture.get(MailboxTestService).test(workspace, _id, {});
    expect(JSON.stringify(answer)).not.toContain('canary');
    expect(answer.incoming.error?.response).toBe('BAD Unknown command: a1 LOGIN ada [redacted]');
  });
});
