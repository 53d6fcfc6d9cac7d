import { type AcceptedMail } from '../harness';

const REPLY_TEXTS: Readonly<Record<string, { type: 'plain' | 'html'; text: string }>> = {
  german: {
    type: 'html',
    text:
      '<html><body><div>Guten Tag,</div><div>das klingt sehr interessant. Rufen Sie mich bitte morgen an.</div>' +
      '<div><br></div><div class="gmail_quote"><div class="gmail_attr">Am Mo., 1. Nov. 2027 schrieb Grace:<br></div>' +
      '<blockquote class="gmail_quote"><p>Bitte tragen Sie mich aus der Liste aus.</p></blockquote></div></body></html>',
  },
  french: {
    type: 'plain',
    text: 'Bonjour,\n\nMerci, mais nous ne sommes pas intéressés.\n\nLe lun. 1 nov. 2027, Grace a écrit :\n> Oui',
  },
  spanish: { type: 'plain', text: 'Por favor, denme de baja de su lista.' },
  alias: { type: 'plain', text: 'Who else in our industry uses it?' },
  late: { type: 'plain', text: 'Olá,\n\nSim, tenho interesse. Podemos falar na quinta-feira?' },
};

/** Stores a reply of a person at people.test to an email. */
export function answerTo({ messageId, subject, from }: AcceptedMail, name: string, address: string): string {
  const { type, text } = REPLY_TEXTS[name]!;
  const headers = [
    `From: ${name} <${address}>`,
    `To: ${from}`,
    `Subject: Re: ${subject.replace(/^Re: /, '')}`,
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <answer.${address}>`,
    `In-Reply-To: ${messageId}`,
    `References: ${messageId}`,
    'MIME-Version: 1.0',
    `Content-Type: text/${type}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
  ];
  const body = Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  return `${headers.join('\r\n')}\r\n\r\n${body}\r\n`;
}
