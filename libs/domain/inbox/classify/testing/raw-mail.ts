/** Builds a raw message from its header fields and its body. */
export function rawMail(fields: Readonly<Record<string, string>>, body: string): Buffer {
  const header = Object.entries({ To: 'me@us.test', ...fields }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${header.join('\r\n')}\r\n\r\n${body.replaceAll('\n', '\r\n')}`);
}

const DAEMON = { From: 'Mail Delivery System <MAILER-DAEMON@mx.test>', Subject: 'Undelivered Mail Returned to Sender' };

/** A plain-text report by a program that is easy to recognise. */
export function rawNotice(body: string, fields: Readonly<Record<string, string>> = {}): Buffer {
  return rawMail({ ...DAEMON, ...fields }, body);
}

/** Parts of a message: content type and text. */
export type RawPart = readonly [string, string];

export function rawParts(fields: Readonly<Record<string, string>>, subtype: string, parts: readonly RawPart[]): Buffer {
  const body = parts.map(([type, text]) => `--next\nContent-Type: ${type}\n\n${text}\n`).join('');
  return rawMail({ ...fields, 'Content-Type': `multipart/${subtype}; boundary="next"` }, `${body}--next--\n`);
}

/** A delivery status notification (RFC 3464): text, fields of the recipients, returned message. */
export function rawReport(
  told: string,
  recipients: readonly string[],
  { returned = RETURNED, fields = {} }: { returned?: string; fields?: Readonly<Record<string, string>> } = {},
): Buffer {
  const status = ['Reporting-MTA: dns; mx.test', ...recipients].join('\n\n');
  return rawParts({ ...DAEMON, 'Auto-Submitted': 'auto-replied', ...fields }, 'report; report-type=delivery-status', [
    ['text/plain', told],
    ['message/delivery-status', status],
    ['message/rfc822', returned],
  ]);
}

const RETURNED = 'From: me@us.test\nTo: ada@acme.test\nSubject: Hello\nMessage-ID: <sent-1@us.test>\n\nHello Ada';
