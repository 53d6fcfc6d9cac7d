import { mailSandbox } from '@testing';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection } from 'mongoose';
import {
  expectFormA,
  expectFormB,
  type Platform,
  type SeededWorkspace,
  sharedPlatform,
  startPlatform,
} from '../harness';
import { auditedActions, dataOf, ID, ISO, newMember } from '../workspaces/people';
import { connecting, type Mailbox, newAddress } from './sandbox';

interface Refusal {
  error: { code: string; message: string; details: { field: string; message: string }[] };
}

describe('POST /v1/mailboxes', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const post = (body: object, key = workspace.key) => platform.api.as(key).post('/v1/mailboxes').send(body);
  const stored = () => platform.app.get<Connection>(getConnectionToken()).db!.collection('mailboxes').countDocuments();
  /** A refusal in Form B that names these fields, without a stored mailbox. */
  async function refused(body: object, status: number, code: string, ...fields: string[]): Promise<Refusal['error']> {
    const before = await stored();
    const response = await post(body);
    expectFormB(response, status, code, ...fields);
    expect(await stored()).toBe(before);
    return (response.body as Refusal).error;
  }

  it('connects the mailbox and answers 201 with all its fields and no credentials', async () => {
    const email = newAddress();
    const { smtp, imap } = mailSandbox();
    const response = await post(
      connecting({
        email: ` ${email.toUpperCase()} `,
        displayName: ' Lovelace, "Ada" <x> ',
        dailySendLimit: 45,
        sendGapSeconds: 0,
        timezone: 'Asia/Kathmandu',
        signature: '<p>Ada</p>',
        tags: [' Sales ', 'EU'],
        sendingEnabled: false,
      }),
    );
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 201,
      body: {
        success: true,
        data: {
          _id: ID,
          email,
          displayName: 'Lovelace, "Ada" <x>',
          provider: 'custom',
          status: 'active',
          connectionType: 'smtp',
          dailySendLimit: 45,
          sentToday: 0,
          sendingEnabled: false,
          signature: '<p>Ada</p>',
          smtpHost: smtp.host,
          smtpPort: smtp.tlsPort,
          smtpSecure: true,
          imapHost: imap.host,
          imapPort: imap.tlsPort,
          imapSecure: true,
          warmup: expect.objectContaining({ enabled: false, status: 'not_started' }) as unknown,
          tags: ['Sales', 'EU'],
          bounceRate: 0,
          totalSent: 0,
          totalReceived: 0,
          setupStatus: expect.objectContaining({ healthScore: 0 }) as unknown,
          lastError: null,
          createdAt: ISO,
          updatedAt: ISO,
        },
      },
    });
    const settings = await platform.api
      .as(workspace.key)
      .get(`/v1/mailboxes/${dataOf<Mailbox>(response)._id}/settings`);
    expect(dataOf(settings)).toMatchObject({ timezone: 'Asia/Kathmandu', sendGapSeconds: 0 });
    expect(await auditedActions(platform, workspace)).toContain('mailbox.created');
  });

  it('uses defaults for omitted fields, and connects by STARTTLS too', async () => {
    const { smtp, imap } = mailSandbox();
    const mailbox = dataOf<Mailbox>(
      await post(connecting({ smtpPort: smtp.port, smtpSecure: false, imapPort: imap.port, imapSecure: false })),
    );
    expect(mailbox).toMatchObject({
      displayName: '',
      dailySendLimit: 30,
      sendingEnabled: true,
      signature: '',
      tags: [],
      smtpSecure: false,
      imapSecure: false,
    });
    const settings = await platform.api.as(workspace.key).get(`/v1/mailboxes/${mailbox._id}/settings`);
    expect(dataOf(settings)).toMatchObject({ timezone: 'UTC', sendGapSeconds: 60 });
  });

  it('accepts a member and rejects a read-only key', async () => {
    const member = await newMember(platform, workspace);
    const { workspaceId } = workspace;
    await platform.api.as(member.key).in(workspaceId).post('/v1/mailboxes').send(connecting()).expect(201);
    const readOnly = await platform.seed.workspaceKey(workspaceId, ['read']);
    expectFormA(await post(connecting(), readOnly), 403, 'permission');
  });

  it('connects an address once in a workspace, in any notation and with any number of parallel requests', async () => {
    const email = newAddress();
    const responses = await Promise.all(
      [email, email.toUpperCase(), email].map((one) => post(connecting({ email: one }))),
    );
    expect(responses.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409', '409']);
    for (const response of responses.filter(({ status }) => status === 409)) expectFormB(response, 409, 'CONFLICT');
    const other = await platform.seed.workspace();
    await post(connecting({ email }), other.key).expect(201);
  });

  it('identifies an address in an internationalised domain by its A-labels', async () => {
    const email = newAddress();
    const [local] = email.split('@');
    const mailbox = dataOf<Mailbox>(await post(connecting({ email: `${local}@Bücher.example`, timezone: 'utc' })));
    expect(mailbox.email).toBe(`${local}@xn--bcher-kva.example`);
    expectFormB(await post(connecting({ email: `${local}@xn--bcher-kva.example` })), 409, 'CONFLICT');
    const settings = await platform.api.as(workspace.key).get(`/v1/mailboxes/${mailbox._id}/settings`);
    expect(dataOf(settings)).toMatchObject({ timezone: 'UTC' });
  });

  it('runs once for a repeated Idempotency-Key', async () => {
    const body = connecting();
    const ask = () => post(body).set('Idempotency-Key', 'connect-once');
    const [first, second] = [await ask(), await ask()];
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([201, 201, 'true']);
    expect(second.body).toEqual(first.body);
  });

  describe('names the server that failed, the reason and the server’s reply', () => {
    it('when the outgoing server rejects the login', async () => {
      const { details, message } = await refused(
        connecting({ smtpPassword: 'wrong-canary', imapPassword: mailSandbox().password }),
        422,
        'MAILBOX_CHECK_FAILED',
        'smtpPassword',
      );
      expect(message).toBe(details[0]!.message);
      expect(message).toMatch(/^The outgoing server \(SMTP\).*535/);
      expect(message).not.toContain('wrong-canary');
    });

    it('when the incoming server rejects the login', async () => {
      const { message } = await refused(
        connecting({ imapPassword: 'wrong-canary' }),
        422,
        'MAILBOX_CHECK_FAILED',
        'imapPassword',
      );
      expect(message).toMatch(/^The incoming server \(IMAP\).*uthentication failed/);
      expect(message).not.toContain('wrong-canary');
    });

    it('when both reject the login', async () => {
      const body = connecting({ smtpPassword: 'wrong-canary' });
      const { message } = await refused(body, 422, 'MAILBOX_CHECK_FAILED', 'smtpPassword', 'imapPassword');
      expect(message).toMatch(/outgoing.*incoming/);
    });

    it.each([
      ['needs an application password', 'auth-534', 'Application-specific password'],
      ['has SMTP switched off', 'auth-535', 'SmtpClientAuthentication is disabled'],
    ])('when the account %s', async (_what, fault, lastReply) => {
      const body = connecting({ smtpUsername: newAddress(fault), imapUsername: newAddress() });
      expect((await refused(body, 422, 'MAILBOX_CHECK_FAILED', 'smtpPassword')).message).toContain(lastReply);
    });

    it.each([
      ['reports it', 'auth-454', 'Temporary authentication failure'],
      ['limits connections', 'auth-432', 'Concurrent connections limit exceeded'],
      ['closes the connection', 'drop-at-auth', 'closed the connection at the login'],
    ])('when the server rejects logins for now and %s, which is no fault of the password', async (...how) => {
      const [, fault, lastReply] = how;
      const body = connecting({ smtpUsername: newAddress(fault), imapUsername: newAddress() });
      const { message } = await refused(body, 422, 'MAILBOX_CHECK_FAILED', 'smtpHost');
      expect(message).toContain('cannot be used at the moment');
      expect(message).toContain(lastReply);
    });

    it('when nothing listens on the port', async () => {
      const body = connecting({ smtpPort: 1, imapPort: 1 });
      await refused(body, 422, 'MAILBOX_CHECK_FAILED', 'smtpPort', 'imapPort');
    });

    it('when the server uses another protocol', async () => {
      const { smtp } = mailSandbox();
      const body = connecting({ smtpPort: smtp.otherProtocolPort, smtpSecure: false });
      expect((await refused(body, 422, 'MAILBOX_CHECK_FAILED', 'smtpPort')).message).toContain('HTTP/1.1 400');
    });

    it('when it is an SMTP server where an IMAP server should be', async () => {
      const { smtp } = mailSandbox();
      await refused(connecting({ imapPort: smtp.port, imapSecure: false }), 422, 'MAILBOX_CHECK_FAILED', 'imapPort');
    });

    it('when TLS from the first byte is expected and the server has none', async () => {
      const body = connecting({ smtpPort: mailSandbox().smtp.port, imapPort: mailSandbox().imap.port });
      const { details } = await refused(body, 422, 'MAILBOX_CHECK_FAILED', 'smtpSecure', 'imapSecure');
      for (const detail of details) expect(detail.message).toMatch(/it may expect STARTTLS \([A-Z_]+\)$/);
    });

    it.each([
      ['from the first byte', 'brokenTlsPort', true],
      ['after STARTTLS', 'brokenStartTlsPort', false],
    ] as const)('when the certificate is not to be trusted, %s', async (_when, port, smtpSecure) => {
      const body = connecting({ smtpPort: mailSandbox().smtp[port], smtpSecure });
      const { message } = await refused(body, 422, 'MAILBOX_CHECK_FAILED', 'smtpSecure');
      expect(message).toMatch(/No trusted TLS.*SELF_SIGNED/);
    });

    it('when a host has no address', async () => {
      const body = connecting({ smtpHost: 'no-such-host.invalid', imapHost: 'no-such-host.invalid' });
      await refused(body, 422, 'MAILBOX_CHECK_FAILED', 'smtpHost', 'imapHost');
    });
  });

  it('refuses invalid input and names the field', async () => {
    const cases: [object, string][] = [
      [{ email: undefined }, 'email'],
      [{ email: 'nobody' }, 'email'],
      [{ email: 'a@b.test,c@d.test' }, 'email'],
      [{ email: 'a@b.test\r\nBcc: c@d.test' }, 'email'],
      [{ email: 'Ada <a@b.test>' }, 'email'],
      [{ email: 'a@b.test c@d.test' }, 'email'],
      [{ email: '"ada"@b.test' }, 'email'],
      [{ email: 'a\u202eb@d.test' }, 'email'],
      [{ email: 'jürgen@b.test' }, 'email'],
      [{ email: 'a@[127.0.0.1]' }, 'email'],
      [{ displayName: 'Ada\r\nBcc: c@d.test' }, 'displayName'],
      [{ displayName: 'Ada\u2028Bcc' }, 'displayName'],
      [{ displayName: 'Ada\u202egnp.exe' }, 'displayName'],
      [{ displayName: 'x'.repeat(201) }, 'displayName'],
      [{ displayName: null }, 'displayName'],
      [{ smtpHost: 'smtp.example.com\r\nRSET' }, 'smtpHost'],
      [{ smtpHost: 'smtp://smtp.example.com' }, 'smtpHost'],
      [{ smtpHost: 'smtp.example.com:587' }, 'smtpHost'],
      [{ imapHost: 'imap.example.com/x' }, 'imapHost'],
      [{ imapHost: 'a.example,b.example' }, 'imapHost'],
      [{ imapHost: '' }, 'imapHost'],
      [{ smtpPort: 0 }, 'smtpPort'],
      [{ smtpPort: 65_536 }, 'smtpPort'],
      [{ imapPort: '993' }, 'imapPort'],
      [{ imapPort: 993.5 }, 'imapPort'],
      [{ smtpSecure: 'true' }, 'smtpSecure'],
      [{ imapSecure: undefined }, 'imapSecure'],
      [{ smtpUsername: 'ada\r\nRSET' }, 'smtpUsername'],
      [{ smtpUsername: '' }, 'smtpUsername'],
      [{ imapUsername: 'x'.repeat(321) }, 'imapUsername'],
      [{ smtpPassword: undefined }, 'smtpPassword'],
      [{ smtpPassword: '' }, 'smtpPassword'],
      [{ smtpPassword: 'a\r\nRSET' }, 'smtpPassword'],
      [{ imapPassword: 'a\0b' }, 'imapPassword'],
      [{ imapPassword: 'x'.repeat(1001) }, 'imapPassword'],
      [{ dailySendLimit: 0 }, 'dailySendLimit'],
      [{ dailySendLimit: 10_001 }, 'dailySendLimit'],
      [{ sendGapSeconds: -1 }, 'sendGapSeconds'],
      [{ sendGapSeconds: 86_401 }, 'sendGapSeconds'],
      [{ timezone: 'Mars/Olympus' }, 'timezone'],
      [{ timezone: '+02:00' }, 'timezone'],
      [{ signature: 'x'.repeat(50_001) }, 'signature'],
      [{ tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, 'tags'],
      [{ tags: ['Sales', 'sales '] }, 'tags'],
      [{ tags: [' '] }, 'tags'],
      [{ tags: ['x'.repeat(51)] }, 'tags'],
      [{ tags: ['a\nb'] }, 'tags'],
      [{ tags: 'Sales' }, 'tags'],
      [{ sendingEnabled: 1 }, 'sendingEnabled'],
      [{ provider: 'google' }, 'provider'],
      [{ status: 'active' }, 'status'],
      [{ workspaceId: '0123456789abcdef01234567' }, 'workspaceId'],
      [{ totalSent: 5 }, 'totalSent'],
      [{ smtpCredentials: { user: 'x' } }, 'smtpCredentials'],
    ];
    const before = await stored();
    for (const [more, field] of cases) expectFormB(await post(connecting(more)), 400, 'VALIDATION_ERROR', field);
    expect(await stored()).toBe(before);
  });

  it('accepts values at the limits', async () => {
    await post(connecting({ dailySendLimit: 1, sendGapSeconds: 86_400, signature: 'x'.repeat(50_000) })).expect(201);
    const tags = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(50, 'x'));
    await post(connecting({ dailySendLimit: 10_000, displayName: 'x'.repeat(200), tags })).expect(201);
  });

  it('normalises hosts', async () => {
    const mailbox = dataOf<Mailbox>(await post(connecting({ smtpHost: '127.1', imapHost: 'LOCALHOST.' })));
    expect(mailbox).toMatchObject({ smtpHost: '127.0.0.1', imapHost: 'localhost' });
  });

  it('writes no password to the log in any of these tests', () => {
    expect(platform.logged()).toContain('/v1/mailboxes');
    expect(platform.logged()).not.toMatch(/canary/);
  });
});

describe('POST /v1/mailboxes with private networks blocked', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await startPlatform({ env: { OUTBOUND_ALLOW_PRIVATE: 'false' } });
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const post = (more: object) =>
    platform.api
      .as(workspace.key)
      .post('/v1/mailboxes')
      .send(connecting({ smtpPort: 587, imapPort: 993, ...more }));

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '10.0.0.1',
    '192.168.1.1',
    '172.16.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    'fd00::1',
    'fe80::1',
    '64:ff9b::7f00:1',
  ])('refuses the host %s', async (host) => {
    expectFormB(await post({ smtpHost: host, imapHost: host }), 400, 'VALIDATION_ERROR', 'smtpHost', 'imapHost');
  });

  it.each([22, 80, 6379, 27_017, 993])('refuses port %s for SMTP, which is no submission port', async (smtpPort) => {
    expectFormB(await post({ smtpHost: 'smtp.example.com', smtpPort }), 400, 'VALIDATION_ERROR', 'smtpPort');
  });

  it('refuses ports of other services for IMAP', async () => {
    const body = { smtpHost: 'smtp.example.com', imapHost: 'imap.example.com', smtpPort: 22, imapPort: 587 };
    expectFormB(await post(body), 400, 'VALIDATION_ERROR', 'smtpPort', 'imapPort');
  });
});
