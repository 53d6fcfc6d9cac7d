import { getVisibleText } from './visible-text';

const OWN = 'Thanks for writing.\nTuesday at ten is fine.';
const QUOTED = '> Hello Jane,\n> shall we talk?\n>\n> Tom';
const BARE = 'Hello Jane,\nshall we talk?\n\nTom';

/** Lines that clients write above a quote, by language. */
const ATTRIBUTIONS: readonly string[] = [
  'On Mon, Jan 5, 2026 at 10:00 AM Tom Miller <tom@ours.example> wrote:',
  'On Mon, Jan 5, 2026 at 10:00 AM Tom Miller\n<tom@ours.example> wrote:',
  'On 5 Jan 2026, at 10:00, Tom Miller\n<a.very.long.address.of.tom.miller@ours.example>\nwrote:',
  'Am Mo., 5. Jan. 2026 um 10:00 Uhr schrieb Tom Miller <tom@ours.example>:',
  'Am 05.01.2026 um 10:00 schrieb Tom Miller:',
  'Le lun. 5 janv. 2026 à 10:00, Tom Miller <tom@ours.example> a écrit :',
  'El lun, 5 ene 2026 a las 10:00, Tom Miller (<tom@ours.example>) escribió:',
  'Em seg., 5 de jan. de 2026 às 10:00, Tom Miller <tom@ours.example> escreveu:',
  'Op ma 5 jan 2026 om 10:00 schreef Tom Miller <tom@ours.example>:',
  'Il giorno lun 5 gen 2026 alle ore 10:00 Tom Miller <tom@ours.example> ha scritto:',
  'pon., 5 sty 2026 o 10:00 Tom Miller <tom@ours.example> napisał(a):',
  'Den mån 5 jan. 2026 kl 10:00 skrev Tom Miller <tom@ours.example>:',
  'Den man. 5. jan. 2026 kl. 10.00 skrev Tom Miller <tom@ours.example>:',
  'man. 5. jan. 2026 kl. 10:00 skrev Tom Miller <tom@ours.example>:',
  'ma 5. tammik. 2026 klo 10.00 Tom Miller (tom@ours.example) kirjoitti:',
  'po 5. 1. 2026 v 10:00 odesílatel Tom Miller <tom@ours.example> napsal:',
  'пн, 5 янв. 2026 г. в 10:00, Tom Miller <tom@ours.example>:',
  'Понедельник, 5 января 2026, 10:00 +03:00 от Tom Miller <tom@ours.example>:',
  '05.01.2026, 10:00, "Tom Miller" <tom@ours.example>:',
  '2026年1月5日(月) 10:00 Tom Miller <tom@ours.example>:',
  'Tom Miller <tom@ours.example> 于2026年1月5日周一 10:00写道：',
  '2026년 1월 5일 (월) 오전 10:00, Tom Miller <tom@ours.example>님이 작성:',
  'Tom Miller <tom@ours.example>, 5 Oca 2026 Pzt, 10:00 tarihinde şunu yazdı:',
];

/** Lines that separate a message from unmarked history. */
const DIVIDERS: readonly string[] = [
  '-----Original Message-----\nFrom: Tom <tom@ours.example>\nSent: Monday, January 5, 2026 10:00 AM\nTo: Jane\nSubject: Hello',
  'From: Tom <tom@ours.example>\nSent: Monday, January 5, 2026 10:00 AM\nTo: Jane\nSubject: Hello',
  '________________________________\nFrom: Tom <tom@ours.example>\nSent: Monday, January 5, 2026 10:00\nTo: Jane\nSubject: Hello',
  '-----Ursprüngliche Nachricht-----\nVon: Tom\nGesendet: Montag, 5. Januar 2026 10:00\nAn: Jane\nBetreff: Hallo',
  'Von: Tom\nGesendet: Montag, 5. Januar 2026 10:00\nAn: Jane\nBetreff: Hallo',
  'De : Tom\nEnvoyé : lundi 5 janvier 2026 10:00\nÀ : Jane\nObjet : Bonjour',
  'De: Tom\nEnviado: lunes, 5 de enero de 2026 10:00\nPara: Jane\nAsunto: Hola',
  'De: Tom\nEnviada em: segunda-feira, 5 de janeiro de 2026 10:00\nPara: Jane\nAssunto: Olá',
  'Van: Tom\nVerzonden: maandag 5 januari 2026 10:00\nAan: Jane\nOnderwerp: Hallo',
  'Da: Tom\nInviato: lunedì 5 gennaio 2026 10:00\nA: Jane\nOggetto: Ciao',
  'Od: Tom\nWysłano: poniedziałek, 5 stycznia 2026 10:00\nDo: Jane\nTemat: Cześć',
  'Från: Tom\nSkickat: den 5 januari 2026 10:00\nTill: Jane\nÄmne: Hej',
  'Fra: Tom\nSendt: 5. januar 2026 10:00\nTil: Jane\nEmne: Hej',
  'Lähettäjä: Tom\nLähetetty: maanantai 5. tammikuuta 2026 10.00\nVastaanottaja: Jane\nAihe: Hei',
  'Od: Tom\nOdesláno: pondělí 5. ledna 2026 10:00\nKomu: Jane\nPředmět: Ahoj',
  'От: Tom\nОтправлено: 5 января 2026 г. 10:00\nКому: Jane\nТема: Привет',
  '差出人: Tom\n送信日時: 2026年1月5日 10:00\n宛先: Jane\n件名: こんにちは',
  '发件人: Tom\n发送时间: 2026年1月5日 10:00\n收件人: Jane\n主题: 你好',
  '------------------ 原始邮件 ------------------\n发件人: "Tom";\n发送时间: 2026年1月5日',
  '보낸 사람: Tom\n보낸 날짜: 2026년 1월 5일\n받는 사람: Jane\n제목: 안녕',
  '*From:* Tom <tom@ours.example>\n*Sent:* Monday, January 5, 2026\n*To:* Jane\n*Subject:* Hello',
  '---------- Forwarded message ---------\nFrom: Tom <tom@ours.example>\nDate: Mon, Jan 5, 2026\nSubject: Hello\nTo: Jane',
  'Begin forwarded message:\n\nFrom: Tom <tom@ours.example>\nSubject: Hello\nDate: January 5, 2026\nTo: Jane',
  '-----Tom Miller wrote: -----\nTo: Jane\nFrom: Tom\nDate: 01/05/2026 10:00\nSubject: Hello',
  '---- On Mon, 05 Jan 2026 10:00:00 +0000 tom@ours.example wrote ----',
  '-------- Message d’origine --------\nDe : Tom\nDate : 05/01/2026 10:00\nÀ : Jane\nObjet : Bonjour',
];

const p = (text: string) => `<p>${text.replaceAll('\n', '<br>')}</p>`;
const HTML_QUOTED = '<p>Hello Jane,</p><p>shall we talk?</p>';

/** Markup of history in the HTML of clients. */
const HTML_CLIENTS: ReadonlyArray<readonly [client: string, quote: string]> = [
  [
    'Gmail',
    `<div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, Jan 5, 2026 Tom wrote:<br></div><blockquote class="gmail_quote" style="margin:0 0 0 0.8ex;border-left:1px solid">${HTML_QUOTED}</blockquote></div>`,
  ],
  [
    'Outlook',
    `<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in"><p class="MsoNormal"><b>From:</b> Tom<br><b>Sent:</b> Monday<br><b>Subject:</b> Hello</p></div>${HTML_QUOTED}`,
  ],
  [
    'Outlook on the web',
    `<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg"><b>From:</b> Tom<br></div>${HTML_QUOTED}`,
  ],
  ['Outlook, new', `<div id="mail-editor-reference-message-container">${HTML_QUOTED}</div>`],
  ['Outlook for iOS', `<div id="ms-outlook-mobile-body-separator-line"></div>${HTML_QUOTED}`],
  [
    'Apple Mail',
    `<div><br><blockquote type="cite"><div>On 5 Jan 2026, at 10:00, Tom &lt;t@x.y&gt; wrote:</div></blockquote></div><blockquote type="cite">${HTML_QUOTED}</blockquote>`,
  ],
  [
    'Thunderbird',
    `<div class="moz-cite-prefix">Am 05.01.26 um 10:00 schrieb Tom:<br></div><blockquote type="cite" cite="mid:x">${HTML_QUOTED}</blockquote>`,
  ],
  ['Yahoo', `<div id="yahoo_quoted_123" class="yahoo_quoted"><div>On Monday Tom wrote:</div>${HTML_QUOTED}</div>`],
  [
    'ProtonMail',
    `<div class="protonmail_quote">On Monday Tom wrote:<br><blockquote class="protonmail_quote">${HTML_QUOTED}</blockquote></div>`,
  ],
  ['Zimbra', `<hr id="zwchr" data-marker="__DIVIDER__"><div><b>From: </b>Tom</div>${HTML_QUOTED}`],
  ['GMX', `<div name="quote" style="margin:10px 5px"><div><b>Gesendet:</b> Montag</div>${HTML_QUOTED}</div>`],
  ['Zoho', `<div class="zmail_extra">---- On Mon, 05 Jan 2026 Tom wrote ----<br>${HTML_QUOTED}</div>`],
  [
    'Samsung',
    `<div>-------- Original message --------</div><div>From: Tom</div><div>Date: 05/01/2026 10:00</div>${HTML_QUOTED}`,
  ],
  [
    'mail.ru',
    `<blockquote style="border-left:1px solid #0857A6"><div>Понедельник, 5 января 2026, 10:00 от Tom:</div>${HTML_QUOTED}</blockquote>`,
  ],
  [
    'QQ',
    `<div style="font-size:12px">------------------ Original ------------------</div><div><b>From:</b> Tom</div>${HTML_QUOTED}`,
  ],
  [
    'no client that is known',
    `<div>On Mon, Jan 5, 2026 at 10:00 AM Tom &lt;tom@ours.example&gt; wrote:</div>${HTML_QUOTED}`,
  ],
];

describe('getVisibleText', () => {
  describe('of text', () => {
    it.each(ATTRIBUTIONS)('removes the history after "%s"', (attribution) => {
      expect(getVisibleText({ text: `${OWN}\n\n${attribution}\n\n${QUOTED}` })).toEqual({
        text: OWN,
        quoted: true,
        signature: null,
      });
    });

    it.each(ATTRIBUTIONS)('removes the unmarked history after "%s"', (attribution) => {
      expect(getVisibleText({ text: `${OWN}\n\n${attribution}\n${BARE}` }).text).toBe(OWN);
    });

    it.each(ATTRIBUTIONS)('keeps a reply below "%s"', (attribution) => {
      expect(getVisibleText({ text: `${attribution}\n${QUOTED}\n\n${OWN}` }).text).toBe(OWN);
    });

    it.each(DIVIDERS)('removes the history after "%s"', (divider) => {
      expect(getVisibleText({ text: `${OWN}\n\n${divider}\n\n${BARE}` })).toEqual({
        text: OWN,
        quoted: true,
        signature: null,
      });
    });

    it('keeps the replies between quoted lines', () => {
      const text = `Hi,\n\n${ATTRIBUTIONS[0]}\n> Shall we talk?\n\nYes.\n\n> When?\n\nOn Tuesday.`;
      expect(getVisibleText({ text }).text).toBe('Hi,\n\nYes.\n\nOn Tuesday.');
    });

    it('removes a quote of thirty levels', () => {
      const levels = Array.from({ length: 30 }, (_, level) => `${'> '.repeat(level + 1)}Level ${level}`).join('\n');
      expect(getVisibleText({ text: `${OWN}\n\n${ATTRIBUTIONS[0]}\n${levels}` }).text).toBe(OWN);
    });

    it('removes a gateway’s warning at the top', () => {
      const warning = 'CAUTION: This email originated from outside of the organization.\nDo not click links.';
      expect(getVisibleText({ text: `${warning}\n\n${OWN}` }).text).toBe(OWN);
    });

    it.each([
      'On the other hand, we wrote a tool ourselves.\nIt works.',
      'As I wrote on 5 May:\nwe have no need.',
      'From: our side it is fine.\nThe data comes from: a list.',
      'The times are\n15.01.2026 14:30\n01/16/2026 at 2:30 PM\nWhich one?',
      'Here is the list:\n-- first\n-- second\n\nRegards to your boss, he knows it.',
    ])('keeps text that only resembles history: "%s"', (text) => {
      expect(getVisibleText({ text })).toEqual({ text, quoted: false, signature: null });
    });

    it('returns all of a mail that only forwards, because it may contain the reply', () => {
      const text = `${DIVIDERS[21]}\n\n${BARE}`;
      expect(getVisibleText({ text })).toEqual({ text, quoted: true, signature: null });
    });

    it('returns all of a mail that consists of quoted lines only', () => {
      expect(getVisibleText({ text: '> Yes, let us talk.' })).toEqual({
        text: 'Yes, let us talk.',
        quoted: false,
        signature: null,
      });
    });
  });

  describe('of HTML', () => {
    it.each(HTML_CLIENTS)('removes the quotes of %s', (_, quote) => {
      const html = `<html><head><style>p{}</style></head><body>${p(OWN)}${quote}</body></html>`;
      expect(getVisibleText({ html })).toEqual({ text: OWN, quoted: true, signature: null });
    });

    it('prefers HTML with a marked quote to text without marks', () => {
      const html = `${p(OWN)}<div id="divRplyFwdMsg"></div>${HTML_QUOTED}`;
      expect(getVisibleText({ text: `${OWN}\nHello Jane,\nshall we talk?`, html }).text).toBe(OWN);
    });

    it('keeps replies between the quotes', () => {
      const html =
        '<div>On Mon, 5 Jan 2026 10:00, Tom wrote:</div><blockquote>Shall we?</blockquote><div>Yes.</div><blockquote>When?</blockquote><div>Now.</div>';
      expect(getVisibleText({ html }).text).toBe('Yes.\n\nNow.');
    });

    it("keeps the writer's own indentation", () => {
      const html = `${p('Our terms:')}<blockquote style="margin:0 0 0 40px;border:none;padding:0px"><div>30 days</div></blockquote>`;
      expect(getVisibleText({ html }).text).toBe('Our terms:\n\n30 days');
    });

    it('returns the text of an unattributed quote when there is no other text', () => {
      expect(getVisibleText({ html: '<blockquote>Yes, let us talk.</blockquote>' })).toEqual({
        text: 'Yes, let us talk.',
        quoted: false,
        signature: null,
      });
    });

    it.each([
      ['Gmail', '<div class="gmail_signature">Jane Doe<br>Acme</div>'],
      ['Thunderbird', '<div class="moz-signature">Jane Doe<br>Acme</div>'],
      ['Outlook', '<div id="Signature"><p>Jane Doe<br>Acme</p></div>'],
      ['Spark', '<div name="messageSignatureSection">Jane Doe<br>Acme</div>'],
    ])('removes the signature marked by %s', (_, signature) => {
      expect(getVisibleText({ html: p(OWN) + signature })).toEqual({
        text: OWN,
        quoted: false,
        signature: 'Jane Doe\nAcme',
      });
    });

    it('reads lists, tables, preformatted text and references, and no hidden text', () => {
      const html =
        '<title>No</title><script>no()</script><div style="display:none">no</div><ul><li>one</li><li>two</li></ul><table><tr><td>a</td><td>b</td></tr></table><pre>x\n  y</pre>&euro;&nbsp;5';
      expect(getVisibleText({ html }).text).toBe('- one\n- two\n\na b\n\nx\n  y\n\n€ 5');
    });
  });

  describe('signatures', () => {
    it.each([
      ['-- \nJane Doe\nAcme'],
      ['--\nJane Doe\n+49 30 1234567'],
      ['Best regards,\nJane Doe\nCEO | Acme\n+1 555 123 4567\nwww.acme.example'],
      ['Thanks,\nJane'],
      ['Thanks and regards\nJane'],
      ['Mit freundlichen Grüßen\n\nJane Doe\nGeschäftsführerin'],
      ['Viele Grüße aus Berlin\nJane'],
      ['Cordialement,\nJane Doe'],
      ['Bien à vous,\nJane'],
      ['Un saludo,\nJane'],
      ['Atenciosamente,\nJane'],
      ['Met vriendelijke groet,\nJane'],
      ['Cordiali saluti,\nJane'],
      ['Pozdrawiam serdecznie\nJane'],
      ['Med vänliga hälsningar\nJane'],
      ['Med venlig hilsen\nJane'],
      ['Vennlig hilsen\nJane'],
      ['Ystävällisin terveisin\nJane'],
      ['S pozdravem\nJane'],
      ['С уважением,\nJane'],
      ['Sent from my iPhone'],
      ['Get Outlook for iOS'],
      ['Von meinem iPhone gesendet'],
      ['Envoyé de mon iPhone'],
      ['Enviado desde mi iPhone'],
      ['Inviato da iPhone'],
      ['Jane Doe\nTel: +49 30 1234567\nwww.acme.example'],
      [
        'This e-mail and any attachments are confidential and intended solely for the addressee.\nIf you are not the addressee, delete it.',
      ],
    ])('are removed: "%s"', (signature) => {
      const found = getVisibleText({ text: `${OWN}\n\n${signature}\n\n${ATTRIBUTIONS[0]}\n${QUOTED}` });
      expect(found).toEqual({ text: OWN, quoted: true, signature });
    });

    it.each(['Thanks!', 'Thanks, that helps.', 'Best regards to your team. We will call.', 'Gracias', 'Regards'])(
      'are not "%s" alone',
      (text) => {
        expect(getVisibleText({ text }).text).toBe(text);
      },
    );

    it('end where a postscript begins', () => {
      const found = getVisibleText({ text: `${OWN}\n\nBest,\nJane\n\nPS: bring the contract` });
      expect(found).toEqual({ text: `${OWN}\n\nPS: bring the contract`, quoted: false, signature: 'Best,\nJane' });
    });

    it('do not begin above a question', () => {
      const text = 'Kind regards\n\nCan you send me the price list of the new models?';
      expect(getVisibleText({ text }).text).toBe(text);
    });
  });
});
