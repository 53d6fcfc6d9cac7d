import { mailDate, message, multipart, text, verbatim, type Header, type Part } from './mime.mts';
import { createCopy, getDomain, parseHeaders, threadHeaders, type Making, type Original } from './original.mts';
import { escaped } from '../web/html.mts';

export const BOUNCE_FORMATS = ['postfix', 'exchange', 'gmail', 'qmail', 'exim'] as const;
export type BounceFormat = (typeof BOUNCE_FORMATS)[number];
export const BOUNCE_REASONS = ['unknown', 'full', 'policy', 'domain'] as const;
export type BounceReason = (typeof BOUNCE_REASONS)[number];
export const DELAY_FORMATS = ['postfix', 'gmail', 'exim'] as const;
export type DelayFormat = (typeof DELAY_FORMATS)[number];

/** Documentation addresses (RFC 5737), which belong to no real host. */
const REMOTE = 'mx.prospects.test[192.0.2.25]';

interface Cause {
  status: string;
  /** The reply of the remote server. */
  said: string;
  /** The explanation for people, in the words of Gmail and Exchange. */
  title: string;
  explained: string;
}

/** Gmail writes 5.2.2 for a full mailbox, Exchange 5.2.2 or 5.2.121: the first digit alone does not separate hard from soft. */
const CAUSES: Record<BounceReason, Cause> = {
  unknown: {
    status: '5.1.1',
    said: '550 5.1.1 The email account that you tried to reach does not exist',
    title: 'Address not found',
    explained: "because the address couldn't be found, or is unable to receive mail",
  },
  full: {
    status: '5.2.2',
    said: '552 5.2.2 The recipient mailbox is full and cannot accept messages now',
    title: 'Recipient inbox full',
    explained: "because the recipient's mailbox is full",
  },
  policy: {
    status: '5.7.1',
    said: '550 5.7.1 Our system has detected that this message is likely unsolicited mail; it has been blocked',
    title: 'Message blocked',
    explained: 'because it was blocked by a policy of the receiving system',
  },
  domain: {
    status: '5.1.2',
    said: '550 5.1.2 Host or domain name not found (Name service error: Host not found)',
    title: 'Address not found',
    explained: "because the domain couldn't be found",
  },
};

/** A non-delivery report to the envelope sender, long after the server's 250. */
export function bounce(original: Original, format: BounceFormat, reason: BounceReason, making: Making): Buffer {
  return FORMATS[format](original, CAUSES[reason], making);
}

/** A delay warning: not a failure, the message may still arrive. */
export function delayNotice(original: Original, format: DelayFormat, making: Making): Buffer {
  return DELAYS[format](original, making);
}

function headers(original: Original, making: Making, from: string, subject: string, ...more: Header[]): Header[] {
  return [
    ['Return-Path', '<>'],
    ['Date', mailDate(making.now)],
    ['From', from],
    ['To', original.envelopeFrom],
    ['Subject', subject],
    ['Message-ID', `<${making.id}@${getDomain(original.recipient)}>`],
    ...more,
  ];
}

const AUTO: Header = ['Auto-Submitted', 'auto-replied'];

/** The machine-readable part: one group of fields for the message, one for the recipient (RFC 3464). */
function deliveryStatus(...groups: Header[][]): Part {
  const body = groups.map((fields) => fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')).join('\r\n');
  return verbatim('message/delivery-status', body);
}

function report(boundary: string, ...parts: Part[]): Part {
  return multipart('report; report-type=delivery-status', boundary, parts);
}

function postfix(original: Original, cause: Cause, making: Making): Buffer {
  const host = `mail.${getDomain(original.recipient)}`;
  const explained = `This is the mail system at host ${host}.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

For further assistance, please send mail to postmaster.

If you do so, please include this problem report. You can
delete your own text from the attached returned message.

                   The mail system

<${original.recipient}>: host ${REMOTE} said: ${cause.said} (in
    reply to RCPT TO command)
`;
  const part = report(
    `${making.id}/${host}`,
    verbatim('text/plain; charset=us-ascii', lines(explained), ['Content-Description', 'Notification']),
    deliveryStatus(
      [
        ['Reporting-MTA', `dns; ${host}`],
        ['X-Postfix-Queue-ID', making.id],
        ['X-Postfix-Sender', `rfc822; ${original.envelopeFrom}`],
        ['Arrival-Date', mailDate(original.date)],
      ],
      [
        ['Final-Recipient', `rfc822; ${original.recipient}`],
        ['Original-Recipient', `rfc822;${original.recipient}`],
        ['Action', 'failed'],
        ['Status', cause.status],
        ['Remote-MTA', 'dns; mx.prospects.test'],
        ['Diagnostic-Code', `smtp; ${cause.said}`],
      ],
    ),
    verbatim('message/rfc822', createCopy(original), ['Content-Description', 'Undelivered Message']),
  );
  const from = `MAILER-DAEMON@${host} (Mail Delivery System)`;
  return message(headers(original, making, from, 'Undelivered Mail Returned to Sender', AUTO), part);
}

function exchange(original: Original, cause: Cause, making: Making): Buffer {
  const { recipient } = original;
  const host = 'AM9PR08MB6420.eurprd08.prod.outlook.test';
  const code = { '5.1.1': '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup' }[
    cause.status
  ];
  const status = code ? '5.1.10' : cause.status;
  const words = `Delivery has failed to these recipients or groups:\n\n${recipient}\nYour message wasn't delivered ${cause.explained}.\n\nDiagnostic information for administrators:\n\nGenerating server: ${host}\n\n${recipient}\nRemote server returned '${code ?? cause.said}'\n`;
  const html = `<html><body><p><b><font color="#000066" size="3">Delivery has failed to these recipients or groups:</font></b></p><p>${escaped(recipient)}<br>Your message wasn't delivered ${escaped(cause.explained)}.</p></body></html>\n`;
  const part = report(
    `_${making.id}_`,
    multipart('alternative', `_a${making.id}_`, [text('plain', words), text('html', html)]),
    deliveryStatus(
      [
        ['Reporting-MTA', `dns;${host}`],
        ['Received-From-MTA', 'dns;mail.sandbox.test'],
        ['Arrival-Date', mailDate(original.date)],
      ],
      [
        ['Final-Recipient', `rfc822;${recipient}`],
        ['Action', 'failed'],
        ['Status', status],
        ['Diagnostic-Code', `smtp;${code ?? cause.said}`],
        ['X-Display-Name', recipient],
      ],
    ),
    verbatim('message/rfc822', parseHeaders(original)),
  );
  const from = `Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@${getDomain(recipient)}>`;
  const more: Header[] = [AUTO, ['X-MS-Exchange-Message-Is-Ndr', ''], ...threadHeaders(original)];
  return message(headers(original, making, from, `Undeliverable: ${original.subject}`, ...more), part);
}

function gmail(original: Original, cause: Cause, making: Making): Buffer {
  const { recipient } = original;
  const words = `\n** ${cause.title} **\n\nYour message wasn't delivered to ${recipient} ${cause.explained}.\n\n\nThe response was:\n\n${cause.said}\n`;
  const html = `<html><body><table><tr><td><h2>${escaped(cause.title)}</h2>Your message wasn't delivered to <b>${escaped(recipient)}</b> ${escaped(cause.explained)}.</td></tr></table></body></html>\n`;
  const alternative = multipart('alternative', `a${making.id}`, [text('plain', words), text('html', html)]);
  const part = report(
    `r${making.id}`,
    multipart('related', `b${making.id}`, [alternative]),
    deliveryStatus(
      [
        ['Reporting-MTA', 'dns; googlemail.com'],
        ['Received-From-MTA', `dns; ${original.envelopeFrom}`],
        ['Arrival-Date', mailDate(original.date)],
        ['X-Original-Message-ID', original.messageId],
      ],
      [
        ['Final-Recipient', `rfc822; ${recipient}`],
        ['Action', 'failed'],
        ['Status', cause.status],
        ['Remote-MTA', 'dns; mx.prospects.test. (192.0.2.25, the server for the domain.)'],
        ['Diagnostic-Code', `smtp; ${cause.said}`],
        ['Last-Attempt-Date', mailDate(making.now)],
      ],
    ),
    verbatim('message/rfc822', createCopy(original)),
  );
  const from = 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>';
  const more: Header[] = [['X-Failed-Recipients', recipient], AUTO, ...threadHeaders(original)];
  return message(headers(original, making, from, 'Delivery Status Notification (Failure)', ...more), part);
}

/** Plain text without any structure, and without a header that identifies the system. */
function qmail(original: Original, cause: Cause, making: Making): Buffer {
  const host = `mail.${getDomain(original.recipient)}`;
  const body = `Hi. This is the qmail-send program at ${host}.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<${original.recipient}>:
192.0.2.25 does not like recipient.
Remote host said: ${cause.said}
Giving up on 192.0.2.25.

--- Below this line is a copy of the message.

Return-Path: <${original.envelopeFrom}>
`;
  const part = verbatim('text/plain; charset=us-ascii', lines(body) + createCopy(original));
  return message(headers(original, making, `MAILER-DAEMON@${host}`, 'failure notice'), part);
}

function exim(original: Original, cause: Cause, making: Making): Buffer {
  const host = `mail.${getDomain(original.recipient)}`;
  const body = `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ${original.recipient}
    host mx.prospects.test [192.0.2.25]
    SMTP error from remote mail server after RCPT TO:<${original.recipient}>:
    ${cause.said}

------ This is a copy of the message, including all the headers. ------

`;
  const part = verbatim('text/plain; charset=us-ascii', lines(body) + createCopy(original));
  const from = `Mail Delivery System <Mailer-Daemon@${host}>`;
  const more: Header[] = [['X-Failed-Recipients', original.recipient], AUTO];
  return message(headers(original, making, from, 'Mail delivery failed: returning message to sender', ...more), part);
}

const FORMATS: Record<BounceFormat, (original: Original, cause: Cause, making: Making) => Buffer> = {
  postfix,
  exchange,
  gmail,
  qmail,
  exim,
};

const STILL_TRYING = '451 4.4.1 Connection timed out';
const RETRY_FOR_MS = 4 * 86_400_000;

function delayedPostfix(original: Original, making: Making): Buffer {
  const host = `mail.${getDomain(original.recipient)}`;
  const words = `This is the mail system at host ${host}.\n\n####################################################################\n# THIS IS A WARNING ONLY.  YOU DO NOT NEED TO RESEND YOUR MESSAGE. #\n####################################################################\n\nYour message could not be delivered for more than 4 hour(s).\nIt will be retried until it is 5 day(s) old.\n\n<${original.recipient}>: connect to ${REMOTE}:25: Connection timed out\n`;
  const part = report(
    `${making.id}/${host}`,
    verbatim('text/plain; charset=us-ascii', lines(words)),
    delayedStatus(original, making, host),
    verbatim('text/rfc822-headers', parseHeaders(original)),
  );
  const from = `MAILER-DAEMON@${host} (Mail Delivery System)`;
  return message(headers(original, making, from, 'Delayed Mail (still being retried)', AUTO), part);
}

function delayedGmail(original: Original, making: Making): Buffer {
  const words = `\n** Delivery incomplete **\n\nThere was a temporary problem delivering your message to ${original.recipient}. Gmail will retry for 47 more hours. You'll be notified if the delivery fails permanently.\n`;
  const part = report(
    `r${making.id}`,
    multipart('alternative', `a${making.id}`, [text('plain', words)]),
    delayedStatus(original, making, 'googlemail.com'),
    verbatim('message/rfc822', createCopy(original)),
  );
  const from = 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>';
  const more: Header[] = [['X-Failed-Recipients', original.recipient], AUTO, ...threadHeaders(original)];
  return message(headers(original, making, from, 'Delivery Status Notification (Delay)', ...more), part);
}

function delayedExim(original: Original, making: Making): Buffer {
  const host = `mail.${getDomain(original.recipient)}`;
  const words = `This message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue on ${host}.\n\nThe address to which the message has not yet been delivered is:\n\n  ${original.recipient}\n    Delay reason: Connection timed out\n\nNo action is required on your part. Delivery attempts will continue for\nsome time, and this warning may be repeated at intervals if the message\nremains undelivered.\n`;
  const from = `Mail Delivery System <Mailer-Daemon@${host}>`;
  const subject = `Warning: message ${making.id} delayed 24 hours`;
  return message(
    headers(original, making, from, subject, AUTO),
    verbatim('text/plain; charset=us-ascii', lines(words)),
  );
}

function delayedStatus(original: Original, making: Making, host: string): Part {
  return deliveryStatus(
    [
      ['Reporting-MTA', `dns; ${host}`],
      ['Arrival-Date', mailDate(original.date)],
    ],
    [
      ['Final-Recipient', `rfc822; ${original.recipient}`],
      ['Action', 'delayed'],
      ['Status', '4.4.1'],
      ['Diagnostic-Code', `smtp; ${STILL_TRYING}`],
      ['Will-Retry-Until', mailDate(new Date(making.now.getTime() + RETRY_FOR_MS))],
    ],
  );
}

const DELAYS: Record<DelayFormat, (original: Original, making: Making) => Buffer> = {
  postfix: delayedPostfix,
  gmail: delayedGmail,
  exim: delayedExim,
};

const lines = (body: string): string => body.replace(/\n/g, '\r\n');
