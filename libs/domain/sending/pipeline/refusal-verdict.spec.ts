import { type MailStage } from '@adapters/mail';
import { type RefusalFault } from '@domain/inbox';
import { refusalVerdict } from './refusal-verdict';

/** Parses a reply as a driver does: the code, and the enhanced code of the first line. */
function verdictOf(response: string, stage: MailStage): RefusalFault {
  const [, code = null, enhancedCode = null] = /^(\d{3})[ -](?:(\d\.\d{1,3}\.\d{1,3})\b)?/.exec(response) ?? [];
  return refusalVerdict({ stage, lastReply: { code, enhancedCode: enhancedCode ?? null, command: null, response } });
}

const unknown = [
  "550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient's email address for typos or\n550 5.1.1 unnecessary spaces. https://support.google.com/mail/?p=NoSuchUser - gsmtp",
  '550 5.2.1 The email account that you tried to reach is disabled. Learn more at https://support.google.com/mail/?p=DisabledUser - gsmtp',
  "553-5.1.2 We weren't able to find the recipient domain. Please check for any\n553 5.1.2 spelling errors, and make sure you didn't enter any spaces - gsmtp",
  '553 5.1.3 The recipient address <ann@acme> is not a valid RFC-5321 address. - gsmtp',
  '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ann@acme.test not found by SMTP address lookup',
  '550 5.1.1 RESOLVER.ADR.ExRecipNotFound; not found',
  "554 delivery error: dd This user doesn't have a yahoo.com account (ann@yahoo.com) [0] - mta1024.mail.bf1.yahoo.com",
  '552 1 Requested mail action aborted, mailbox not found',
  '554 30 Sorry, your message to ann@yahoo.com cannot be delivered. This mailbox is disabled (554.30).',
  '550 5.1.1 <ann@acme.test>: Recipient address rejected: User unknown in virtual mailbox table',
  '550 5.1.1 <ann@acme.test>: Recipient address rejected: User unknown in local recipient table',
  '550 <ann@acme.test>: Recipient address rejected: User unknown in recipient table',
  '550 5.1.2 <ann@acme.test>: Recipient address rejected: Domain not found',
  '556 5.1.10 <ann@acme.test>: Recipient address rejected: Domain acme.test does not accept mail (nullMX)',
  '550 Unknown user',
  '550 No Such User Here',
  '550-Unrouteable address',
  '550 5.1.1 User Unknown',
  '550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [abc.uk12]',
  '550 5.1.1 <ann@icloud.com>: user does not exist',
  '550 Mailbox not found. http://service.mail.qq.com/cgi-bin/help?subtype=1&&id=20022&&no=1000728',
  '550 User not found: ann@163.com',
  '550 Message was not accepted -- invalid mailbox. Local mailbox ann@mail.ru is unavailable: user not found',
  '550 5.7.1 No such user!',
  '550 5.1.1 <abuse@spam-policy.test>: user unknown',
  '550 5.1.6 Recipient no longer on server: ann@acme.test',
];

const unknownWithOwnCode = [
  // Microsoft, "Fix NDR error code 550 5.4.1": directory-based edge blocking, the recipient's address is invalid.
  '550 5.4.1 Recipient address rejected: Access denied. AS(201806281)',
  // IONOS, "Error messages caused by undeliverable email": the address does not exist on this server.
  '550-Requested action not taken: mailbox unavailable\n550 For explanation visit https://postmaster.gmx.net/en/error-messages',
  '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).',
  '550 5.1.1 Adresse d au moins un destinataire fausse. OFR_416 [416]',
  '550 5.1.1 <ann@acme.test>: Recipient address rejected: User unknown in relay recipient table',
  '550 Unbekannter Empfänger',
  '556 5.1.10 hm',
];

const sender = [
  '550-5.7.26 This message does not have authentication information or fails to\n550 5.7.26 pass authentication checks. - gsmtp',
  '550-5.7.1 [192.0.2.1] Our system has detected that this message is\n550 5.7.1 likely suspicious due to the very low reputation of the sending IP address. - gsmtp',
  '550-5.7.25 [192.0.2.1] The IP address sending this message does not have a\n550 5.7.25 PTR record setup - gsmtp',
  '550 5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits go to https://support.google.com/a/answer/166852 - gsmtp',
  '550 5.7.0 Mail relay denied [192.0.2.1]. Invalid credentials for relay - gsmtp',
  '550 5.7.501 Service unavailable. Spam abuse detected from IP range.',
  '550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP.',
  '550 5.1.8 Access denied, bad outbound sender AS(42003)',
  "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
  '554 5.2.0 STOREDRV.Submission.Exception:OutboundSpamException; Failed to process message due to a permanent exception',
  '554 5.2.252 SendAsDenied; ada@acme.test not allowed to send as grace@acme.test',
  '550 5.7.60 SMTP; Client does not have permissions to send as this sender',
  '554 5.1.0 Sender denied',
  '550 5.7.64 TenantAttribution; Relay Access Denied',
  "550 SC-001 (BAY004-MC1F5) Unfortunately, messages from 192.0.2.1 weren't sent. Please contact your Internet service provider since part of their network is on our block list (AS3140).",
  '554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes',
  "553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.1, because the ip is in Spamhaus's list",
  '554 Message not allowed - [PH01] Email not accepted for policy reasons.',
  '554 5.7.1 <ann@acme.test>: Relay access denied',
  '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
  '550 5.1.1 <ann@acme.test>: Recipient address rejected: blocked using Spamhaus',
  '553 5.7.1 <ada@acme.test>: Sender address rejected: not owned by user grace',
  '550 5.1.8 <ada@acme.test>: Sender address rejected: Domain not found',
  '504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname',
  '550-Verification failed for <ada@acme.test>\n550-No Such User Here\n550 Sender verify failed',
  '550 relay not permitted',
  '550 Rejected because 192.0.2.1 is in a black list at zen.spamhaus.org',
  '554 5.7.0 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.1',
  '550 5.7.0 Local Policy Violation - 5.7.0 - #1',
  '550 Rejected by header based Anti-Spoofing policy: ada@acme.test - https://community.mimecast.com/docs/DOC-1369#550',
  '554 Email rejected due to security policies - https://community.mimecast.com/docs/DOC-1369#554',
  '550 Administrative prohibition envelope blocked - https://community.mimecast.com/docs/DOC-1369#550',
  "554-mx.acme.test\n554 Your access to this mail system has been rejected due to the sending MTA's poor reputation.",
  '550 5.4.6 Unusual sending activity detected. Please try after sometime',
  '553 Relaying disallowed as ada@acme.test',
  '554 5.1.8 Email Outgoing Blocked',
  '551 5.7.1 Not authorised to send from this header address',
  '554-Transaction failed\n554-Reject due to policy restrictions.',
  '554 5.7.1 [CS01] Message rejected due to local policy.',
  '550 Domain frequency limited.',
  '550 spam message rejected. Please visit http://help.mail.ru/notspam-support/id?c=x',
  '550 Message rejected: your account is disabled',
  '550 5.7.1 Delivery not authorized, message refused',
];

const content = [
  "552-5.2.3 Your message exceeded Google's message size limits. - gsmtp",
  '552-5.7.0 This message was blocked because its content presents a potential\n552 5.7.0 security issue. - gsmtp',
  '550 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient',
  '554 5.6.0 Corrupt message content',
  '552 5.3.4 Message size exceeds fixed limit',
  '552 Message size exceeds maximum permitted',
  '550 5.7.1 Virus detected: Eicar-Test-Signature',
  '550 Mail content denied. http://service.mail.qq.com/cgi-bin/help',
  '554 5.6.1 Messages with attachments of this type are not accepted',
];

const unclear = [
  '550-5.2.1 The user you are trying to contact is receiving mail at a rate that\n550 5.2.1 prevents additional messages from being delivered. - gsmtp',
  "552-5.2.2 The recipient's inbox is out of storage space. - gsmtp",
  '554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException',
  '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required',
  '550 5.7.1 Sender is not pre-approved',
  '550 5.2.122 The recipient has exceeded the limit of messages it may receive per hour',
  '550 5.1.2 User reject',
  '552 Requested mail action aborted: exceeded storage allocation',
  '552 5.2.2 <ann@icloud.com>: user is over quota',
  '550 Mailbox quota exceeded',
  '554 IP=192.0.2.1 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.de to clarify.)',
  '550 #5.1.0 Address rejected.',
  '554 Denied (Mode: normal)',
  '554 5.3.0 Transaction failed',
  '550',
];

describe('a refusal of the recipient', () => {
  it.each([...unknown, ...unknownWithOwnCode])('means that the address does not exist: %s', (response) => {
    expect(verdictOf(response, 'recipient')).toBe('recipient');
  });

  it.each(sender)('concerns the sender: %s', (response) => {
    expect(verdictOf(response, 'recipient')).toBe('sender');
    expect(verdictOf(response, 'handover')).toBe('sender');
  });

  it.each(unclear)('says nothing about the address: %s', (response) => {
    expect(verdictOf(response, 'recipient')).toBe('unclear');
    expect(verdictOf(response, 'handover')).toBe('unclear');
  });
});

describe('a refusal of the message', () => {
  it.each(content)('concerns its content: %s', (response) => {
    expect(verdictOf(response, 'handover')).toBe('content');
  });

  it.each([...unknown, ...unknownWithOwnCode])(
    'needs a code to mean that the address does not exist: %s',
    (response) => {
      const isCoded = /^\d{3}[ -]5\.[12]\./.test(response);
      expect(verdictOf(response, 'handover')).toBe(isCoded ? 'recipient' : 'unclear');
    },
  );
});

it.each(['sender', 'login'] as const)('at the stage %s always concerns the sender', (stage) => {
  for (const response of unknown) expect(verdictOf(response, stage)).toBe('sender');
});

it('without text says nothing about the address', () => {
  expect(refusalVerdict({ stage: 'recipient', lastReply: null })).toBe('unclear');
});
