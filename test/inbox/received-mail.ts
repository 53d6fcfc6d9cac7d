interface MailFile {
  name: string;
  type?: string;
  content: Buffer;
}

export interface MailParts {
  from: string;
  replyTo: string;
  inReplyTo: string;
  references: string;
  subject: string;
  text: string;
  id: string;
  files: readonly MailFile[];
}
let serial = 0;

/** A reply, optionally with files. */
export function mailFrom({
  from,
  replyTo = '',
  inReplyTo,
  references = inReplyTo,
  subject = 'Re: Your roadmap',
  text = 'Thanks, who else uses it?',
  id = `<answer-${process.pid}-${(serial += 1)}@elsewhere.test>`,
  files = [],
}: Partial<MailParts> & Pick<MailParts, 'from'>): string {
  const head =
    `From: Ada Lovelace <${from}>\nTo: grace@senders.test\nMessage-ID: ${id}\nSubject: ${subject}\n` +
    (replyTo ? `Reply-To: ${replyTo}\n` : '') +
    (inReplyTo ? `In-Reply-To: ${inReplyTo}\n` : '') +
    (references ? `References: ${references}\n` : '') +
    'MIME-Version: 1.0\n';
  const body = `Content-Type: text/plain; charset=utf-8\n\n${text}\n`;
  if (files.length === 0) return head + body;
  const parts = [body, ...files.map(partOf)].map((part) => `--part\n${part}\n`).join('');
  return `${head}Content-Type: multipart/mixed; boundary="part"\n\n${parts}--part--\n`;
}

function partOf({ name, type = 'application/pdf', content }: MailFile): string {
  const word = `=?utf-8?B?${Buffer.from(name).toString('base64')}?=`;
  const base64 = content.toString('base64').replaceAll(/.{76}/g, '$&\n');
  return (
    `Content-Type: ${type}; name="${word}"\nContent-Disposition: attachment; filename="${word}"\n` +
    `Content-Transfer-Encoding: base64\n\n${base64}`
  );
}
