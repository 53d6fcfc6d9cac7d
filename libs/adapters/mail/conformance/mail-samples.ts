import { randomBytes } from 'node:crypto';
import { type ComposedMessage } from '../port/send';

/** A fresh Message-ID with angle brackets. */
export function newMessageId(): string {
  return `<${randomBytes(12).toString('hex')}@conformance.test>`;
}

interface Sample {
  to: string;
  messageId?: string;
  subject?: string;
  from?: string;
}

/** A small incoming message. */
export function plainMail({ to, messageId = newMessageId(), subject = 'Hello', from }: Sample): Buffer {
  return lines([
    `From: Ada Lovelace <${from ?? 'ada@elsewhere.test'}>`,
    `To: <${to}>`,
    `Subject: ${subject}`,
    `Message-ID: ${messageId}`,
    'In-Reply-To: <earlier@conformance.test>',
    'References: <first@conformance.test> <earlier@conformance.test>',
    'Date: Fri, 20 Nov 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Good morning.',
    '.a line that begins with a dot',
    '',
  ]);
}

/** 300 binary bytes. */
export const BYTES = Buffer.from(Array.from({ length: 300 }, (_, index) => index % 256));

/** A message with a text and two attachments: binary data, and a text whose name needs encoding. */
export function mailWithAttachments(to: string, messageId = newMessageId()): Buffer {
  return lines([
    'From: Ada Lovelace <ada@elsewhere.test>',
    `To: <${to}>`,
    'Subject: =?utf-8?B?w5xiZXJzaWNodA==?=',
    `Message-ID: ${messageId}`,
    'Date: Fri, 20 Nov 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b1"',
    '',
    '--b1',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Two files.',
    '--b1',
    'Content-Type: application/octet-stream; name="data.bin"',
    'Content-Disposition: attachment; filename="data.bin"',
    'Content-Transfer-Encoding: base64',
    '',
    ...(BYTES.toString('base64').match(/.{1,76}/g) ?? []),
    '--b1',
    'Content-Type: text/csv; charset=utf-8',
    "Content-Disposition: attachment; filename*=UTF-8''%C3%9Cbersicht.csv",
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'name;Stra=C3=9Fe',
    '--b1--',
    '',
  ]);
}

/** A finished message from a mailbox to a recipient. */
export function outgoing(from: string, to: string, messageId = newMessageId()): ComposedMessage {
  return { envelope: { from, to }, messageId, raw: plainMail({ from, to, messageId }) };
}

function lines(all: string[]): Buffer {
  return Buffer.from(all.join('\r\n'));
}
