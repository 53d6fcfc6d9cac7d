import { isBlank, type Line } from './line';
import { fold } from './fold';

/** A header field that clients copy above a quote. */
export type Field = 'from' | 'date' | 'to' | 'cc' | 'subject';

/** Labels by field. A label of several fields (`De`, `Da`) counts for the first. */
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

/** A label, possibly bold in Markdown, with its colon. */
const LABELLED = /^[\s>|]{0,8}[*_]{0,2}([\p{L}. ]{1,24}?)\s?[*_]{0,2}\s?[:：]/u;

/** Returns the field of a line in a header block, or null. */
export function parseField(text: string): Field | null {
  const label = LABELLED.exec(text.slice(0, 60))?.[1];
  return label === undefined ? null : (FIELD_OF.get(fold(label).trim()) ?? null);
}

/** Lines of a header block, folded and blank ones included. */
const MAX_LINES = 10;

/**
 * Finds a copied header that begins at this line: three different fields, sender or date among them. Returns the line after
 * it, or null.
 */
export function findHeaderBlockEnd(lines: readonly Line[], start: number): number | null {
  const first = parseField(lines[start]?.text ?? '');
  if (first === null || first === 'cc' || first === 'to') return null;
  const fields = new Set<Field>();
  let end = start;
  let otherLines = 0;
  let values = '';
  for (let at = start; at < lines.length && at < start + MAX_LINES && otherLines < 3; at += 1) {
    const line = lines[at];
    if (isBlank(line)) {
      otherLines += fields.size > 1 ? 1 : 0.5;
      continue;
    }
    const field = parseField(line?.text ?? '');
    if (field === null || (fields.has(field) && field !== 'cc')) {
      otherLines += 1;
      continue;
    }
    fields.add(field);
    values += ` ${line?.text.slice(0, 200) ?? ''}`;
    otherLines = 0;
    end = at + 1;
  }
  const complete = fields.size >= 3 && (fields.has('from') || (fields.has('to') && fields.has('date')));
  // Two fields suffice when one has an address and the other a time.
  const brief =
    fields.has('date') && (fields.has('from') || fields.has('to')) && values.includes('@') && /\d[:.]\d\d/.test(values);
  return complete || brief ? end : null;
}
