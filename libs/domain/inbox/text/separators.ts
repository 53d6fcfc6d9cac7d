import { fold } from './fold';

/** A line that clients write between a message and its history. */
interface Separator {
  readonly name: string;
  readonly pattern: RegExp;
}

/** Folded: "Original Message" in the languages of common clients. */
const ORIGINAL =
  'original(?: (?:message|mail|e-?mail|appointment|text))?|urspr(?:u|ue)ngliche (?:nachricht|mail|e-mail)|originalnachricht|original-nachricht|' +
  "message (?:d'origine|original|initial)|messaggio originale|mensaje original|mensagem original|oorspronkelijk(?:e)? (?:bericht|mail)|" +
  'originele bericht|oryginalna wiadomosc|wiadomosc oryginalna|ursprungligt meddelande|originalmeddelande|oprindelig (?:meddelelse|besked|mail)|' +
  'opprinnelig melding|original melding|alkuperainen viesti|puvodni (?:zprava|e-mail)|исходное сообщение|оригинальное сообщение|' +
  '元のメッセージ|オリジナル ?メッセージ|original ?message|原始邮件|原始郵件|원본 ?메시지|원본 메일|orijinal (?:ileti|mesaj)|eredeti uzenet|mesaj original|αρχικο μηνυμα';
const FORWARDED =
  'forwarded (?:message|mail)(?: from .{1,80})?|(?:begin )?forwarded by .{1,80}|forwarded by me|weitergeleitete (?:nachricht|mail|e-mail)|weitergeleitet(?: von .{1,80})?|' +
  'message transfere|message transmis|courriel transfere|mensaje reenviado|mensagem (?:encaminhada|reencaminhada)|doorgestuurd bericht|' +
  'messaggio (?:inoltrato)|wiadomosc przekazana|przekazana wiadomosc|vidarebefordrat meddelande|videresendt (?:meddelelse|besked|melding|e-post)|' +
  'valitetty viesti|edelleenlahetetty viesti|preposlana zprava|пересылаемое сообщение|пересланное сообщение|перенаправленное сообщение|' +
  '転送(?:された|された)?メッセージ|転送メール|转发(?:的)?邮件|转发的消息|轉寄郵件|전달된 메시지|yonlendirilen ileti|iletilen mesaj|tovabbitott uzenet';
const REPLY = 'reply message|antwort(?: nachricht)?|message de reponse|mensaje de respuesta';
const DASHES = '[-_=*\u2010-\u2015\u2500]';

const SEPARATORS: readonly Separator[] = [
  {
    name: 'dashes with a title',
    pattern: new RegExp(
      `^[ >]{0,4}${DASHES}{2,60} ?(?:${ORIGINAL}|${FORWARDED}|${REPLY})[ :]{0,3}${DASHES}{0,60}$`,
      'u',
    ),
  },
  {
    name: 'Apple Mail, forwarded',
    pattern:
      /^(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)|debut du message (?:reexpedie|transfere)|inicio del mensaje reenviado|inicio da mensagem (?:reencaminhada|encaminhada)|begin doorgestuurd bericht|inizio messaggio inoltrato|poczatek przekazywanej wiadomosci|vidarebefordrat brev|start pa videresendt (?:besked|melding)|zacatek preposlane zpravy|начало переадресованного сообщения|转发的邮件|이전 메시지 시작) ?:$/u,
  },
  {
    name: 'Lotus Notes, Zoho',
    pattern: /^-{3,12} ?.{1,160} (?:wrote|schrieb|a ecrit|escribio|escreveu|ha scritto|schreef|skrev) ?:? ?-{3,12}$/u,
  },
  {
    name: 'Lotus Notes, forwarded',
    pattern: /^-{4,30} ?(?:forwarded|weitergeleitet|transmis|reenviado) (?:by|von|par|por) .{1,120}$/u,
  },
  {
    name: 'Zendesk, Jira',
    pattern: /^(?:##-? ?)?(?:please )?(?:type|write|reply) (?:your reply )?above this line(?: -?##)?/u,
  },
];

/** Longest separator. */
const MAX_CHARS = 200;

/** Returns the name of the separator that the line is, or null. */
export function findSeparator(text: string): string | null {
  if (text.length > MAX_CHARS || text.length < 8) return null;
  const folded = fold(text).replace(/\s+/g, ' ').trim();
  return SEPARATORS.find(({ pattern }) => pattern.test(folded))?.name ?? null;
}

/** Whether the line is a drawn rule, as Outlook puts it above the copied header. */
export function isDrawnLine(text: string): boolean {
  return text.length <= MAX_CHARS && /^\s{0,8}(?:_{5,}|-{5,}|\*{5,}|={5,}|\u2500{5,}|\u2014{3,})\s*$/u.test(text);
}
