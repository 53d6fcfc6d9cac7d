import { mailDate, message, multipart, verbatim } from './mime.mts';
import { createCopy, getDomain, type Making, type Original } from './original.mts';

/** Returns the report that a provider's feedback loop sends when a recipient reports spam (ARF, RFC 5965). */
export function complaint(original: Original, making: Making): Buffer {
  const host = getDomain(original.recipient);
  const words = `This is an email abuse report for an email message received from IP 192.0.2.1\r\non ${mailDate(original.date)}.\r\nFor more information about this format please see RFC 5965.\r\n`;
  const facts = [
    'Feedback-Type: abuse',
    'User-Agent: MailSandbox-FBL/1.0',
    'Version: 1',
    `Original-Mail-From: <${original.envelopeFrom}>`,
    `Original-Rcpt-To: <${original.recipient}>`,
    `Arrival-Date: ${mailDate(original.date)}`,
    'Source-IP: 192.0.2.1',
    `Reported-Domain: ${getDomain(original.fromAddress)}`,
  ];
  const part = multipart('report; report-type=feedback-report', `arf-${making.id}`, [
    verbatim('text/plain; charset=us-ascii', words),
    verbatim('message/feedback-report', `${facts.join('\r\n')}\r\n`),
    verbatim('message/rfc822', createCopy(original)),
  ]);
  return message(
    [
      ['Return-Path', `<fbl@${host}>`],
      ['Date', mailDate(making.now)],
      ['From', `Abuse Desk <fbl@${host}>`],
      ['To', original.envelopeFrom],
      ['Subject', `FW: ${original.subject}`],
      ['Message-ID', `<fbl.${making.id}@${host}>`],
    ],
    part,
  );
}
