import { randomBytes } from 'node:crypto';
import { type GmailAccount, type SmtpImapAccount } from '@adapters/mail';
import { KeyRing, SecretBoxService, SecretOpenError } from '@platform/secrets';
import { Types } from 'mongoose';
import { type AccountFields, MailboxAccountService } from './mailbox-account.service';
import { type MailboxTokenService } from './oauth/mailbox-token.service';

const keys = (): KeyRing => KeyRing.parse(`k1:${randomBytes(32).toString('base64')}`);

describe('accounts of stored mailboxes', () => {
  const box = new SecretBoxService(keys());
  const token = jest.fn().mockResolvedValue('access');
  const accounts = new MailboxAccountService(box, {
    getToken: token,
  } as Partial<MailboxTokenService> as MailboxTokenService);
  const [workspaceId, _id] = [new Types.ObjectId(), new Types.ObjectId()];
  const sealed = (server: 'smtp' | 'imap') =>
    accounts.sealServer(workspaceId, _id, server, { user: `${server}-user`, password: `${server}-password` });
  const custom: AccountFields = {
    _id,
    workspaceId,
    email: 'ada@example.com',
    provider: 'custom',
    credentialsRevision: 3,
    smtpHost: 'smtp.example.com',
    smtpPort: 587,
    smtpSecure: false,
    imapHost: 'imap.example.com',
    imapPort: 993,
    imapSecure: true,
    smtpCredentials: sealed('smtp'),
    imapCredentials: sealed('imap'),
  };

  it('contain servers, and logins that are opened on request', async () => {
    const opening = jest.spyOn(box, 'open');
    const account = accounts.toAccount(custom) as SmtpImapAccount;
    expect(opening).not.toHaveBeenCalled();
    expect(account).toMatchObject({
      kind: 'smtp_imap',
      id: _id.toHexString(),
      revision: '3',
      email: 'ada@example.com',
      smtp: { host: 'smtp.example.com', port: 587, secure: false },
      imap: { host: 'imap.example.com', port: 993, secure: true },
    });
    expect(await account.smtp.login()).toEqual({ method: 'password', user: 'smtp-user', password: 'smtp-password' });
    expect(await account.imap.login()).toEqual({ method: 'password', user: 'imap-user', password: 'imap-password' });
    expect(JSON.stringify(account)).not.toContain('password');
  });

  it('do not open credentials of another mailbox, workspace or field, or of other keys', async () => {
    const swapped = accounts.toAccount({ ...custom, smtpCredentials: custom.imapCredentials }) as SmtpImapAccount;
    const copied = accounts.toAccount({ ...custom, _id: new Types.ObjectId() }) as SmtpImapAccount;
    const foreign = accounts.toAccount({ ...custom, workspaceId: new Types.ObjectId() }) as SmtpImapAccount;
    const elsewhere = new MailboxAccountService(new SecretBoxService(keys()), {
      getToken: token,
    } as Partial<MailboxTokenService> as MailboxTokenService);
    for (const account of [swapped, copied, foreign, elsewhere.toAccount(custom) as SmtpImapAccount]) {
      await expect(account.smtp.login()).rejects.toThrow(SecretOpenError);
    }
  });

  it.each([
    ['google', 'gmail'],
    ['microsoft', 'graph'],
  ] as const)('of %s contain a token source', async (provider, kind) => {
    const account = accounts.toAccount({ ...custom, provider }) as GmailAccount;
    expect(account.kind).toBe(kind);
    expect(await account.token('refused')).toBe('access');
    expect(token).toHaveBeenLastCalledWith({ workspaceId, mailboxId: _id }, 'refused');
  });

  it('need servers unless they belong to a vendor', () => {
    expect(() => accounts.toAccount({ ...custom, imapHost: null })).toThrow('has no imap server');
    expect(() => accounts.toAccount({ ...custom, smtpCredentials: null })).toThrow('has no smtp server');
  });

  it('with unverified credentials provide no second token', async () => {
    const draft = { id: 'x', email: 'ada@example.com', accessToken: 'only' };
    const { token: source } = accounts.toDraftTokenAccount('google', draft) as GmailAccount;
    expect(await source()).toBe('only');
    await expect(source('only')).rejects.toMatchObject({ failure: 'needs-human' });
  });
});
