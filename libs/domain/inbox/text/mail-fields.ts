import { isBlank, type Line } from './line';
import { fold } from './fold';

/** Field of a mail header as clients write it above what they quote. */
export type Field = 'from' | 'date' | 'to' | 'cc' | 'subject';

/** Labels. One word may be two fields in two languages (`De`, `Da`): the first in the order of the fields counts. */
const LABELS: ReadonlyArray<readonly [Field, string]> = [
  [
    'from',
    'from|von|de|de la part de|van|da|od|fra|fran|lahettaja|ot|от|от кого|отправитель|差出人|发件人|寄件者|寄件人|보낸 사람|보낸사람|' +
      'gonderen|kimden|felado|expeditor|de la|mittente|remitente|remetente|expediteur|absender|afzender|nadawca|avsender|avsandare|απο|מאת|من',
  ],
  [
    'date',
    'date|sent|sent on|datum|gesendet|gesendet am|gesendet:|envoye|envoye le|enviado|enviado el|enviada em|enviado em|enviada|data|fecha|' +
      'verzonden|verstuurd|inviato|data invio|wyslano|wyslane|skickat|sendt|datert|dato|lahetetty|paivays|paivamaara|pvm|odeslano|' +
      'отправлено|дата|送信日時|送信日|日付|日時|发送时间|发送日期|日期|寄件日期|날짜|보낸 날짜|보낸날짜|gonderme tarihi|gonderildi|tarih|kuldve|elkuldve|trimis|ημερομηνια',
  ],
  [
    'to',
    'to|an|a|para|aan|do|till|til|vastaanottaja|komu|кому|宛先|收件人|收件者|받는 사람|받는사람|kime|cimzett|catre|destinataire|empfanger|destinatario|destinatari|ontvanger|προς',
  ],
  ['cc', 'cc|kopie|copie|copie a|cópia|copia|kopi|kopia|dw|dw.|kopio|копия|抄送|副本|참조|bilgi|bcc'],
  [
    'subject',
    'subject|betreff|objet|asunto|assunto|onderwerp|oggetto|temat|amne|emne|aihe|predmet|тема|件名|主题|主旨|標題|제목|konu|targy|subiect|θεμα',
  ],
];

const FIELD_OF: ReadonlyMap<string, Field> = new Map(
  LABELS.toReversed().flatMap(([field, labels]) => labels.split('|').map((label) => [fold(label), field] as const)),
);

/** A label, maybe bold in Markdown, and its colon. */
const LABELLED = /^[\s>|]{0,8}[*_]{0,2}([\p{L}. ]{1,24}?)\s?[*_]{0,2}\s?[:：]/u;

/** What field a line of a header block shows, null when none. */
export function getField(text: string): Field | null {
  const label = LABELLED.exec(text.slice(0, 60))?.[1];
  return label === undefined ? null : (FIELD_OF.get(fold(label).trim()) ?? null);
}

/** Lines of a header block with the lines that are folded or blank between them. */
const MOST_LINES = 10;

/**
 * The header that a client copied above a quoted mail: it begins at that line and shows three different fields, the
 * sender or the date among them. Gives the line after it, null when there is none.
 */
export function fieldBlockAt(lines: readonly Line[], start: number): number | null {
  const first = getField(lines[start]?.text ?? '');
  if (first === null || first === 'cc' || first === 'to') return null;
  const seen = new Set<Field>();
  let end = start;
  let strangers = 0;
  let values = '';
  for (let at = start; at < lines.length && at < start + MOST_LINES && strangers < 3; at += 1) {
    const line = lines[at];
    if (isBlank(line)) {
      strangers += seen.size > 1 ? 1 : 0.5;
      continue;
    }
    const field = getField(line?.text ?? '');
    if (field === null || (seen.has(field) && field !== 'cc')) {
      strangers += 1;
      continue;
    }
    seen.add(field);
    values += ` ${line?.text.slice(0, 200) ?? ''}`;
    strangers = 0;
    end = at + 1;
  }
  const complete = seen.size >= 3 && (seen.has('from') || (seen.has('to') && seen.has('date')));
  // Two are enough when one is an address and the other a day with its time.
  const brief =
    seen.has('date') && (seen.has('from') || seen.has('to')) && values.includes('@') && /\d[:.]\d\d/.test(values);
  return complete || brief ? end : null;
}
