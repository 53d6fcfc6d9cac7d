import { type AutoReply, type Classification } from './classification';
import { classify } from './classify';
import { parseMail } from './mail-parsing';
import { rawMail, rawNotice, rawParts, rawReport } from './testing/raw-mail';

const AWAY: AutoReply = { rule: 'away', kind: 'out_of_office', returnsOn: '2026-05-05' };

async function classified(raw: Buffer, autoReply: AutoReply | null = null): Promise<Classification> {
  return classify(await parseMail(raw), () => autoReply);
}

/** The fields of one recipient whose message was given up. */
const failed = (address: string, status: string, diagnostic: string): string =>
  `Final-Recipient: rfc822; ${address}\nAction: failed\nStatus: ${status}\nDiagnostic-Code: smtp; ${diagnostic}`;

describe('a delivery status notification', () => {
  it('returns recipient, codes, reply and the reported message', async () => {
    const report = rawReport('Sorry', [
      `${failed('ada@acme.test', '5.1.1', '550 5.1.1 <ada@acme.test>: User unknown')}\nRemote-MTA: dns; mx.acme.test`,
    ]);
    expect(await classified(report)).toEqual({
      verdict: 'hard',
      rule: 'dsn/user-not-known',
      recipients: [
        {
          address: 'ada@acme.test',
          originalAddress: null,
          verdict: 'hard',
          rule: 'dsn/user-not-known',
          status: '5.1.1',
          smtpCode: 550,
          diagnostic: '550 5.1.1 <ada@acme.test>: User unknown',
          remoteMta: 'mx.acme.test',
          action: 'failed',
        },
      ],
      originalMessageId: '<sent-1@us.test>',
      autoReply: null,
    });
  });

  it('classifies each of several recipients, and the mail by the most severe verdict', async () => {
    const report = rawReport('Sorry', [
      failed('full@acme.test', '5.2.2', '552 5.2.2 Mailbox full'),
      failed('gone@acme.test', '5.1.1', '550 5.1.1 No such user'),
      'Final-Recipient: rfc822; slow@acme.test\nAction: delayed\nStatus: 4.4.1',
      'Final-Recipient: rfc822; fine@acme.test\nAction: relayed\nStatus: 2.0.0',
    ]);
    const { verdict, recipients } = await classified(report);
    expect(verdict).toBe('hard');
    expect(recipients.map((each) => [each.address, each.verdict])).toEqual([
      ['full@acme.test', 'soft'],
      ['gone@acme.test', 'hard'],
      ['slow@acme.test', 'delayed'],
    ]);
  });

  it('separates recipients without empty lines between them', async () => {
    const report = rawReport('Sorry', [
      `${failed('a@acme.test', '5.1.1', '550 No such user')}\n${failed('b@acme.test', '5.2.2', '552 Mailbox full')}`,
    ]);
    expect((await classified(report)).recipients.map(({ verdict }) => verdict)).toEqual(['hard', 'soft']);
  });

  it('is read in international form (RFC 6533) too', async () => {
    const fields = { From: 'MAILER-DAEMON@mx.test', Subject: 'Undelivered' };
    const report = rawParts(fields, 'report; report-type=global-delivery-status', [
      ['text/plain', 'Sorry'],
      [
        'message/global-delivery-status',
        `Reporting-MTA: dns; mx\n\n${failed('jörg@bücher.test', '5.1.1', '550 No such user').replace('rfc822', 'utf-8')}`,
      ],
    ]);
    expect((await classified(report)).recipients[0]).toMatchObject({ address: 'jörg@bücher.test', verdict: 'hard' });
  });

  it('returns the original recipient and the forwarding address', async () => {
    const report = rawReport('Sorry', [
      `Original-Recipient: rfc822;ada@acme.test\n${failed('ada@private.test', '5.1.1', '550 No such user')}`,
    ]);
    expect((await classified(report)).recipients[0]).toMatchObject({
      address: 'ada@private.test',
      originalAddress: 'ada@acme.test',
    });
  });

  it('whose reply is inconclusive is classified by its text for people', async () => {
    const report = rawReport('ada@acme.test\nThe mailbox is full.', [
      'Final-Recipient: rfc822; ada@acme.test\nAction: failed\nStatus: 5.0.0',
    ]);
    expect((await classified(report)).rule).toBe('dsn/mailbox-full');
  });

  it('of success is no bounce', async () => {
    const report = rawReport('Done', ['Final-Recipient: rfc822; ada@acme.test\nAction: delivered\nStatus: 2.1.5']);
    expect(await classified(report)).toMatchObject({ verdict: 'auto_reply', rule: 'dsn/delivered', recipients: [] });
  });

  it('with broken MIME is read from the text', async () => {
    const notice = rawNotice(
      `This is the mail system at host mx.test.\n\n${failed('ada@acme.test', '5.1.1', '550 No such user')}\n`,
    );
    expect((await classified(notice)).recipients[0]).toMatchObject({
      address: 'ada@acme.test',
      status: '5.1.1',
      verdict: 'hard',
    });
  });
});

describe('mail that resembles another kind', () => {
  it('a bounce with Auto-Submitted is no auto-reply', async () => {
    const report = rawReport('I am out of the office', [failed('ada@acme.test', '5.1.1', '550 No such user')]);
    expect((await classified(report, AWAY)).verdict).toBe('hard');
  });

  it.each([
    [
      'Action: delayed',
      rawReport('User unknown for now', [
        'Final-Recipient: rfc822; ada@acme.test\nAction: delayed\nStatus: 4.4.1\nDiagnostic-Code: smtp; 550 User unknown',
      ]),
    ],
    [
      'no action',
      rawReport('Delivery has been delayed. It will be retried.', [
        'Final-Recipient: rfc822; ada@acme.test\nStatus: 4.4.1',
      ]),
    ],
    [
      'words',
      rawNotice(
        'A message that you sent has not yet been delivered to ada@acme.test.\n\n  ada@acme.test\n\nNo action is required on your part. Delivery attempts will continue.',
      ),
    ],
    [
      'other words',
      rawNotice('Die Nachricht an ada@acme.test konnte noch nicht zugestellt werden. Weitere Versuche folgen.'),
    ],
  ])('a delay reported by %s is no bounce', async (_, raw) => {
    expect(await classified(raw)).toMatchObject({
      verdict: 'delayed',
      recipients: [{ address: 'ada@acme.test', verdict: 'delayed' }],
    });
  });

  it('the text of the returned message is no diagnosis', async () => {
    const returned =
      'From: me@us.test\nTo: ada@acme.test\nMessage-ID: <sent-1@us.test>\n\n550 5.1.1 User unknown, no such user';
    const report = rawReport('', ['Final-Recipient: rfc822; ada@acme.test\nAction: failed\nStatus: 5.0.0'], {
      returned,
    });
    expect((await classified(report)).verdict).toBe('soft');
    const body = `I'm afraid I wasn't able to deliver your message.\n\n<ada@acme.test>:\nhm\n\n--- Below this line is a copy of the message.\n\nReturn-Path: <me@us.test>\n\nNo such user`;
    expect((await classified(rawNotice(body))).verdict).toBe('soft');
  });

  const person = { From: 'Ada <ada@acme.test>', Subject: 'Re: Hello', 'In-Reply-To': '<sent-1@us.test>' };
  it.each([
    ['says "user unknown"', rawMail(person, 'The address of Bob is a user unknown to us, no such user here.')],
    [
      'quotes a bounce',
      rawMail(
        person,
        'Look:\n\nOn Mon, 3 Mar 2025, Mail Delivery System wrote:\n> This is the mail system at host mx.\n> <x@y.test>: 550 User unknown',
      ),
    ],
    [
      'forwards a bounce',
      rawMail(
        { ...person, Subject: 'Fwd: Undeliverable: Hello' },
        'See below\n\n---------- Forwarded message ---------\nFrom: <postmaster@acme.test>\n\nDelivery has failed to these recipients or groups:\nada@acme.test',
      ),
    ],
    [
      'attaches a bounce',
      rawParts(person, 'mixed', [
        ['text/plain', 'This came back'],
        ['message/rfc822', rawReport('x', [failed('a@b.test', '5.1.1', '550 No such user')]).toString()],
      ]),
    ],
    [
      'writes about a delivery problem',
      rawMail(
        { ...person, Subject: 'delivery problem' },
        'Our parcel could not be delivered, the address was not found.',
      ),
    ],
    [
      'is a postmaster',
      rawMail({ ...person, From: 'Postmaster <postmaster@acme.test>' }, 'I run the mail here and would like a demo.'),
    ],
  ])('a person who %s is a person', async (_, raw) => {
    expect(await classified(raw)).toMatchObject({ verdict: 'human', recipients: [] });
  });

  it('an absence is checked last, with its date', async () => {
    const mail = rawMail(
      { From: 'Ada <ada@acme.test>', Subject: 'Away', 'In-Reply-To': '<sent-1@us.test>' },
      'Back in May.',
    );
    expect(await classified(mail, AWAY)).toMatchObject({
      verdict: 'auto_reply',
      rule: 'away',
      autoReply: AWAY,
      originalMessageId: '<sent-1@us.test>',
    });
  });

  it('a read receipt is no bounce', async () => {
    const receipt = rawParts(
      { From: 'ada@acme.test', Subject: 'Read: Hello' },
      'report; report-type=disposition-notification',
      [
        ['text/plain', 'It was read.'],
        [
          'message/disposition-notification',
          'Final-Recipient: rfc822; ada@acme.test\nDisposition: manual-action/MDN-sent-manually; displayed',
        ],
      ],
    );
    expect(await classified(receipt)).toMatchObject({ verdict: 'auto_reply', rule: 'mdn/receipt' });
  });
});

describe('a complaint', () => {
  const original = 'From: me@us.test\nTo: ada@acme.test\nMessage-ID: <sent-1@us.test>\n\n550 No such user';
  const feedback = (fields: string): Buffer =>
    rawParts({ From: 'fbl@isp.test', Subject: 'Fwd: Hello' }, 'report; report-type=feedback-report', [
      ['text/plain', 'This is an email abuse report'],
      ['message/feedback-report', fields],
      ['message/rfc822', original],
    ]);

  it('takes precedence over all other kinds, and names its message', async () => {
    expect(
      await classified(feedback('Feedback-Type: abuse\nVersion: 1\nOriginal-Rcpt-To: ada@acme.test'), AWAY),
    ).toMatchObject({
      verdict: 'complaint',
      rule: 'arf/abuse',
      recipients: [{ address: 'ada@acme.test', verdict: 'complaint' }],
      originalMessageId: '<sent-1@us.test>',
    });
  });

  it('without a recipient concerns the recipient of its message', async () => {
    expect((await classified(feedback('Feedback-Type: fraud'))).recipients).toMatchObject([
      { address: 'ada@acme.test' },
    ]);
  });

  it('about authentication is the sender’s fault, and one that says "not spam" none at all', async () => {
    expect((await classified(feedback('Feedback-Type: auth-failure'))).verdict).toBe('policy');
    expect((await classified(feedback('Feedback-Type: not-spam'))).verdict).toBe('auto_reply');
  });

  it('in Microsoft’s form names the recipient in the original’s header', async () => {
    const mail = rawParts({ From: 'staff@hotmail.com', Subject: 'complaint about message from 192.0.2.1' }, 'mixed', [
      ['message/rfc822', `X-HmXmrOriginalRecipient: ada@hotmail.com\n${original}`],
    ]);
    expect(await classified(mail)).toMatchObject({
      verdict: 'complaint',
      recipients: [{ address: 'ada@hotmail.com' }],
    });
  });
});

describe('a notice of Amazon SES', () => {
  const notice = (json: unknown): Buffer =>
    rawMail(
      { From: 'AWS <no-reply@sns.amazonaws.com>', Subject: 'AWS Notification Message' },
      `${JSON.stringify(json)}\n\n--\nunsubscribe`,
    );

  it('is classified by the reply for each recipient, and never hard for a temporary failure', async () => {
    const bouncedRecipients = [
      { emailAddress: 'ada@acme.test', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' },
    ];
    const bounce = (bounceType: string) => ({
      notificationType: 'Bounce',
      bounce: { bounceType, bouncedRecipients },
      mail: { messageId: '1-2' },
    });
    expect(await classified(notice(bounce('Permanent')))).toMatchObject({
      verdict: 'hard',
      originalMessageId: '<1-2>',
      recipients: [{ address: 'ada@acme.test' }],
    });
    expect((await classified(notice(bounce('Transient')))).verdict).toBe('soft');
  });

  it('of a complaint is a complaint', async () => {
    const complaint = { complainedRecipients: [{ emailAddress: 'ada@acme.test' }] };
    expect((await classified(notice({ notificationType: 'Complaint', complaint }))).verdict).toBe('complaint');
  });

  it('that is unreadable is an ordinary mail', async () => {
    expect((await classified(rawMail({ From: 'no-reply@sns.amazonaws.com' }, '{"notificationType":'))).verdict).toBe(
      'human',
    );
  });
});
