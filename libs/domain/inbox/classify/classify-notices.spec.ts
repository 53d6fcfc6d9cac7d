import { type Classification } from './classification';
import { classify } from './classify';
import { parseMail } from './mail-parsing';
import { bounceRules } from './rules/bounce-rules';
import { rawNotice } from './testing/raw-mail';

async function classified(raw: Buffer): Promise<Classification> {
  return classify(await parseMail(raw), () => null);
}

const about = '<ada@acme.test>';
const NOTICES: readonly (readonly [string, string, string])[] = [
  [
    'qmail',
    'hard',
    `Hi. This is the qmail-send program at mx.test.\nI'm afraid I wasn't able to deliver your message to the following addresses.\n\n${about}:\nSorry, no mailbox here by that name. (#5.1.1)\n`,
  ],
  [
    'exim',
    'hard',
    `This message was created automatically by mail delivery software.\n\nThe following address(es) failed:\n\n  ada@acme.test\n    Unrouteable address\n`,
  ],
  [
    'postfix',
    'policy',
    `I'm sorry to have to inform you that your mail came back.\n\n${about}: host mx said: 554 5.7.1 blocked using zen.spamhaus.org\n`,
  ],
  [
    'sendmail',
    'hard',
    `   ----- The following addresses had permanent fatal errors -----\n${about}\n    (reason: 550 5.1.1 User unknown)\n`,
  ],
  [
    'exchange',
    'hard',
    `Your message\n\n  To: us@us.test\n  Subject: x\n\ndid not reach the following recipient(s):\n\nada@acme.test on Thu, 29 Apr 2010 16:51:51\n    The recipient name is not recognized\n    MSEXCH:IMS:A:B 0 (000C05A6) Unknown Recipient\n`,
  ],
  [
    'domino',
    'hard',
    `Your message\n\n  Subject: x\n\nwas not delivered to:\n\n  ada@acme.test\n\nbecause:\n\n  User ada (ada@acme.test) not listed in Domino Directory\n`,
  ],
  [
    'groupwise',
    'soft',
    `The message that you sent was undeliverable to the following:\n\n\tada@acme.test (mailbox is full)\n`,
  ],
  [
    'google',
    'soft',
    `Delivery to the following recipient failed permanently:\n\n     ada@acme.test\n\nTechnical details of permanent failure:\nsocket error\n`,
  ],
  [
    'yahoo',
    'hard',
    `Unable to deliver message to the following address(es).\n\n${about}:\nThis user doesn't have a yahoo.com account\n`,
  ],
  ['courier', 'hard', `This is a delivery status notification from mx.test.\n\n${about}:\n  550 User unknown.\n`],
  [
    'mdaemon',
    'soft',
    `The attached message had PERMANENT fatal delivery errors!\n\n> ada@acme.test\n\n 552 Message would exceed mailbox quota\n`,
  ],
  ['mailenable', 'hard', `MailEnable: it failed.\n\n\tRecipient: [SMTP:ada@acme.test]\n\tReason: 550 No such user\n`],
  ['james', 'hard', `Hi. This is the James mail server at mx.test.\n\nada@acme.test\nRemote said: 550 User unknown\n`],
  ['imail', 'hard', `Unknown user: ada@acme.test\n\n`],
  [
    'mailmarshal',
    'hard',
    `Your message:\n   From: me@us.test\n\nCould not be delivered because of\n\n550 5.1.1 User unknown\n\nThe following recipients were affected:\n    ada@acme.test\n`,
  ],
  ['mfilter', 'hard', `ada@acme.test\n\n-------server message\n550 unknown user\n`],
  ['interscan', 'hard', `Sent <<< RCPT TO:<ada@acme.test>\nReceived >>> 550 5.1.1 unknown user.\n`],
  [
    'netscape',
    'soft',
    `This Message was undeliverable due to the following reason:\n\nHost acme.test is not responding.\n\n     ${about}\n`,
  ],
  [
    'mailfoundry',
    'hard',
    `To: ${about}\nDelivery failed for the following reason:\nServer failed with: 550 No such user here\n`,
  ],
  [
    'hmailserver',
    'hard',
    `Your message did not reach some or all of the intended recipients.\n\n   ada@acme.test\n   Error Type: SMTP\n   550 Unknown user\n`,
  ],
  [
    'kddi',
    'soft',
    `Your mail sent on: Thu, 29 Apr 2010 11:04:47\n     Could not be delivered to: ${about}\n     As their mailbox is full.\n`,
  ],
  ['ezweb', 'hard', `The user(s) account is disabled.\n\n${about}: 550 user unknown\n`],
  [
    'sun',
    'hard',
    `This report relates to a message you sent with the following header fields:\n\n  Recipient address: ada@acme.test\n  Reason: Illegal host/domain name found\n`,
  ],
  ['powermta', 'hard', `Hello, this is the mail server on mx.test.\n\n${about}\n  550 no such user\n`],
  [
    'ses',
    'hard',
    `An error occurred while trying to deliver the mail to the following recipients:\nada@acme.test\n550 no such user`,
  ],
  ['webshield', 'hard', `------ Failed Recipients ------\n\n${about}: mailbox unavailable. [SMTP Error Code 550]\n`],
  ['zoho', 'soft', `ada@acme.test Invalid Address, ERROR_CODE :550, ERROR_CODE :5.2.2 Mailbox Full\n`],
  [
    'aol',
    'policy',
    `Your mail to the following recipients could not be delivered because they are not accepting mail with attachments:\n\tada@acme.test\n`,
  ],
  [
    'trouble',
    'hard',
    `We had trouble delivering your message.\n\nSMTP Server <mx.test> rejected recipient ${about}. It responded: [550 5.1.1 User unknown]\n`,
  ],
  ['report', 'hard', `The following message could not be delivered.\n\nada@acme.test\n550 no such user\n`],
  ['report.de', 'hard', `Die Nachricht konnte nicht zugestellt werden.\n\nada@acme.test\nEmpfänger unbekannt\n`],
  ['report.fr', 'hard', `Votre message n'a pas pu être remis.\n\nada@acme.test\nDestinataire inconnu\n`],
  ['report.es', 'hard', `No se pudo entregar su mensaje.\n\nada@acme.test\nUsuario desconocido\n`],
  ['report.pt', 'hard', `Não foi possível entregar a mensagem.\n\nada@acme.test\nUsuário inexistente\n`],
  ['report.it', 'hard', `Impossibile recapitare il messaggio.\n\nada@acme.test\nUtente sconosciuto\n`],
  ['report.nl', 'hard', `Uw bericht kan niet worden bezorgd.\n\nada@acme.test\nOnbekende gebruiker\n`],
  ['report.nordic', 'hard', `Meddelandet kunde inte levereras.\n\nada@acme.test\nMottagaren hittades inte\n`],
  [
    'report.pl',
    'hard',
    `Wiadomość nie mogła zostać dostarczona.\n\nada@acme.test\nAdresat nieznany, użytkownik nie istnieje\n`,
  ],
  ['report.ru', 'hard', `Не удалось доставить письмо.\n\nada@acme.test\nПользователь не найден\n`],
  ['report.zh', 'hard', `您的邮件无法投递。\n\nada@acme.test\n用户不存在\n`],
  ['report.ja', 'hard', `メールを配信できませんでした。\n\nada@acme.test\nユーザーが見つかりません\n`],
  ['report.ko', 'hard', `메일을 전송하지 못했습니다 (반송).\n\nada@acme.test\n사용자를 찾을 수 없습니다\n`],
  ['unknown-format', 'soft', `Fjyvzb qe wkpz.\n\nada@acme.test\n`],
];

describe('a report for people', () => {
  it.each(NOTICES)('in the format of %s is %s and names its recipient', async (format, verdict, body) => {
    const found = await classified(rawNotice(body));
    expect(found).toMatchObject({ verdict, recipients: [{ address: 'ada@acme.test' }] });
    expect(found.rule.split('/')[0]).toBe(format);
  });

  it('names every recipient with its own outcome', async () => {
    const body = `I'm afraid I wasn't able to deliver your message.\n\n<a@acme.test>:\nNo such user\n\n<b@acme.test>:\nMailbox full\n`;
    expect((await classified(rawNotice(body))).recipients).toMatchObject([
      { address: 'a@acme.test', verdict: 'hard' },
      { address: 'b@acme.test', verdict: 'soft' },
    ]);
  });

  it('is read by X-Failed-Recipients', async () => {
    const notice = rawNotice('Something failed.\n\n550 No such user', { 'X-Failed-Recipients': 'ada@acme.test' });
    expect((await classified(notice)).recipients).toMatchObject([{ address: 'ada@acme.test', verdict: 'hard' }]);
  });

  it('without an address finds it in the VERP return path, rewritten (SRS) or not', async () => {
    for (const to of ['bounces+ada=acme.test@us.test', 'SRS0=h4sh=TT=us.test=bounces+ada=acme.test@relay.test']) {
      const { recipients } = await classified(rawNotice('550 No such user', { To: to }));
      expect(recipients).toMatchObject([{ address: 'ada@acme.test', verdict: 'hard' }]);
    }
  });

  it('without an address finds recipient and message in the returned message', async () => {
    const body = `550 No such user\n\n--- Below this line is a copy of the message.\n\nReturn-Path: <me@us.test>\nTo: ada@acme.test\nMessage-ID: <sent-2@us.test>\n\nHello`;
    expect(await classified(rawNotice(body))).toMatchObject({
      recipients: [{ address: 'ada@acme.test' }],
      originalMessageId: '<sent-2@us.test>',
    });
  });

  it('without a recipient still has a verdict', async () => {
    expect(await classified(rawNotice('550 No such user'))).toMatchObject({ verdict: 'hard', recipients: [] });
  });

  it('does not treat our own address or the postmaster’s as the recipient', async () => {
    const body = `Your message from me@us.test could not be delivered.\nAsk postmaster@mx.test for help.\n\nada@acme.test: No such user\n`;
    expect((await classified(rawNotice(body))).recipients.map(({ address }) => address)).toEqual(['ada@acme.test']);
  });
});

it('has a labelled sample for every format', () => {
  const sampled = new Set(NOTICES.map(([format]) => format));
  expect(bounceRules.value.format.formats.map(({ name }) => name).filter((name) => !sampled.has(name))).toEqual([]);
});
