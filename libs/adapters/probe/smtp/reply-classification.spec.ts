import { readReply } from '@adapters/mail';
import fc from 'fast-check';
import { type ProbeKind } from '../port/mailbox-probe.port';
import { classifyGreeting, classifyRecipientReply } from './reply-classification';

const AT_RCPT: readonly (readonly [ProbeKind, string])[] = [
  ['accepted', '250 2.1.5 Ok'],
  ['accepted', '250 OK a1-20020a05600c si1234 - gsmtp'],
  ['accepted', '251 2.1.5 User not local; will forward to <ada@elsewhere.example>'],
  // Missing mailbox.
  [
    'rejected',
    '550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient’s email address for typos or\n550 5.1.1 unnecessary spaces. For more information, go to https://support.google.com/mail/?p=NoSuchUser x - gsmtp',
  ],
  ['rejected', '550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [DB1PEPF.eurprd05.example]'],
  ['rejected', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'],
  ['rejected', '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).'],
  ['rejected', "554 delivery error: dd This user doesn't have a yahoo.com account (ada@yahoo.com) [-5] - mta1"],
  ['rejected', '552 1 Requested mail action aborted, mailbox not found'],
  ['rejected', '550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in relay recipient table'],
  ['rejected', '550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in virtual mailbox table'],
  ['rejected', '550 #5.1.0 Address rejected.'],
  ['rejected', '550 No Such User Here'],
  ['rejected', '550 Unrouteable address'],
  ['rejected', '550 sorry, no mailbox here by that name (#5.1.1 - chkuser)'],
  ['rejected', '550 Invalid Recipient - https://community.mimecast.example/docs/DOC-1369#550'],
  ['rejected', '550 5.7.1 No such user!'],
  [
    'rejected',
    '550 Message was not accepted -- invalid mailbox. Local mailbox ada@mail.example is unavailable: user not found',
  ],
  ['rejected', '550 5.1.1 <ada@example.com>: Email address could not be found, or was misspelled (G8)'],
  ['rejected', '550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416'],
  ['rejected', '550 Utilisateur inconnu'],
  ['rejected', '550 Empfänger unbekannt'],
  ['rejected', '550 El usuario no existe'],
  ['rejected', '551 User not local; please try <ada@elsewhere.example>'],
  ['rejected', '556 5.1.10 Recipient address has null MX'],
  ['rejected', '501 5.1.3 Bad recipient address syntax'],
  ['rejected', '550 5.1.1'],
  ['rejected', '550 5.1.1 spam@example.com: user unknown'],
  // Existing mailbox that accepts no mail.
  ['full', '452 4.2.2 The email account that you tried to reach is over quota. Please direct the recipient to'],
  ['full', '552 5.2.2 <ada@example.com>: user is over quota'],
  ['full', '552 Requested mail action aborted: exceeded storage allocation'],
  ['full', '552'],
  ['full', '550 Mailbox full'],
  [
    'disabled',
    '550 5.2.1 The email account that you tried to reach is disabled. https://support.google.com/mail/?p=DisabledUser',
  ],
  ['disabled', '550 5.2.1 Mailbox disabled, not accepting messages'],
  ['disabled', '554 30 Sorry, your message to ada@example.com cannot be delivered. This mailbox is disabled (554.30).'],
  ['disabled', '550 5.2.0 Account suspended'],
  // Temporary.
  [
    'greylisted',
    '450 4.2.0 <ada@example.com>: Recipient address rejected: Greylisted, see http://postgrey.example/help/x',
  ],
  ['greylisted', '451 4.7.1 Greylisting in action, please come back in 00:05:00'],
  ['greylisted', '421 4.7.0 Greylisted, come back later'],
  ['greylisted', '450 4.7.1 <ada@example.com>: Recipient address rejected: Try again later'],
  ['greylisted', '450 4.7.0 Graylisted for 300 seconds'],
  ['greylisted', '451 4.7.1'],
  ['greylisted', '451'],
  ['busy', '421 4.3.2 Service shutting down'],
  ['busy', '450 4.2.1 The user you are trying to contact is receiving mail too quickly.'],
  ['busy', '451 Temporary local problem - please try later'],
  ['busy', '451 4.3.0 <ada@example.com>: Temporary lookup failure'],
  [
    'busy',
    '450 4.1.1 <ada@example.com>: Recipient address rejected: unverified address: Address verification in progress',
  ],
  ['busy', '452 4.3.1 Insufficient system storage'],
  ['busy', '452 4.5.3 Too many recipients'],
  // Refusals of us.
  ['refused_us', '550 5.1.1 <ada@example.com> rejected: blocked using zen.spamhaus.org'],
  ['refused_us', '550 5.7.1 Service unavailable; client [192.0.2.1] blocked using dnsbl.example'],
  ['refused_us', '550 5.7.606 Access denied, banned sending IP [192.0.2.1].'],
  ['refused_us', '554 5.7.1 <ada@example.com>: Relay access denied'],
  ['refused_us', "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
  ['refused_us', '550-Verification failed for <probe@sender.example>\n550 Sender verify failed'],
  ['refused_us', '550 5.1.8 <probe@sender.example>: Sender address rejected: Domain not found'],
  ['refused_us', '550 5.1.7 Invalid address'],
  ['refused_us', '530 5.7.0 Must issue a STARTTLS command first'],
  ['refused_us', '550 Administrative prohibition'],
  ['refused_us', '554 5.7.1 <ada@example.com>: Recipient address rejected: Access denied'],
  [
    'refused_us',
    '550-5.2.1 The user you are trying to contact is receiving mail at a rate that\n550 5.2.1 prevents additional messages',
  ],
  [
    'refused_us',
    '550-Requested action not taken: mailbox unavailable\n550 For explanation visit https://postmaster.example/en/error-messages?ip=192.0.2.1&c=bl',
  ],
  ['refused_us', '450 4.7.1 Client host rejected: cannot find your hostname, [192.0.2.1]'],
  ['refused_us', '450 4.1.8 <probe@sender.example>: Sender address rejected: Domain not found'],
  ['refused_us', '451 4.7.650 The mail server [192.0.2.1] has been temporarily rate limited due to IP reputation.'],
  // An unknown reply is no proof.
  ['refused_us', '550'],
  ['refused_us', '550 rejected'],
  ['refused_us', '550 5.7.1 Message rejected'],
  ['refused_us', '550 5.4.4 no'],
  ['refused_us', '552 5.3.4 Message too big'],
  ['refused_us', '554 Transaction failed'],
  ['protocol', '503 5.5.1 Error: need MAIL command'],
  ['protocol', '500 what?'],
  ['protocol', '354 go on'],
  ['protocol', '250-yes\n550 no'],
];

describe('judgeRecipient', () => {
  it.each(AT_RCPT)('classifies as %s: %s', (kind, text) => {
    expect(classifyRecipientReply(readReply(text)).kind).toBe(kind);
  });

  it.each([
    [true, '421 4.7.0 Too much, go away'],
    [true, '550 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org'],
    [true, '451 4.7.500 Server busy. Please try again later'],
    [true, '450 4.7.1 Too many connections, slow down'],
    [false, '550 5.1.1 User unknown'],
    [false, '450 4.2.0 Greylisted'],
    [false, '554 5.7.1 <ada@example.com>: Relay access denied'],
    [false, '550 5.7.1 not to you'],
    [false, '250 2.1.5 Ok, your server has a good reputation'],
  ])('decides whether the provider needs a cooldown (%s): %s', (repels, text) => {
    expect(classifyRecipientReply(readReply(text)).repels).toBe(repels);
  });

  it.each([
    [300_000, '450 4.7.1 Greylisted for 5 minutes'],
    [299_000, '451 4.7.1 Greylisting in action, please come back in 00:04:59'],
    [90_000, '450 Greylisted, try again in 90 seconds'],
    [60_000, '450 Greylisted, retry after 60s'],
    [7_200_000, '450 Greylisted, please retry in 2 hours'],
    [null, '450 4.2.0 Greylisted'],
    [null, '450 4.2.0 Greylisted by 10.0.0.1 in rack 5'],
  ])('reads the retry time: %s ms in %s', (hintMs, text) => {
    expect(classifyRecipientReply(readReply(text)).hintMs).toBe(hintMs);
  });

  it('does not count a refusal of us as a refusal of the mailbox', () => {
    const ours = fc.constantFrom(
      'Spamhaus',
      'your IP',
      'Sender address',
      'reputation',
      'relaying denied',
      'SPF',
      'TLS',
    );
    const theirs = fc.constantFrom(
      'User unknown',
      'no such user',
      'mailbox full',
      'account disabled',
      'does not exist',
    );
    const code = fc.constantFrom('550 5.1.1', '550 5.2.1', '552 5.2.2', '553', '554 5.7.1');
    const property = fc.property(code, ours, theirs, fc.boolean(), (number, us, them, first) => {
      const text = `${number} ${first ? `${us}: ${them}` : `${them}; ${us}`}`;
      expect(classifyRecipientReply(readReply(text)).kind).toBe('refused_us');
    });
    fc.assert(property);
  });

  it('relies only on replies that start with a code', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 }).filter((some) => !/^[2-5]\d\d/m.test(some));
    const property = fc.property(text, (some) => {
      expect(classifyRecipientReply(readReply(some)).kind).toBe('protocol');
    });
    fc.assert(property, { examples: [['abc'], ['12'], ['User unknown']] });
  });

  it('classifies a long reply by its start', () => {
    const lines = Array.from({ length: 400 }, () => '550-5.1.1 user '.padEnd(100, 'x'));
    expect(classifyRecipientReply(readReply([...lines, '550 5.1.1 bye'].join('\n'))).kind).toBe('rejected');
  });
});

describe('judgeOpening', () => {
  it.each<readonly [ProbeKind, boolean, string]>([
    ['refused_us', true, '554 5.7.1 No SMTP service for you'],
    ['refused_us', true, '550 5.1.8 Sender address rejected'],
    ['refused_us', true, '521 5.3.2 Server does not accept mail'],
    ['busy', true, '421 4.3.2 Service shutting down'],
    ['refused_us', true, '421 4.7.0 Too many connections'],
    ['busy', true, '451 4.3.2 Try again later'],
    ['refused_us', true, '421 4.7.0 Your IP has a poor reputation'],
    ['greylisted', false, '451 4.7.1 Greylisted, come back in 5 minutes'],
    ['protocol', false, '503 bad sequence'],
    ['protocol', false, '354 go on'],
    ['protocol', false, 'HTTP/1.1 400 Bad Request'],
  ])('classifies as %s (cooldown: %s): %s', (kind, repels, text) => {
    expect(classifyGreeting(readReply(text))).toMatchObject({ kind, repels });
  });
});
