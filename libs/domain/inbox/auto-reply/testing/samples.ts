import { type AutoReply } from '../auto-reply';
import { type Written } from './mail';

/** A mail with the expected rule and result. */
export type Sample = readonly [
  why: string,
  rule: string,
  kind: AutoReply['kind'],
  returnsOn: string | null,
  mail: Written,
];

const AWAY = 'out_of_office';
const AUTO = 'auto_reply';

/** By headers. */
export const BY_HEADERS: readonly Sample[] = [
  [
    'an Exchange out-of-office',
    'auto-submitted',
    AWAY,
    '2026-11-30',
    {
      subject: 'Automatic reply: Hello',
      text: 'I am out of the office until 30 November.',
      headers: { 'Auto-Submitted': 'auto-generated' },
    },
  ],
  [
    'a vacation program',
    'auto-submitted',
    AWAY,
    null,
    {
      subject: 'Re: Hello',
      text: 'On vacation. Will read it later.',
      headers: { 'Auto-Submitted': 'auto-replied (vacation)' },
    },
  ],
  [
    'a confirmation by a program',
    'auto-submitted',
    AUTO,
    null,
    { subject: 'Re: Hello', text: 'We have received your request.', headers: { 'Auto-Submitted': 'auto-replied' } },
  ],
  [
    'a notification of a sieve rule',
    'auto-submitted',
    AUTO,
    null,
    { text: 'Mail arrived', headers: { 'Auto-Submitted': 'auto-notified; owner-email="a@b.c"' } },
  ],
  ['cPanel', 'x-autoreply', AUTO, null, { text: 'Got it.', headers: { 'X-Autorespond': 'Hello' } }],
  [
    'an autoreply that names its kind',
    'x-autoreply',
    AUTO,
    null,
    { text: 'Got it.', headers: { 'X-Autoreply': 'yes' } },
  ],
  [
    'a Precedence of its own',
    'precedence-auto-reply',
    AUTO,
    null,
    { text: 'Got it.', headers: { Precedence: 'auto_reply' } },
  ],
  [
    'a rule of an Exchange mailbox',
    'exchange-generated',
    AWAY,
    null,
    { text: 'Ich bin im Urlaub.', headers: { 'X-MS-Exchange-Generated-Message-Source': 'Mailbox Rules Agent' } },
  ],
  ['FirstClass', 'vendor-auto-reply', AUTO, null, { text: 'Got it.', headers: { 'X-FC-MachineGenerated': 'true' } }],
  [
    'a sender that reads nothing',
    'no-reply-sender',
    AUTO,
    null,
    { text: 'Your order is on its way.', from: 'no-reply@shop.example' },
  ],
  [
    'an empty return path',
    'null-return-path',
    AWAY,
    '2026-12-02',
    { text: 'Out of office, back on 2 December.', headers: { 'Return-Path': '<>' } },
  ],
  [
    'a read receipt',
    'read-receipt',
    AUTO,
    null,
    {
      subject: 'Read: Hello',
      text: 'Your message was read.',
      parts: [{ contentType: 'message/disposition-notification' }],
    },
  ],
  [
    'an accepted invitation',
    'calendar-response',
    AUTO,
    null,
    {
      subject: 'Accepted: Demo',
      text: 'Yes',
      parts: [{ contentType: 'text/calendar', text: 'BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\n' }],
    },
  ],
  [
    'a newsletter',
    'newsletter',
    AUTO,
    null,
    {
      subject: 'News of November',
      text: 'Read on',
      inReplyTo: null,
      headers: { 'List-Unsubscribe': '<https://x.example/u>', 'List-Id': 'news' },
    },
  ],
];

/** By subjects, as programs write them in many languages. */
export const BY_SUBJECT: readonly Sample[] = [
  ...(
    [
      ['Automatic reply: Hello', 'I am away until 30 November 2026.', '2026-11-30'],
      ['Automatische Antwort: Hallo', 'Ich bin am 30.11.2026 wieder erreichbar und bis dahin abwesend.', '2026-11-30'],
      ['Réponse automatique : Bonjour', "Je suis absente jusqu'au 29 novembre.", '2026-11-30'],
      ['Respuesta automática: Hola', 'Estoy fuera de la oficina. Regreso el 30 de noviembre.', '2026-11-30'],
      ['Resposta automática: Olá', 'Estou de férias. Volto no dia 30 de novembro.', '2026-11-30'],
      ['Automatisch antwoord: Hallo', 'Ik ben afwezig. Op 30 november ben ik weer aanwezig.', '2026-11-30'],
      ['Risposta automatica: Ciao', 'Sono in ferie. Rientro il 30 novembre.', '2026-11-30'],
      ['Odpowiedź automatyczna: Dzień dobry', 'Jestem na urlopie. Wracam 30 listopada.', '2026-11-30'],
      ['Autosvar: Hej', 'Jag har semester och är tillbaka den 30 november.', '2026-11-30'],
      ['Automatisk svar: Hej', 'Jeg er på ferie. Jeg er tilbage den 30. november.', '2026-11-30'],
      ['Automaattinen vastaus: Hei', 'Olen lomalla. Palaan 30. marraskuuta.', '2026-11-30'],
      ['Automatická odpověď: Dobrý den', 'Jsem na dovolené, zpět budu 30. listopadu.', '2026-11-30'],
      ['Автоматический ответ: Привет', 'Я в отпуске. Вернусь 30 ноября.', '2026-11-30'],
      ['自動応答: お問い合わせ', '11月29日まで休暇をいただいております。', '2026-11-30'],
      ['自动回复: 您好', '我正在休假，11月30日返回办公室。', '2026-11-30'],
    ] as const
  ).map(([subject, text, returnsOn]): Sample => [subject, 'subject-automatic', AWAY, returnsOn, { subject, text }]),
  [
    'a subject in brackets first',
    'subject-automatic',
    AUTO,
    null,
    { subject: '[EXTERNAL] Automatic reply: Hello', text: 'Thank you for contacting us.' },
  ],
  ...(
    [
      ['Out of Office', 'I am not in the office.'],
      ['Out of office: back in December', 'On annual leave'],
      ['Abwesenheitsnotiz', 'Ich bin nicht im Büro.'],
      ['Abwesend: Hallo', 'Im Urlaub'],
      ['Absence du bureau : Bonjour', 'Je suis en congés.'],
      ['Fuera de la oficina', 'Estoy de vacaciones.'],
      ['Fora do escritório', 'Estou de férias.'],
      ['Afwezigheidsbericht', 'Ik ben op vakantie.'],
      ['Fuori sede', 'Sono in ferie.'],
      ['Nieobecność', 'Jestem na urlopie.'],
    ] as const
  ).map(([subject, text]): Sample => [subject, 'subject-absence', AWAY, null, { subject, text }]),
  [
    'Lotus Notes',
    'subject-named-absence',
    AWAY,
    '2026-12-01',
    { subject: 'AUTO: Jane Doe is out of the office (returning 12/01/2026)', text: 'Note: This is an answer.' },
  ],
  [
    'a challenge',
    'challenge',
    AUTO,
    null,
    { subject: 'Please verify yourself', text: 'Click here so that I get your mail.' },
  ],
  [
    'a received request',
    'subject-received',
    AUTO,
    null,
    { subject: '[#4711] We received your request', text: 'We will get back to you within 24 hours.' },
  ],
  [
    'a receipt by its subject',
    'subject-receipt',
    AUTO,
    null,
    { subject: 'Gelesen: Hallo', text: 'Ihre Nachricht wurde gelesen.' },
  ],
];

/** By phrases, where neither headers nor subject decide. */
export const BY_PHRASES: readonly Sample[] = [
  [
    'English',
    'phrase-away-arranged',
    AWAY,
    '2026-12-07',
    {
      text: 'Hello,\n\nThank you for your email. I am out of the office until December 7th with limited access to email. For urgent matters please contact my colleague at help@example.com.\n\nJane',
    },
  ],
  [
    'German',
    'phrase-away-arranged',
    AWAY,
    '2026-12-05',
    {
      text: 'Guten Tag,\n\nvielen Dank für Ihre Nachricht. Ich bin bis zum 4. Dezember nicht im Büro. In dringenden Fällen wenden Sie sich bitte an Herrn Maier.',
    },
  ],
  [
    'French',
    'phrase-away-arranged',
    AWAY,
    '2026-12-07',
    {
      text: "Bonjour,\nJe suis en congés et de retour le lundi 7 décembre. En cas d'urgence, vous pouvez contacter Paul.",
    },
  ],
  [
    'Spanish',
    'phrase-away-arranged',
    AWAY,
    '2026-12-07',
    {
      text: 'Gracias por su correo. Estoy de vacaciones y regreso el 7 de diciembre. Para asuntos urgentes puede contactar con Ana.',
    },
  ],
  [
    'Portuguese',
    'phrase-away-arranged',
    AWAY,
    '2026-12-07',
    {
      text: 'Obrigada pelo seu e-mail. Estou de férias, regresso a 7 de dezembro. Para assuntos urgentes, por favor contacte a Rita.',
    },
  ],
  [
    'Dutch',
    'phrase-away-arranged',
    AWAY,
    '2026-12-07',
    {
      text: 'Bedankt voor uw bericht. Ik ben afwezig tot 7 december. Voor dringende zaken kunt u contact opnemen met Piet.',
    },
  ],
  [
    'Italian',
    'phrase-away-arranged',
    AWAY,
    '2026-12-07',
    { text: 'Grazie per la sua mail. Sono in ferie e rientrerò il 7 dicembre. Per urgenze potete contattare Anna.' },
  ],
  [
    'Polish',
    'phrase-away-arranged',
    AWAY,
    '2026-12-07',
    {
      text: 'Dziękuję za wiadomość. Jestem na urlopie, wracam 7 grudnia. W pilnych sprawach proszę o kontakt z biurem.',
    },
  ],
  [
    'Swedish',
    'phrase-away-arranged',
    AWAY,
    '2026-12-07',
    {
      text: 'Tack för ditt mail. Jag är på semester och är tillbaka den 7 december. Vid brådskande ärenden kontakta växeln.',
    },
  ],
  [
    'Danish',
    'phrase-away-arranged',
    AWAY,
    '2026-12-07',
    {
      text: 'Tak for din mail. Jeg er på ferie og er tilbage den 7. december. Ved hastende henvendelser kontakt venligst Ole.',
    },
  ],
  [
    'Norwegian',
    'phrase-away-arranged',
    AWAY,
    '2026-12-07',
    { text: 'Takk for din e-post. Jeg er på ferie og er tilbake 7. desember. Ved hastende saker, kontakt gjerne Ola.' },
  ],
  [
    'Finnish',
    'phrase-away-arranged',
    AWAY,
    '2026-12-07',
    {
      text: 'Kiitos viestistäsi. Olen lomalla ja palaan 7. joulukuuta. Kiireellisissä asioissa ota yhteyttä toimistoon.',
    },
  ],
  [
    'Czech',
    'phrase-away-arranged',
    AWAY,
    '2026-12-07',
    { text: 'Děkuji za Vaši zprávu. Jsem na dovolené, vrátím se 7. prosince. V naléhavém případě kontaktujte kolegu.' },
  ],
  [
    'Russian',
    'phrase-away-arranged',
    AWAY,
    '2026-12-07',
    {
      text: 'Спасибо за ваше письмо. Я нахожусь в отпуске, вернусь 7 декабря. По срочным вопросам обращайтесь к Ивану.',
    },
  ],
  [
    'Japanese',
    'phrase-away-arranged',
    AWAY,
    '2026-12-07',
    { text: 'ご連絡ありがとうございます。12月6日まで休暇をいただいております。緊急の場合は代表までご連絡ください。' },
  ],
  [
    'Chinese',
    'phrase-away-arranged',
    AWAY,
    '2026-12-07',
    { text: '感谢您的来信。我正在休假，12月7日返回办公室。如有紧急事务，请联系王先生。' },
  ],
  [
    'thanks and absence, not in an answer',
    'phrase-away-thanked',
    AWAY,
    '2026-12-07',
    {
      subject: 'Jane Doe',
      inReplyTo: null,
      text: 'Thank you for your message. I am currently out of the office, returning December 7.',
    },
  ],
  [
    'a hint in the headers',
    'phrase-away-hinted',
    AWAY,
    null,
    { text: 'I am on annual leave.', headers: { 'X-Auto-Response-Suppress': 'All' } },
  ],
  [
    'a text that says what it is',
    'phrase-automatic',
    AUTO,
    null,
    { text: 'This is an automated response. Nobody reads this address.' },
  ],
  [
    'a received message',
    'phrase-received',
    AUTO,
    null,
    {
      subject: 'Thank you',
      inReplyTo: null,
      text: 'We have received your message and will get back to you within 2 business days.',
    },
  ],
  [
    'a received message, German',
    'phrase-received',
    AUTO,
    null,
    {
      subject: 'Ihre Anfrage',
      inReplyTo: null,
      text: 'Ihre Nachricht haben wir erhalten. Wir melden uns schnellstmöglich bei Ihnen.',
    },
  ],
];
